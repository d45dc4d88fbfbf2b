package source

import "testing"

func TestPosition(t *testing.T) {
	text := "ab\n\ncd"
	for _, c := range []struct{ off, line, col int }{{-1, 1, 1}, {0, 1, 1}, {2, 1, 3}, {3, 2, 1}, {4, 3, 1}, {6, 3, 3}, {99, 3, 3}} {
		if l, k := Position(text, c.off); l != c.line || k != c.col {
			t.Errorf("Position(%d) = %d:%d, want %d:%d", c.off, l, k, c.line, c.col)
		}
	}
}

func TestFormat(t *testing.T) {
	var l List
	l.Errorf(Span{3, 4}, "bad-thing", "thing %d is bad", 7)
	l.BytesErrorf(Range{0x1C, 4}, 0xFFFF, "bad-word", "word 0x%08X is bad", 0xFFFF)
	if got, want := l[0].Format("a.asm", "x\ny z"), "a.asm:2:2: error[bad-thing]: thing 7 is bad"; got != want {
		t.Errorf("got %q want %q", got, want)
	}
	if got, want := l[1].Format("a.bin", ""), "a.bin:+0x1C: error[bad-word]: word 0x0000FFFF is bad"; got != want {
		t.Errorf("got %q want %q", got, want)
	}
	if l.Err() == nil || (List{{Severity: Warning}}).Err() != nil {
		t.Error("Err counts errors only")
	}
}
