package jit

import "slices"

// A wordRange is words of an arena, exclusive at the end.
type wordRange struct{ from, to int }

// ranges is a set of words: disjoint ranges by rising address that do not touch.
type ranges []wordRange

// find gives the first range that ends at i or behind it.
func (s ranges) find(i int) int {
	n, _ := slices.BinarySearchFunc(s, i, func(r wordRange, i int) int { return r.to - i })
	return n
}

// add adds the words of r.
func (s *ranges) add(r wordRange) {
	if r.from >= r.to {
		return
	}
	first := s.find(r.from)
	last := first
	for ; last < len(*s) && (*s)[last].from <= r.to; last++ {
		r.from, r.to = min(r.from, (*s)[last].from), max(r.to, (*s)[last].to)
	}
	if last > first {
		(*s)[first] = r
		*s = slices.Delete(*s, first+1, last)
		return
	}
	*s = slices.Insert(*s, first, r)
}

// remove takes the words of r out and calls f for those that were in.
func (s *ranges) remove(r wordRange, f func(wordRange)) {
	for i := s.find(r.from); i < len(*s) && (*s)[i].from < r.to; {
		x := (*s)[i]
		in := wordRange{max(x.from, r.from), min(x.to, r.to)}
		if in.from >= in.to {
			i++
			continue
		}
		f(in)
		switch left, right := x.from < in.from, in.to < x.to; {
		case left && right:
			(*s)[i].to = in.from
			*s = slices.Insert(*s, i+1, wordRange{in.to, x.to})
			return
		case left:
			(*s)[i].to = in.from
			i++
		case right:
			(*s)[i].from = in.to
			return
		default:
			*s = slices.Delete(*s, i, i+1)
		}
	}
}
