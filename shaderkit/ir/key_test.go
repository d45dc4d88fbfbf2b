package ir_test

import (
	"reflect"
	"testing"

	"swizzle/shaderkit/internal/irtest"
)

// Each change of a program changes its key, whichever field it is of; equal programs have equal keys.
func TestKeyTellsProgramsApart(t *testing.T) {
	p := irtest.Random(5, irtest.Options{Size: 30, Trace: true})
	n := 0
	for _, f := range []any{&p.Interface, &p.Samplers, &p.Modes, &p.Large} {
		fill(reflect.ValueOf(f).Elem(), &n)
	}
	key := string(p.AppendKey(nil))
	if string(p.Clone().AppendKey(nil)) != key {
		t.Error("a copy has another key")
	}
	changes := 0
	changed := func(path string, v reflect.Value, to reflect.Value) {
		old := reflect.New(v.Type()).Elem()
		old.Set(v)
		v.Set(to)
		if string(p.AppendKey(nil)) == key {
			t.Errorf("%s: the key is the same", path)
		}
		v.Set(old)
		changes++
	}
	var walk func(path string, v reflect.Value)
	walk = func(path string, v reflect.Value) {
		switch v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				walk(path+"."+v.Type().Field(i).Name, v.Field(i))
			}
		case reflect.Slice:
			for i := range v.Len() {
				walk(path+"[]", v.Index(i))
			}
			if v.Len() > 0 {
				changed(path, v, v.Slice(0, v.Len()-1))
			}
		case reflect.Array:
			for i := range v.Len() {
				walk(path+"[]", v.Index(i))
			}
		case reflect.Pointer:
			if !v.IsNil() {
				walk(path, v.Elem())
			}
		case reflect.Bool:
			changed(path, v, reflect.ValueOf(!v.Bool()).Convert(v.Type()))
		case reflect.String:
			changed(path, v, reflect.ValueOf(v.String()+"x").Convert(v.Type()))
		case reflect.Float32:
			changed(path, v, reflect.ValueOf(v.Float()+1).Convert(v.Type()))
		default:
			x := reflect.New(v.Type()).Elem()
			if v.CanInt() {
				x.SetInt(v.Int() ^ 1)
			} else {
				x.SetUint(v.Uint() ^ 1)
			}
			changed(path, v, x)
		}
	}
	walk("Program", reflect.ValueOf(p).Elem())
	if changes < 500 {
		t.Errorf("only %d changes tried", changes)
	}
}
