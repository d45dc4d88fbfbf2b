package isa

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync"
)

// Context is what an instruction's meaning depends on beside its words.
type Context struct {
	Stage   uint32 // number of the stage, as the architecture counts them
	Version uint32 // version, higher is newer
}

// Avail says where an op exists.
type Avail struct {
	Stages   uint32 // bit per stage
	Min, Max uint32 // versions, both included
	Slots    uint8  // instruction slots it counts there
}

// Has reports whether the op exists in c.
func (a Avail) Has(c Context) bool {
	return a.Stages>>c.Stage&1 != 0 && a.Min <= c.Version && c.Version <= a.Max
}

// Doc is what people read about an op.
type Doc struct {
	Summary        string // one paragraph
	Pseudo         string // what it computes, rules in plain words
	Example        string // a line that assembles
	ExampleVersion string // the version line it assembles under
}

// An Operand names an operand of an op for documentation and completion.
type Operand struct {
	Name string // the part of the form, "dst", "src0"
	Role string // "write", "read", "sampler", "label", "const"
	Doc  string
}

// An Op is one row of the table: everything known about an instruction stands here.
type Op struct {
	Name     string
	Also     []string // other names that are read
	Code     uint32
	Form     *Form
	Match    []Guard  // field values that pick this row among the rows of one code
	Keep     []string // fields that native text always states, since the spelling alone reads as something else
	Avail    []Avail  // where it exists; any one suffices
	Operands []Operand
	Doc      Doc
	Lower    any  // the lowering, set by the architecture; its type is the architecture's
	Class    uint // bits that the architecture defines
	Alt      bool // a variant spelling or layout of the row before it; not listed in the docs

	form  *compiled
	match []cguard
	keep  []int
	table *Table
	id    int // place among the ops of the table, -1: a frame
}

// Has reports whether the op exists in c.
func (o *Op) Has(c Context) bool {
	for _, a := range o.Avail {
		if a.Has(c) {
			return true
		}
	}
	return false
}

// SlotsIn gives the instruction slots that the op counts in c, zero where it does not exist.
func (o *Op) SlotsIn(c Context) int {
	for _, a := range o.Avail {
		if a.Has(c) {
			return int(a.Slots)
		}
	}
	return 0
}

// Slot gives the number of a field of the op's form, or -1.
func (o *Op) Slot(name string) int {
	if s, ok := o.form.idx[name]; ok {
		return s
	}
	return -1
}

// SlotName gives the path of a slot, "src0.num".
func (o *Op) SlotName(slot int) string { return o.form.name[slot] }

// SlotField gives the field of a slot; nil for the context.
func (o *Op) SlotField(slot int) *Field { return o.form.field[slot] }

// NumSlots gives the number of slots that the op's form uses.
func (o *Op) NumSlots() int { return o.form.n }

// Table is the list of ops of an architecture, compiled.
type Table struct {
	Ops    []*Op
	Regs   *Regs
	byCode map[uint32][]*Op
	dense  [256][]*Op
	byName map[string][]*Op
	read   map[string][]*Op // by the names that are read
	forms  map[*Form]*compiled
	key    string // the name of the field that holds the code
	code   place  // where it lies in the first word
	views  sync.Map
	lists  sync.Map // names of ops by context, for messages
}

// NewTable compiles ops. code is the name of the field that holds an op's code. It panics on a table that
// contradicts itself, which a test finds.
func NewTable(regs *Regs, code string, ops []*Op) *Table {
	t := &Table{Ops: ops, Regs: regs, byCode: map[uint32][]*Op{}, byName: map[string][]*Op{}, read: map[string][]*Op{}, forms: map[*Form]*compiled{}, key: code}
	for i, o := range ops {
		o.compile(t)
		o.id = i
		if o.Code < uint32(len(t.dense)) {
			t.dense[o.Code] = append(t.dense[o.Code], o)
		}
		t.byCode[o.Code] = append(t.byCode[o.Code], o)
		t.byName[o.Name] = append(t.byName[o.Name], o)
		for _, name := range append([]string{o.Name}, o.Also...) {
			t.read[name] = append(t.read[name], o)
		}
		for _, f := range o.form.bin[0].fs {
			if f.slot == o.form.key {
				t.code = f.place
			}
		}
	}
	return t
}

// Frame compiles o for t without entering it: the rows of headers, comments and ends, which stand in no
// list of instructions but have words and fields like them.
func (t *Table) Frame(o *Op) *Op {
	o.compile(t)
	o.id = -1
	return o
}

// ByCode gives the rows of a code.
func (t *Table) ByCode(code uint32) []*Op {
	if code < uint32(len(t.dense)) {
		return t.dense[code]
	}
	return t.byCode[code]
}

