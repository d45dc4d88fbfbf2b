package isa

import (
	"strconv"
	"strings"
)

func (t *text) suffixes(v *Vals, n *tnode) bool {
	if t.write {
		t.printSuffixes(v, n)
		return true
	}
	for i := range n.sufs {
		if s := &n.sufs[i]; !v.known.has(s.slot) {
			v.set(s.slot, 0)
		}
	}
next:
	for {
		best := -1
		for i := range n.sufs {
			if s := &n.sufs[i]; strings.HasPrefix(t.s[t.p:], s.text) && (best < 0 || len(s.text) > len(n.sufs[best].text)) {
				best = i
			}
		}
		if best < 0 {
			break
		}
		s := &n.sufs[best]
		if v.v[s.slot]&s.mask != 0 {
			return t.failf(t.p, quote(s.text)+" is the second of its kind, and there may be one")
		}
		p0 := int32(t.p)
		t.p += len(s.text)
		v.set(s.slot, v.v[s.slot]|s.value)
		if v.span[s.slot].end == 0 {
			v.span[s.slot].start = p0
		}
		v.span[s.slot].end = int32(t.p)
		continue next
	}
	if t.peek() == '_' {
		for i := range n.sufs {
			t.fail(quote(n.sufs[i].text))
		}
		return false
	}
	return true
}

func (t *text) printSuffixes(v *Vals, n *tnode) {
	for _, slot := range n.slots {
		rest := v.v[slot]
		p0 := int32(len(t.Text))
		for i := range n.sufs {
			if s := &n.sufs[i]; rest != 0 && s.slot == slot && v.v[slot]&s.mask == s.value {
				t.Text = append(t.Text, s.text...)
				rest &^= s.mask
			}
		}
		t.mark(v, slot, p0, int32(len(t.Text)))
		if rest == 0 {
			v.said.add(slot)
		}
	}
}

func (t *text) enum(v *Vals, n *tnode) bool {
	if t.write {
		x := v.v[n.slot]
		t.Text = append(t.Text, n.str...)
		if int64(x) < int64(len(n.names)) && n.names[x] != "" {
			t.Text = append(t.Text, n.names[x]...)
		} else {
			t.Text = append(strconv.AppendUint(append(t.Text, "?("...), uint64(x), 10), ')')
		}
		v.said.add(n.slot)
		return true
	}
	p := t.p
	if !t.lit(n.str) {
		return false
	}
	if strings.HasPrefix(t.s[t.p:], "?(") {
		t.p += 2
		x, ok := t.number()
		return ok && t.fits(v, n.slot, x) && t.lit(")") && v.assert(n.slot, x)
	}
	best, rest := -1, t.s[t.p:]
	for k, s := range n.names {
		if s != "" && hasPrefix(rest, s, n.flag) && (best < 0 || len(s) > len(n.names[best])) {
			best = k
		}
	}
	if best < 0 || !v.assert(n.slot, uint32(best)) {
		for _, s := range n.names {
			if s != "" {
				t.fail(quote(n.str + s))
			}
		}
		t.p = p
		return false
	}
	t.p += len(n.names[best])
	return true
}

// hasPrefix is strings.HasPrefix; with fold it does not look at capitals.
func hasPrefix(s, prefix string, fold bool) bool {
	if fold && len(s) >= len(prefix) {
		return strings.EqualFold(s[:len(prefix)], prefix)
	}
	return strings.HasPrefix(s, prefix)
}

func (t *text) affix(v *Vals, n *tnode) bool {
	side := 0
	if n.flag {
		side = 1
	}
	p0 := t.here()
	if t.write {
		if x := v.v[n.slot]; int64(x) < int64(len(n.pairs)) {
			v.said.add(n.slot)
			if s := n.pairs[x][side]; s != "" {
				t.Text = append(t.Text, s...)
				t.mark(v, n.slot, p0, int32(len(t.Text)))
			}
		}
		return true
	}
	pre := ""
	if side == 1 {
		pre = n.pairs[v.v[n.slot]][0]
	}
	best, rest := -1, t.s[t.p:]
	for k, p := range n.pairs {
		if side == 1 && p[0] != pre {
			continue
		}
		if strings.HasPrefix(rest, p[side]) && (best < 0 || len(p[side]) > len(n.pairs[best][side])) {
			best = k
		}
	}
	if best < 0 {
		return t.fail("a modifier")
	}
	if side == 1 && t.s[t.p+len(n.pairs[best][1]):] != "" && n.pairs[best][1] == "" && t.peek() == '_' {
		for _, p := range n.pairs {
			if p[0] == pre && p[1] != "" {
				t.fail(quote(p[1]))
			}
		}
		return false
	}
	if n.again && n.pairs[v.v[n.slot]][1] != "" {
		return n.pairs[best][1] == "" || t.failf(t.p, quote(n.pairs[best][1])+" is the second of its kind")
	}
	t.p += len(n.pairs[best][side])
	v.set(n.slot, uint32(best))
	if t.p > int(p0) {
		v.span[n.slot] = span{p0, int32(t.p)}
	}
	return true
}

