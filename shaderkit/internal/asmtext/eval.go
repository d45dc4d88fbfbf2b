package asmtext

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// eval computes the condition of an #if: integers, defined(NAME), the operators of C. A name that is no
// macro is zero.
func (p *preproc) eval(s string) (int64, error) {
	e := &expr{p: p, s: p.expandCondition(s)}
	v := e.ternary(0)
	e.blanks()
	if e.err == nil && e.i < len(e.s) {
		e.err = fmt.Errorf("unexpected %q", e.s[e.i:])
	}
	if e.err != nil {
		return 0, e.err
	}
	return v, nil
}

// expandCondition answers defined first, since its operand must not be expanded.
func (p *preproc) expandCondition(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		if !isIdent(s[i], true) {
			b.WriteByte(s[i])
			i++
			continue
		}
		e := word(s, i)
		if s[i:e] != "defined" {
			b.WriteString(s[i:e])
			i = e
			continue
		}
		a := skipBlanks(s, e)
		paren := a < len(s) && s[a] == '('
		if paren {
			a = skipBlanks(s, a+1)
		}
		n := a
		for n < len(s) && isIdent(s[n], true) {
			n++
		}
		_, ok := p.macros[s[a:n]]
		i = n
		if paren {
			if i = skipBlanks(s, n); i < len(s) && s[i] == ')' {
				i++
			}
		}
		if ok {
			b.WriteString(" 1 ")
		} else {
			b.WriteString(" 0 ")
		}
	}
	var l Line
	return p.expand(&l, b.String(), nil, 1)
}

type expr struct {
	p   *preproc
	s   string
	i   int
	err error
}

func (e *expr) blanks() { e.i = skipBlanks(e.s, e.i) }

// take eats op where it stands; longer operators must be tried first.
func (e *expr) take(op string) bool {
	e.blanks()
	if strings.HasPrefix(e.s[e.i:], op) {
		e.i += len(op)
		return true
	}
	return false
}

func (e *expr) fail(err error) int64 {
	if e.err == nil {
		e.err = err
	}
	return 0
}

func (e *expr) ternary(depth int) int64 {
	if depth > maxDepth*4 {
		return e.fail(errors.New("nested too deep"))
	}
	c := e.binary(0, depth)
	if !e.take("?") {
		return c
	}
	a := e.ternary(depth + 1)
	if !e.take(":") {
		return e.fail(errors.New("expected ':'"))
	}
	b := e.ternary(depth + 1)
	if c != 0 {
		return a
	}
	return b
}

// levels are the binary operators from the loosest to the tightest.
var levels = [][]string{{"||"}, {"&&"}, {"|"}, {"^"}, {"&"}, {"==", "!="}, {"<=", ">=", "<", ">"}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}}

func (e *expr) binary(level, depth int) int64 {
	if level == len(levels) {
		return e.unary(depth)
	}
	a := e.binary(level+1, depth)
next:
	for e.err == nil {
		e.blanks()
		for _, op := range levels[level] {
			rest := e.s[e.i:]
			if !strings.HasPrefix(rest, op) {
				continue
			}
			if len(op) == 1 && len(rest) > 1 && (rest[1] == op[0] && strings.Contains("|&<>", op)) { // a longer operator
				continue
			}
			e.i += len(op)
			a = e.apply(op, a, e.binary(level+1, depth))
			continue next
		}
		break
	}
	return a
}

func (e *expr) apply(op string, a, b int64) int64 {
	t := func(c bool) int64 {
		if c {
			return 1
		}
		return 0
	}
	switch op {
	case "||":
		return t(a != 0 || b != 0)
	case "&&":
		return t(a != 0 && b != 0)
	case "|":
		return a | b
	case "^":
		return a ^ b
	case "&":
		return a & b
	case "==":
		return t(a == b)
	case "!=":
		return t(a != b)
	case "<=":
		return t(a <= b)
	case ">=":
		return t(a >= b)
	case "<":
		return t(a < b)
	case ">":
		return t(a > b)
	case "<<":
		return a << (b & 63)
	case ">>":
		return a >> (b & 63)
	case "+":
		return a + b
	case "-":
		return a - b
	case "*":
		return a * b
	}
	if b == 0 {
		return e.fail(errors.New("division by zero"))
	}
	if op == "/" {
		return a / b
	}
	return a % b
}

func (e *expr) unary(depth int) int64 {
	if depth > maxDepth*4 {
		return e.fail(errors.New("nested too deep"))
	}
	e.blanks()
	switch {
	case e.take("!"):
		if e.unary(depth+1) == 0 {
			return 1
		}
		return 0
	case e.take("~"):
		return ^e.unary(depth + 1)
	case e.take("-"):
		return -e.unary(depth + 1)
	case e.take("+"):
		return e.unary(depth + 1)
	case e.take("("):
		v := e.ternary(depth + 1)
		if !e.take(")") {
			return e.fail(errors.New("expected ')'"))
		}
		return v
	case e.i >= len(e.s):
		return e.fail(errors.New("expected a number"))
	case !isIdent(e.s[e.i], true):
		return e.fail(fmt.Errorf("unexpected %q", e.s[e.i:]))
	}
	end := word(e.s, e.i)
	w := e.s[e.i:end]
	e.i = end
	if isIdent(w[0], false) {
		return 0
	}
	v, err := strconv.ParseInt(strings.TrimRight(w, "uUlL"), 0, 64)
	if err != nil {
		return e.fail(fmt.Errorf("%q is no integer", w))
	}
	return v
}
