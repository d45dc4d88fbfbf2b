package playground

import (
	"bytes"
	"encoding/binary"
)

// A journal remembers the texts that a run of word edits went through, by their bytes, so that
// flipping a bit back gives the text that a person wrote and not another spelling of it. Typing
// starts a new run.
type journal struct {
	run []state
}

type state struct {
	data []byte
	text string
}

// typed starts a run at a text that a person made. A text that the run already holds, as an undo
// brings it back, goes on with it.
func (j *journal) typed(data []byte, text string) {
	for _, s := range j.run {
		if s.text == text {
			return
		}
	}
	j.run = append(j.run[:0], state{bytes.Clone(data), text})
}

// edited adds the outcome of a word edit.
func (j *journal) edited(data []byte, text string) {
	if _, known := j.text(data); !known {
		j.run = append(j.run, state{bytes.Clone(data), text})
	}
}

// text gives the text that the run has for the bytes.
func (j *journal) text(data []byte) (string, bool) {
	for _, s := range j.run {
		if bytes.Equal(s.data, data) {
			return s.text, true
		}
	}
	return "", false
}

// withWord gives data with the word at off replaced. Bytes of the word behind the end of data are dropped.
func withWord(data []byte, off int, value uint32) []byte {
	data = bytes.Clone(data)
	var w [4]byte
	binary.LittleEndian.PutUint32(w[:], value)
	if off >= 0 && off < len(data) {
		copy(data[off:], w[:])
	}
	return data
}