const lanes = "xyzw"

// appendSwizzle spells a swizzle behind its point: nothing for xyzw, one lane for four equal ones.
func appendSwizzle(b []byte, x uint32) []byte {
	switch {
	case x == 0xE4:
		return b
	case x == x&3*0x55:
		return append(b, '.', lanes[x&3])
	}
	return append(b, '.', lanes[x&3], lanes[x>>2&3], lanes[x>>4&3], lanes[x>>6&3])
}

// appendMask spells a write mask behind its point: nothing for all lanes.
func appendMask(b []byte, x uint32) []byte {
	if x == 15 {
		return b
	}
	b = append(b, '.')
	for k := range 4 {
		if x>>k&1 != 0 {
			b = append(b, lanes[k])
		}
	}
	return b
}

func (t *text) lanes(v *Vals, n *tnode) bool {
	if t.write {
		x := v.v[n.slot]
		if !n.flag {
			v.said.add(n.slot)
			t.Text = appendSwizzle(t.Text, x)
		} else if x != 0 { // without a lane there is nothing to spell: left to the residue
			v.said.add(n.slot)
			t.Text = appendMask(t.Text, x)
		}
		return true
	}
	if t.peek() != '.' {
		if n.flag {
			v.set(n.slot, 15)
		} else {
			v.set(n.slot, 0xE4)
		}
		return true
	}
	t.p++
	var x uint32
	last, k := -1, 0
	for t.p < len(t.s) && isWord(t.s[t.p]) && t.s[t.p] != '_' {
		l := strings.IndexByte("xyzwrgba", t.s[t.p])
		switch {
		case l < 0:
			return t.fail("x, y, z, w, r, g, b or a")
		case k == 4:
			return t.failf(t.p, "a swizzle has at most four lanes")
		case n.flag && l&3 <= last:
			return t.failf(t.p, "the lanes of a write mask go in the order x, y, z, w, each once")
		case n.flag:
			x |= 1 << (l & 3)
		default:
			x |= uint32(l&3) << (2 * k)
		}
		last = l & 3
		k++
		t.p++
	}
	if k == 0 {
		return t.fail("x, y, z, w, r, g, b or a")
	}
	for ; k < 4 && !n.flag; k++ {
		x |= uint32(last) << (2 * k)
	}
	v.set(n.slot, x)
	return true
}

func (t *text) i32(v *Vals, n *tnode) bool {
	if t.write {
		v.said.add(n.slot)
		t.Text = strconv.AppendInt(t.Text, int64(int32(v.v[n.slot])), 10)
		return true
	}
	x, end, ok := parseInt(t.s, t.p)
	if !ok {
		return t.fail("an integer of 32 bits")
	}
	if end+1 < len(t.s) && t.s[end] == '.' && isDigit(t.s[end+1]) {
		return t.fail("an integer, without a decimal point")
	}
	t.p = end
	v.set(n.slot, x)
	return true
}

func (t *text) num(v *Vals, n *tnode) bool {
	if t.write {
		v.said.add(n.slot)
		if x := v.v[n.slot]; x != 0 {
			t.Text = strconv.AppendUint(t.Text, uint64(x), 10)
		}
		return true
	}
	x := uint32(0)
	if isDigit(t.peek()) {
		var ok bool
		if x, ok = t.number(); !ok {
			return false
		}
	}
	return t.fits(v, n.slot, x) && v.assert(n.slot, x)
}

// fits reports whether the field of a slot can hold x.
func (t *text) fits(v *Vals, slot int, x uint32) bool {
	if w := v.op.SlotField(slot).Width(); w < 32 && x>>w != 0 {
		return t.failf(t.p, strconv.FormatUint(uint64(x), 10)+" is too large, at most "+strconv.Itoa(1<<w-1))
	}
	return true
}
