package interp

type order struct{ stores bool }

func (o *order) free(v *vm) bool { return !o.stores }

func (f *flattener) findOrder(e *emitter) order { return order{} }
