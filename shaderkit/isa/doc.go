// Package isa describes encodings of shader bytecode by tables, and reads and writes programs through them.
//
// The bytes are the program; the table is the lens. A [Program] is its data and a list of [Inst], each an op
// and a range of bytes. An [Op] is one row of a [Table]; its [Form] lists the words of the instruction and,
// over the same named fields, its spelling:
//
//	             words                                 text
//	      ┌──────────────────┐                 ┌────────────────────┐
//	data ─┤ bin: read, write ├── Vals (slots) ─┤ text: print, parse ├─ line
//	      └──────────────────┘                 └────────────────────┘
//
// One walker serves each side and runs both ways, so a field is named in one place and shifted in one place.
// When a table is compiled, names become slots of [Vals]; guards and annotations hold numbers.
//
// # Lossless text
//
// Native style loses nothing. Every field that the spelling or a guard does not fix and that is not at its
// default is appended as a residue, " {src0.mod=14}". Where an item cannot print, the caller writes raw
// words. Reading applies residues last.
//
// # Plain instructions
//
// Nearly every instruction has no predicate, no index and no reserved bit. For that case a row has a shape in
// each [View] of the table: one mask a word decides whether the words have it, and then fields lie at fixed
// places and the text is a list of steps. It is made from the same form, at first use. All other instructions
// go through the walkers, with the same result.
//
// # Guards
//
// A guard is tested when printing. When parsing, a guard on a field that is known already must hold; any
// other waits for the end of the line, where it is checked, or sets the field if nothing else did.
//
// # Invariants
//
//   - The ranges of Program.Insts tile Program.Data.
//   - [Program.Tokens] tiles Program.Data: every byte has one owner.
//   - [Table.Check] proves that the fields of each word tile its 32 bits for every combination of guards.
//   - A diagnostic of binary input carries the offset and the value, one of text the span.
package isa
