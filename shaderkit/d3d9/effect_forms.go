package d3d9

import "swizzle/shaderkit/isa"

// The records of an effect, each a line of native text: its name, then its words.

// A recordField is one word of a record.
type recordField struct {
	name  string
	names []string // of values, where they have names
	doc   string
}

func record(name, doc string, fields ...recordField) *isa.Op {
	f := &isa.Form{Name: "record", Doc: doc, Text: []isa.Item{isa.Name{}}}
	var between isa.Item = isa.Sp{}
	for _, x := range fields {
		field := isa.Field{Name: x.name, Bits: bits(0, 32), Show: isa.ShowInt, Doc: x.doc}
		var item isa.Item = isa.I32{Field: x.name}
		if x.names != nil {
			field.Show, field.Names = isa.ShowName, x.names
			item = isa.Enum{Field: x.name, Names: x.names}
		}
		f.Parts = append(f.Parts, isa.Part{Word: &isa.Word{Name: x.name, Doc: doc, Fields: []isa.Field{field}}})
		f.Text = append(f.Text, between, item)
		between = isa.Sep{}
	}
	return table.Frame(&isa.Op{Name: name, Form: f, Doc: isa.Doc{Summary: doc}})
}

var classNames = []string{"scalar", "vector", "matrix_rows", "matrix_columns", "object", "struct"}

// offsets shared by records
var (
	typeOffset  = recordField{"type", nil, "The offset of the type."}
	valueOffset = recordField{"value", nil, "The offset of the value."}
	nameOffset  = recordField{"name", nil, "The offset of the name."}
	annotations = recordField{"annotations", nil, "How many annotations follow."}
)

var (
	rowEffect = table.Frame(&isa.Op{Name: ".effect", Doc: isa.Doc{Summary: "The head of an effect."}, Form: &isa.Form{Name: "effect",
		Parts: []isa.Part{
			{Word: &isa.Word{Name: "version", Doc: "The version word of an effect.", Fields: []isa.Field{
				{Name: "magic", Bits: bits(0, 32), Show: isa.ShowHex, Def: effectMagic, Must: true, Doc: "0xFEFF0901 marks an effect, fx_2_0."}}}},
			{Word: &isa.Word{Name: "lists", Doc: "Where the lists begin.", Fields: []isa.Field{
				{Name: "lists", Bits: bits(0, 32), Show: isa.ShowInt, Doc: "The offset of the lists; offsets count from the next word."}}}},
		},
		Text: []isa.Item{isa.Name{}, isa.Sp{}, isa.I32{Field: "lists"}}}})

	rowCounts = record(".counts", "What the lists hold.", recordField{"parameters", nil, "How many parameters."}, recordField{"techniques", nil, "How many techniques."},
		recordField{"unknown", nil, "Not known."}, recordField{"objects", nil, "How many object numbers."})
	rowParameter  = record(".parameter", "A parameter.", typeOffset, valueOffset, recordField{"flags", nil, "Bit 0: shared."}, annotations)
	rowAnnotation = record(".annotation", "An annotation of what stands in front.", typeOffset, valueOffset)
	rowTechnique  = record(".technique", "A technique.", nameOffset, annotations, recordField{"passes", nil, "How many passes follow."})
	rowPass       = record(".pass", "A pass.", nameOffset, annotations, recordField{"states", nil, "How many states follow."})
	rowState      = record(".state", "A state that a pass or a sampler sets.", recordField{"operation", stateNames, "The state."}, recordField{"index", nil, "The stage, constant or light; 256 in samplers."}, typeOffset, valueOffset)
	rowObjects    = record(".objects", "How many objects follow.", recordField{"small", nil, "Objects by number."}, recordField{"resources", nil, "Objects by the state that names them."})
	rowObject     = record(".object", "An object; its bytes follow.", recordField{"id", nil, "Its number."}, recordField{"size", nil, "Its bytes."})
	rowResource   = record(".resource", "A resource; its bytes follow.", recordField{"technique", nil, "Of the state; -1: of a sampler."}, recordField{"pass", nil, "The pass, or the parameter of a sampler."},
		recordField{"element", nil, "The element of an array of samplers; -1: none."}, recordField{"state", nil, "The state that names it."}, recordField{"usage", nil, "0 an object, 1 the name of a parameter, 2 an element of an array."}, recordField{"size", nil, "Its bytes."})

	rowType    = record(".type", "A type, with the name of what has it.", recordField{"kind", kindNames[:], "The kind of an element."}, recordField{"class", classNames, "The shape."}, nameOffset, recordField{"semantic", nil, "The offset of the semantic."}, recordField{"elements", nil, "Of an array; 0 when it is none."})
	rowSize    = record(".size", "Rows and columns of the type in front; of a vector columns and rows.", recordField{"first", nil, "Rows, of a vector columns."}, recordField{"second", nil, "Columns, of a vector rows."})
	rowMembers = record(".members", "How many members the struct in front has; their types follow.", recordField{"members", nil, "Members."})
	rowStates  = record(".states", "How many states a sampler sets; they follow.", recordField{"states", nil, "States."})

	rowString = record(".string", "A length and that many bytes, the last of them zero, padded to a whole word.")
	rowText   = record(".text", "Bytes, the last of them zero, padded to a whole word.")
)

// recordRows lists them in the order of the reference.
var recordRows = []*isa.Op{rowEffect, rowCounts, rowParameter, rowAnnotation, rowTechnique, rowPass, rowState, rowObjects, rowObject, rowResource,
	rowType, rowSize, rowMembers, rowStates, rowString, rowText}

// recordRow gives the row of a name, nil when there is none.
func recordRow(name string) *isa.Op {
	for _, o := range recordRows {
		if o.Name == name {
			return o
		}
	}
	return nil
}
