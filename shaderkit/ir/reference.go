package ir

import (
	"fmt"
	"strings"
)

// Reference gives the op table as text: a line with results, name, immediate and operand types of
// each op, then its meaning.
func Reference() string {
	var out strings.Builder
	for o := Invalid + 1; o < numOps; o++ {
		row := o.Info()
		var parts []string
		switch {
		case row.Results < 0:
			parts = append(parts, "… =")
		case row.Results > 0:
			parts = append(parts, strings.TrimSuffix(strings.Repeat(string(row.Type)+", ", row.Results), ", "), "=")
		}
		parts = append(parts, row.Name)
		if row.Imm != "" {
			parts = append(parts, strings.ToUpper(row.Imm))
		}
		if row.Args == "*" {
			parts = append(parts, "…")
		} else if row.Args != "" {
			parts = append(parts, strings.Join(strings.Split(row.Args, ""), ", "))
		}
		fmt.Fprintf(&out, "%s\n%s\n", strings.Join(parts, " "), wrapText(row.Doc, 100))
	}
	return out.String()
}

// wrapText breaks text into indented lines of at most width bytes, where words allow.
func wrapText(text string, width int) string {
	var out strings.Builder
	n := width
	for _, w := range strings.Fields(text) {
		if n+1+len(w) > width {
			out.WriteString("\n\t")
			n = 0
		} else {
			out.WriteByte(' ')
			n++
		}
		out.WriteString(w)
		n += len(w)
	}
	return strings.TrimPrefix(out.String(), "\n") + "\n"
}
