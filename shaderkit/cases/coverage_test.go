package cases

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"swizzle/shaderkit/d3d9"
	"swizzle/shaderkit/interp"
	"swizzle/shaderkit/isa"
)

// versionsCovered are the versions whose every instruction, register and modifier has a case.
var versionsCovered = []string{"vs_1_1", "vs_2_0", "vs_2_x", "vs_3_0", "ps_1_1", "ps_1_2", "ps_1_3", "ps_1_4", "ps_2_0", "ps_2_x", "ps_3_0"}

// extends gives the versions in which a program of a version means the same: later ones of its kind, and
// those for software.
var extends = map[string][]string{
	"vs_1_1": {"vs_1_0"},
	"vs_2_0": {"vs_2_x", "vs_2_sw"}, "vs_2_x": {"vs_2_sw"},
	"vs_3_0": {"vs_3_sw"},
	"ps_1_1": {"ps_1_0", "ps_1_2", "ps_1_3"}, "ps_1_2": {"ps_1_3"},
	"ps_2_0": {"ps_2_x", "ps_2_sw"}, "ps_2_x": {"ps_2_sw"},
	"ps_3_0": {"ps_3_sw"},
}

// TestVersionsExtend runs every case in the versions that extend its own.
func TestVersionsExtend(t *testing.T) {
	n := 0
	allCases(t, func(_ string, line []byte, e *expectation) {
		version, _, _ := strings.Cut(e.Text, "\n")
		if e.Error != nil || e.Alone {
			return
		}
		for _, v := range extends[version] {
			var c map[string]any
			if err := json.Unmarshal(line, &c); err != nil {
				t.Fatal(err)
			}
			c["text"] = v + strings.TrimPrefix(e.Text, version)
			q, _ := json.Marshal(c)
			n++
			if err := e.check(Run(q, Defaults{Engine: interp.New()})); err != nil {
				t.Errorf("%s in %s: %v", e.ID, v, err)
			}
		}
	})
	t.Logf("%d runs", n)
}

// allCases calls f for every case of testdata.
func allCases(t *testing.T, f func(file string, line []byte, e *expectation)) {
	t.Helper()
	for _, glob := range []string{"testdata/*.jsonl", "testdata/spec/*.jsonl"} {
		files, err := filepath.Glob(glob)
		if err != nil || len(files) == 0 {
			t.Fatal("no cases", err)
		}
		for _, file := range files {
			eachCase(t, file, func(line []byte, e *expectation) { f(file, line, e) })
		}
	}
}

// contexts gives the lines that an example needs in front of it and behind it, by its first word.
var contexts = map[string][2]string{
	"else": {"if b0", "endif"}, "endif": {"if b0", ""}, "endloop": {"loop aL, i0", ""}, "endrep": {"rep i0", ""},
	"if": {"", "endif"}, "rep": {"", "endrep"}, "loop": {"", "endloop"},
	"break": {"rep i0", "endrep"}, "breakp": {"rep i0", "endrep"},
	"call": {"", "ret\nlabel l0\nret\nlabel l2\nret"}, "callnz": {"", "ret\nlabel l0\nret"}, "label": {"call l0\nret", "ret"},
	"texm3x2tex": {"texm3x2pad t1, t0", ""}, "texm3x2depth": {"texm3x2pad t1, t0", ""},
	"texm3x3tex": {"texm3x3pad t1, t0\ntexm3x3pad t2, t0", ""}, "texm3x3": {"texm3x3pad t1, t0\ntexm3x3pad t2, t0", ""},
	"texm3x3spec": {"texm3x3pad t1, t0\ntexm3x3pad t2, t0", ""}, "texm3x3vspec": {"texm3x3pad t1, t0\ntexm3x3pad t2, t0", ""},
}

// runsExample runs an example of the reference.
func runsExample(version, example string) error {
	word, _, _ := strings.Cut(example, " ")
	if i := strings.Index(word, "_"); i > 0 {
		word = word[:i]
	}
	around := contexts[word]
	text := version + "\n" + around[0] + "\n" + example + "\n" + around[1] + "\n"
	q, _ := json.Marshal(map[string]string{"isa": "d3d9", "text": text})
	var g got
	if err := json.Unmarshal(Run(q, Defaults{Engine: interp.New()}), &g); err != nil {
		return err
	}
	if g.Error != nil {
		return fmt.Errorf("%s: %s", text, g.Error.Message)
	}
	return nil
}

