package ir

// RunPass runs the pass of that name alone, for tests.
func RunPass(name string, p *Program, o Options) {
	for _, pass := range passes {
		if pass.name == name {
			pass.run(p, o)
			return
		}
	}
	panic("no pass " + name)
}

// PassNames lists the passes in their order.
func PassNames() (names []string) {
	for _, p := range passes {
		names = append(names, p.name)
	}
	return names
}
