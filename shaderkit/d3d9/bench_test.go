package d3d9

import (
	"testing"

	"swizzle/shaderkit/isa"
	"swizzle/shaderkit/source"
)

// big gives one program of about 1000 instructions of the corpus.
func big(b *testing.B) []byte {
	var out []byte
	n := 0
	for n < 1000 {
		for _, s := range corpus(b) {
			p := Decode(s.data, isa.Options{})
			if p.Ctx != (isa.Context{Stage: PS, Version: v30}) {
				continue
			}
			if out == nil {
				out = append(out, s.data[:4]...)
			}
			for _, in := range p.Insts {
				if in.Kind == isa.KindOp && in.Op.Class&classFlow == 0 && n < 1000 {
					out = append(out, s.data[in.Bytes.Off:in.Bytes.End()]...)
					n++
				}
			}
		}
	}
	return append(out, 0xFF, 0xFF, 0, 0)
}

// per reports the time of an instruction.
func per(b *testing.B, p *isa.Program) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(p.Insts)), "ns/inst")
}

func BenchmarkDecodePrint(b *testing.B) {
	data := big(b)
	var p *isa.Program
	for b.Loop() {
		p = Decode(data, isa.Options{})
		Print(p, StyleNative)
	}
	per(b, p)
}

func BenchmarkDecodePrintAnnotate(b *testing.B) {
	data := big(b)
	var p *isa.Program
	for b.Loop() {
		p = Decode(data, isa.Options{})
		p.Annotate(PrintFields(p, StyleNative))
	}
	per(b, p)
}

func BenchmarkAssemble(b *testing.B) {
	p := Decode(big(b), isa.Options{})
	text := Print(p, StyleNative).Text
	var found source.List
	for b.Loop() {
		_, _, found = Assemble(text, isa.Options{Permissive: true})
	}
	per(b, p)
	if found.HasErrors() {
		b.Fatal(diags(text, found))
	}
}

func BenchmarkTable(b *testing.B) {
	for b.Loop() {
		isa.NewTable(registers, "code", ops)
	}
}