// uses gives what a program uses: its instructions and features, by the names of the reference.
func uses(p *isa.Program) map[string]bool {
	m := map[string]bool{}
	var v isa.Vals
	for i, in := range p.Insts {
		if in.Kind != isa.KindOp || !p.Fields(i, &v) {
			continue
		}
		get := func(name string) uint32 {
			x, _ := v.At(in.Op.Slot(name))
			return x
		}
		m[opKey(in.Op, get("control"))] = true
		feature := func(k d3d9.FeatureKind, name string) { m[k.String()+" "+name] = true }
		if get("coissue") != 0 {
			feature(d3d9.ResultModifier, "+")
		}
		if get("predicated") != 0 {
			feature(d3d9.ResultModifier, "(p0)")
		}
		operand := func(part string) bool {
			typ, ok := v.At(in.Op.Slot(part + ".type"))
			if !ok {
				return false
			}
			name, _, _ := p.Arch.Table.Regs.Name(p.Ctx, typ, get(part+".num"))
			reg := strings.TrimRight(name, "0123456789")
			feature(d3d9.RegisterType, reg)
			if get(part+".rel") != 0 {
				by := "a0"
				if get(part+".addr.type") == d3d9.RegLoop {
					by = "aL"
				}
				feature(d3d9.Addressing, reg+"["+by+"]")
				feature(d3d9.RegisterType, map[string]string{"a0": "a", "aL": "aL"}[by])
			}
			return true
		}
		if operand("dst") {
			feature(d3d9.ResultModifier, map[uint32]string{1: "_x2", 2: "_x4", 3: "_x8", 13: "_d8", 14: "_d4", 15: "_d2"}[get("dst.shift")])
			for bit, name := range []string{"_sat", "_pp", "_centroid"} {
				if get("dst.mod")>>bit&1 != 0 {
					feature(d3d9.ResultModifier, name)
				}
			}
		}
		for _, part := range []string{"src0", "src1", "src2", "src3", "pred"} {
			if operand(part) {
				names := []string{"", "-…", "…_bias", "-…_bias", "…_bx2", "-…_bx2", "1-…", "…_x2", "-…_x2", "…_dz", "…_dw", "…_abs", "-…_abs", "!…"}
				feature(d3d9.SourceModifier, names[get(part+".mod")])
			}
		}
	}
	return m
}

// suffixes are those that if, break and setp have by their control field.
var suffixes = []string{"", "_gt", "_eq", "_ge", "_lt", "_ne", "_le"}

// compares reports whether an op has a comparison in its control field.
func compares(o *isa.Op) bool { return o.Code == 41 || o.Code == 45 || o.Code == 94 }

// opKey names an instruction, with its comparison.
func opKey(o *isa.Op, control uint32) string {
	key := fmt.Sprintf("instruction %s (%d)", o.Name, o.Code)
	if compares(o) {
		key += suffixes[control%7]
	}
	return key
}

// TestEverythingHasCases names each instruction, register and modifier of a version that lacks documentation,
// an example that runs, or a case whose expectation has a source.
func TestEverythingHasCases(t *testing.T) {
	covered := map[string]map[string]bool{}
	allCases(t, func(file string, line []byte, e *expectation) {
		var q question
		if err := json.Unmarshal(line, &q); err != nil || e.Error != nil || e.Expect == nil && e.State == nil {
			return
		}
		if e.Why == "" {
			t.Errorf("%s: %s says nothing of its source", file, e.ID)
		}
		p, _, bad := program(&q, Defaults{})
		if bad != nil {
			t.Fatalf("%s: %s: %v", file, e.ID, bad.Message)
		}
		version, _, _ := strings.Cut(e.Text, "\n")
		for _, v := range append([]string{version}, extends[version]...) {
			if e.Alone && v != version {
				continue
			}
			if covered[v] == nil {
				covered[v] = map[string]bool{}
			}
			maps.Copy(covered[v], uses(p))
		}
	})

	lacks := map[string]bool{}
	lack := func(format string, args ...any) { lacks[fmt.Sprintf(format, args...)] = true }
	table := d3d9.Arch.Table
	for _, version := range versionsCovered {
		p, _, _ := d3d9.Assemble(version+"\n", isa.Options{Permissive: true})
		has := covered[version]
		for _, o := range table.Ops {
			if !o.Has(p.Ctx) {
				continue
			}
			controls := []uint32{0}
			if compares(o) {
				controls = []uint32{1, 2, 3, 4, 5, 6}
			}
			for _, c := range controls {
				if key := opKey(o, c); !has[key] {
					lack("%s: no case for %s", version, key)
				}
			}
		}
		for _, f := range d3d9.Features() {
			if key := f.Kind.String() + " " + f.Name; f.Has(p.Ctx) && !has[key] {
				lack("%s: no case for %s", version, key)
			}
		}
	}
	for _, o := range table.Ops {
		if o.Doc.Summary == "" {
			lack("%s (%d): no documentation", o.Name, o.Code)
		}
		if err := runsExample(o.Doc.ExampleVersion, o.Doc.Example); err != nil {
			lack("%s (%d): the example does not run: %v", o.Name, o.Code, err)
		}
	}
	for _, f := range d3d9.Features() {
		if f.Doc == "" {
			lack("%s %s: no documentation", f.Kind, f.Name)
		}
		if err := runsExample(f.ExampleVersion, f.Example); err != nil {
			lack("%s %s: the example does not run: %v", f.Kind, f.Name, err)
		}
	}
	for _, s := range slices.Sorted(maps.Keys(lacks)) {
		t.Error(s)
	}
}