// ByName gives the rows of a name.
func (t *Table) ByName(name string) []*Op { return t.byName[name] }

// Names gives all names, sorted.
func (t *Table) Names() []string {
	var s []string
	for n := range t.byName {
		s = append(s, n)
	}
	sort.Strings(s)
	return s
}

// The compiled shape of a form: names are slots, guards compare numbers.
type (
	cguard struct {
		slot int
		eq   uint32 // the one value of in, when one
		one  bool
		not  bool
		in   []uint32
	}
	cfield struct {
		place // the first two pieces
		f     *Field
		n     int // pieces
		def   uint32
		slot  int
		ifs   []cguard
	}
	bnode struct { // a word, or a guarded list of nodes
		word   *Word
		fs     []cfield
		key    []*cfield // those of fs that guards ask for
		always set       // the slots of fs without guards
		ifs    []cguard
		sub    []bnode
	}
	creg struct {
		*RegRow
		ifs []cguard
	}
	tnode struct {
		kind   uint8
		slot   int
		slot2  int
		str    string
		names  []string
		pairs  [][2]string
		sufs   []csuffix
		slots  []int // the slots of sufs, each once
		flag   bool
		again  bool
		style  Style
		regs   *Regs
		ifs    []cguard
		sub    []tnode
		orelse string
	}
	csuffix struct {
		text        string
		slot        int
		mask, value uint32
	}
	compiled struct {
		n     int
		idx   map[string]int
		field []*Field
		name  []string
		bin   []bnode
		text  []tnode
		asked asked
		key   int // the slot that holds the code, -1: none
	}
)

// asked is the slots that some guard asks for.
type asked set

func (a *asked) add(gs []cguard) {
	for _, g := range gs {
		(*set)(a).add(g.slot)
	}
}

func (a *asked) guardsOf(ns []bnode) {
	for i := range ns {
		a.add(ns[i].ifs)
		for _, f := range ns[i].fs {
			a.add(f.ifs)
		}
		a.guardsOf(ns[i].sub)
	}
}

// keys picks the fields of each word that are asked for.
func (a *asked) keys(ns []bnode) {
	for i := range ns {
		n := &ns[i]
		n.key = nil
		for j := range n.fs {
			if (*set)(a).has(n.fs[j].slot) {
				n.key = append(n.key, &n.fs[j])
			}
		}
		a.keys(n.sub)
	}
}

const (
	tLit = iota
	tName
	tSp
	tSep
	tGap
	tSuffixes
	tEnum
	tAffix
	tReg
	tIndex
	tLanes
	tF32
	tI32
	tNum
	tGroup
	tChoice
)

const (
	SlotStage   = iota // slot of the context's stage
	SlotVersion        // slot of the context's version
	firstSlot          // first slot of a field
)

// MaxSlots bounds the fields of one form.
const MaxSlots = 192

func (o *Op) compile(t *Table) {
	o.table = t
	c := t.forms[o.Form]
	if c == nil {
		c = &compiled{idx: map[string]int{"stage": SlotStage, "version": SlotVersion}, n: firstSlot, field: make([]*Field, 2), name: []string{"stage", "version"}}
		c.declare("", o.Form)
		if c.n > MaxSlots {
			panic(fmt.Sprintf("isa: form of %s has %d fields", o.Name, c.n))
		}
		c.bin = c.words("", o.Form)
		c.asked.guardsOf(c.bin)
		c.text = c.items(o.Form, "", o.Form.Text)
		c.key = -1
		if s, ok := c.idx[t.key]; ok {
			c.key = s
		}
		t.forms[o.Form] = c
	}
	o.form = c
	o.match = c.guards("", o.Match)
	c.asked.add(o.match)
	c.asked.keys(c.bin)
	o.keep = nil
	for _, k := range o.Keep {
		o.keep = append(o.keep, c.slot("", k))
	}
}

func (c *compiled) declare(path string, f *Form) {
	for _, p := range f.Parts {
		if p.Word == nil {
			c.declare(path+p.Name+".", p.Sub)
			continue
		}
		for i := range p.Word.Fields {
			k := path + p.Word.Fields[i].Name
			if k == "stage" || k == "version" {
				panic("isa: a field cannot be named " + k)
			}
			if _, ok := c.idx[k]; !ok {
				c.idx[k] = c.n
				c.field = append(c.field, &p.Word.Fields[i])
				c.name = append(c.name, k)
				c.n++
			}
		}
	}
}

