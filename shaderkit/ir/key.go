package ir

import "encoding/binary"

// AppendKey appends bytes that tell p from every other program. It is shorter and quicker than the text
// form, and no file format: it may be another one tomorrow.
func (p *Program) AppendKey(to []byte) []byte {
	w := printer{p: p}
	w.header()
	k := keyWriter{to}
	k.text(string(w.out))
	k.number(len(p.Funcs))
	for _, f := range p.Funcs {
		k.text(f.Name)
		k.number(len(f.Class))
		for _, c := range f.Class {
			k.to = append(k.to, byte(c))
		}
		k.regs(f.Params)
		k.number(len(f.Results))
		for _, c := range f.Results {
			k.to = append(k.to, byte(c))
		}
		k.flag(f.Macro)
		k.block(f.Body)
	}
	return k.to
}

type keyWriter struct{ to []byte }

func (k *keyWriter) number(n int) { k.to = binary.AppendVarint(k.to, int64(n)) }

func (k *keyWriter) text(s string) {
	k.number(len(s))
	k.to = append(k.to, s...)
}

func (k *keyWriter) flag(f bool) {
	if f {
		k.to = append(k.to, 1)
	} else {
		k.to = append(k.to, 0)
	}
}

func (k *keyWriter) regs(list []Reg) {
	k.number(len(list))
	for _, r := range list {
		k.number(int(r))
	}
}

func (k *keyWriter) block(b *Block) {
	k.flag(b != nil)
	if b == nil {
		return
	}
	k.regs(b.Params)
	k.number(len(b.Insts))
	for i := range b.Insts {
		in := &b.Insts[i]
		k.number(int(in.Op))
		k.number(int(in.N))
		k.number(int(in.Dst))
		k.number(int(in.From))
		k.regs(in.Args)
		k.to = binary.AppendUvarint(k.to, in.Imm)
		if blocks := in.Blocks[0] != nil || in.Blocks[1] != nil; blocks {
			k.flag(true)
			k.block(in.Blocks[0])
			k.block(in.Blocks[1])
		} else {
			k.flag(false)
		}
	}
}
