package render

// A Format is how a pixel lies in a target.
type Format uint8

const (
	NoFormat Format = iota
	RGBA8           // bytes, red lowest, unsigned normalised
	D32F            // depth as a single
	numFormats
)

// A formatRow is what there is to know about a format. A pixel takes whole words.
type formatRow struct {
	name  string
	words int
	depth bool
}

var formats = [numFormats]formatRow{
	NoFormat: {name: "none"},
	RGBA8:    {name: "rgba8", words: 1},
	D32F:     {name: "d32f", words: 1, depth: true},
}

func (f Format) row() *formatRow {
	if f < numFormats {
		return &formats[f]
	}
	return &formats[NoFormat]
}

func (f Format) String() string { return f.row().name }

// FormatByName gives the format of a name.
func FormatByName(name string) (Format, bool) {
	for f := range numFormats {
		if f != NoFormat && formats[f].name == name {
			return f, true
		}
	}
	return NoFormat, false
}