func (c *compiled) slot(path, name string) int {
	if name == "stage" || name == "version" {
		return c.idx[name]
	}
	for strings.HasPrefix(name, "^") { // one form up
		name = name[1:]
		path = strings.TrimSuffix(path, ".")
		path = path[:strings.LastIndexByte(path, '.')+1]
	}
	s, ok := c.idx[path+name]
	if !ok {
		panic("isa: no field " + path + name)
	}
	return s
}

func newGuard(slot int, g Guard) cguard {
	c := cguard{slot: slot, in: g.In, not: g.Not}
	if len(g.In) == 1 {
		c.one, c.eq = true, g.In[0]
	}
	return c
}

func (c *compiled) guards(path string, gs []Guard) []cguard {
	var out []cguard
	for _, g := range gs {
		out = append(out, newGuard(c.slot(path, g.Field), g))
	}
	return out
}

func (c *compiled) words(path string, f *Form) []bnode {
	var out []bnode
	for _, p := range f.Parts {
		n := bnode{word: p.Word, ifs: c.guards(path, p.If)}
		if p.Word == nil {
			n.sub = c.words(path+p.Name+".", p.Sub)
			out = append(out, n)
			continue
		}
		for i := range p.Word.Fields {
			fl := &p.Word.Fields[i]
			cf := cfield{place: newPlace(fl.Bits), f: fl, n: len(fl.Bits), def: fl.Def, slot: c.slot(path, fl.Name), ifs: c.guards(path, fl.If)}
			if cf.ifs == nil {
				n.always.add(cf.slot)
			}
			n.fs = append(n.fs, cf)
		}
		out = append(out, n)
	}
	return out
}

func (f *Form) part(name string) *Form {
	for _, p := range f.Parts {
		if p.Name == name && p.Sub != nil {
			return p.Sub
		}
	}
	panic("isa: form " + f.Name + " has no part " + name)
}

func (c *compiled) items(f *Form, path string, items []Item) []tnode {
	var out []tnode
	for _, it := range items {
		if s, ok := it.(Sub); ok { // in place, which saves the walkers a step
			sub := f.part(s.Part)
			out = append(out, c.items(sub, path+s.Part+".", sub.Text)...)
			continue
		}
		out = append(out, c.item(f, path, it))
	}
	return out
}

func (c *compiled) item(f *Form, path string, it Item) tnode {
	switch t := it.(type) {
	case Lit:
		return tnode{kind: tLit, str: string(t)}
	case Name:
		return tnode{kind: tName}
	case Sp:
		return tnode{kind: tSp}
	case Sep:
		return tnode{kind: tSep}
	case Gap:
		return tnode{kind: tGap, str: t.Before}
	case Suffixes:
		n := tnode{kind: tSuffixes}
		for _, s := range t {
			slot := c.slot(path, s.Field)
			n.sufs = append(n.sufs, csuffix{s.Text, slot, s.Mask, s.Value})
			if !slices.Contains(n.slots, slot) {
				n.slots = append(n.slots, slot)
			}
		}
		return n
	case Enum:
		return tnode{kind: tEnum, slot: c.slot(path, t.Field), names: t.Names, str: t.Pre, flag: t.Fold}
	case Affix:
		return tnode{kind: tAffix, slot: c.slot(path, t.Field), pairs: t.Pairs, flag: t.Post, again: t.Again}
	case Reg:
		return tnode{kind: tReg, slot: c.slot(path, t.Type), slot2: c.slot(path, t.Num), regs: t.Regs}
	case Index:
		n := tnode{kind: tIndex, slot: c.slot(path, t.Type), slot2: c.slot(path, t.Num), regs: t.Regs, str: t.Base}
		if t.Part != "" {
			sub := f.part(t.Part)
			n.sub = c.items(sub, path+t.Part+".", sub.Text)
		} else if t.Base != "" {
			n.sub = []tnode{{kind: tLit, str: t.Base}}
		}
		return n
	case Lanes:
		return tnode{kind: tLanes, slot: c.slot(path, t.Field), flag: t.Mask}
	case F32:
		return tnode{kind: tF32, slot: c.slot(path, t.Field)}
	case I32:
		return tnode{kind: tI32, slot: c.slot(path, t.Field)}
	case Num:
		return tnode{kind: tNum, slot: c.slot(path, t.Field)}
	case Group:
		return c.group(f, path, t)
	case Choice:
		n := tnode{kind: tChoice}
		for _, g := range t {
			n.sub = append(n.sub, c.group(f, path, g))
		}
		return n
	}
	panic(fmt.Sprintf("isa: unknown item %T", it))
}

func (c *compiled) group(f *Form, path string, g Group) tnode {
	return tnode{kind: tGroup, ifs: c.guards(path, g.If), sub: c.items(f, path, g.Items), flag: g.ReadOnly, style: g.Style, orelse: g.Else}
}
