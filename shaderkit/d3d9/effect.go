package d3d9

import (
	"fmt"
	"strings"

	"swizzle/shaderkit/isa"
	"swizzle/shaderkit/source"
)

// An Effect is what an effect file of version fx_2_0 holds. Offsets in it count from the ninth byte.
//
//	0xFEFF0901, offset of the lists
//	data: types, names, values
//	counts of parameters, techniques and objects
//	parameters and their annotations
//	techniques, their passes, the states of those
//	objects that are small: number, size, bytes
//	resources, which states name: shaders, expressions
type Effect struct {
	Parameters []EffectParameter
	Techniques []EffectTechnique
	Objects    uint32 // how many object numbers there are
	Small      []EffectObject
	Resources  []EffectResource
	Diags      source.List // what does not fit, in offsets of the file
}

// An EffectValue is a type and a value of it: of a parameter, an annotation or a state.
type EffectValue struct {
	Type     Type
	Name     string
	Semantic string
	Words    []uint32      // of numbers: the value; of objects: their numbers
	States   []EffectState // of a sampler
}

// An EffectParameter is a variable of the effect.
type EffectParameter struct {
	EffectValue
	Flags       uint32
	Annotations []EffectValue
}

// An EffectTechnique is a way to draw.
type EffectTechnique struct {
	Name        string
	Annotations []EffectValue
	Passes      []EffectPass
}

// An EffectPass is what one pass of a technique sets.
type EffectPass struct {
	Name        string
	Annotations []EffectValue
	States      []EffectState
}

// An EffectState sets one state.
type EffectState struct {
	Operation uint32 // see Name
	Index     uint32 // of the texture stage, the constant and so on
	Value     EffectValue
}

// Name gives the name of the state, "VertexShader".
func (s *EffectState) Name() string {
	if int(s.Operation) < len(stateNames) {
		return stateNames[s.Operation]
	}
	return fmt.Sprintf("state%d", s.Operation)
}

// An EffectObject is an object that is stored by its number: a string, a shader of a parameter.
type EffectObject struct {
	ID     uint32
	Bytes  source.Range
	Module int // in the program's modules; 0 when it is none
}

// An EffectResource is the object that a state of a pass, or of a sampler, names.
type EffectResource struct {
	Technique int32 // -1: a sampler parameter
	Index     int32 // of the pass, or the parameter
	Element   int32
	State     int32
	Array     string // of which the expression selects
	Usage     int32  // 0 object, 1 the name of a parameter, 2 an array and an expression that selects of it
	Bytes     source.Range
	Module    int
}

// FindEffect gives the effect that a program is decoded of, nil when it is none.
func FindEffect(p *isa.Program) *Effect {
	e, _ := p.Info.(*Effect)
	return e
}

// describe spells a value in short: "float4 Color : COLOR = {1, 0, 0, 1}".
func (v *EffectValue) describe() string {
	t := v.Type
	s := strings.TrimPrefix(t.String(), "row_major ") // the values of effects are in rows, whatever the shaders have
	if t.Class == ClassStruct {
		var m []string
		for _, x := range t.Members {
			m = append(m, x.Type.String()+" "+printable(x.Name))
		}
		s = "struct {" + strings.Join(m, "; ") + "}"
	}
	s += " " + printable(v.Name)
	if t.Elements > 0 {
		s += fmt.Sprintf("[%d]", t.Elements)
	}
	if v.Semantic != "" {
		s += " : " + printable(v.Semantic)
	}
	return s
}

// kinds appends the kind of every number of a value of type t.
func (t *Type) kinds(all []TypeKind) []TypeKind {
	for range max(1, min(t.Elements, 4096)) {
		switch {
		case len(all) > 4096:
		case t.Class == ClassStruct:
			for i := range t.Members {
				all = t.Members[i].Type.kinds(all)
			}
		case t.Class == ClassObject:
			all = append(all, t.Kind)
		default:
			for range min(t.Rows*t.Columns, 4096) {
				all = append(all, t.Kind)
			}
		}
	}
	return all
}

// literal spells a value: numbers by their kind, strings, other objects by their numbers.
func (e *Effect) literal(v *EffectValue, data []byte) string {
	var s []string
	kinds := v.Type.kinds(nil)
	for k, w := range v.Words {
		if k >= len(kinds) {
			break
		}
		switch kinds[k] {
		case typeBool:
			s = append(s, map[bool]string{false: "false", true: "true"}[w != 0])
		case typeInt:
			s = append(s, fmt.Sprint(int32(w)))
		case typeFloat:
			s = append(s, string(isa.AppendFloat(nil, w, isa.Vendor)))
		default:
			s = append(s, e.object(w, kinds[k], data))
		}
	}
	if len(s) == 1 {
		return s[0]
	}
	return "{" + strings.Join(s, ", ") + "}"
}

// object spells the object of a number.
func (e *Effect) object(id uint32, k TypeKind, data []byte) string {
	for i := range e.Small {
		if o := &e.Small[i]; o.ID == id && k == typeString && o.Bytes.Len > 0 {
			return "\"" + printable(cString(data[o.Bytes.Off:o.Bytes.End()])) + "\""
		}
	}
	return fmt.Sprintf("object %d", id)
}

// Kinds of elements.
const (
	typeBool         = 1
	typeInt          = 2
	typeFloat        = 3
	typeString       = 4
	typePixelShader  = 15
	typeVertexShader = 16
)
