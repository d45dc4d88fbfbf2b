package d3d9

import (
	"strconv"
	"strings"
)

// versionName spells a version word: "vs_3_0", "ps_2_x", "vs_2_sw".
func versionName(w uint32) string {
	major, minor := versionMajor.Get(w), versionMinor.Get(w)
	s := stageNames[versionStage.Get(w)&1] + "_" + strconv.Itoa(int(major)) + "_"
	switch {
	case major == 2 && minor == 1:
		return s + "x"
	case minor == 255:
		return s + "sw"
	}
	return s + strconv.Itoa(int(minor))
}

// versions are the version lines people may want to type, newest first.
var versions = []string{"vs_3_0", "ps_3_0", "vs_2_x", "ps_2_x", "vs_2_0", "ps_2_0", "vs_3_sw", "ps_3_sw", "vs_2_sw", "ps_2_sw", "vs_1_1", "ps_1_4", "ps_1_3", "ps_1_2", "ps_1_1"}

// allVersions are those that a stage has.
var allVersions = [2]string{"vs_1_0, vs_1_1, vs_2_0, vs_2_x, vs_2_sw, vs_3_0 and vs_3_sw", "ps_1_0 to ps_1_4, ps_2_0, ps_2_x, ps_2_sw, ps_3_0 and ps_3_sw"}

// versionEnd gives the end of the word at p of s, which may be a version: it holds dots where the word is of
// the old spelling, vs.1.1.
func versionEnd(s string, p int) int {
	e := wordEnd(s, p)
	if w := s[p:e]; w != "vs" && w != "ps" {
		return e
	}
	for e < len(s) && s[e] == '.' {
		e = wordEnd(s, e)
	}
	return e
}

// parseVersion reads a version line, vs_1_1 or, as older texts spell it, vs.1.1. The profiles 2_a and 2_b of
// compilers are 2_x.
func parseVersion(s string) (w uint32, ok bool) {
	if strings.Count(s, ".") == 2 {
		s = strings.ReplaceAll(s, ".", "_")
	}
	stage, rest, ok := strings.Cut(s, "_")
	major, minor, ok2 := strings.Cut(rest, "_")
	if !ok || !ok2 {
		return 0, false
	}
	switch stage {
	case "vs":
		w = versionStage.Put(0, 0xFFFE)
	case "ps":
		w = versionStage.Put(0, 0xFFFF)
	default:
		return 0, false
	}
	m, err := strconv.ParseUint(major, 10, 8)
	if err != nil {
		return 0, false
	}
	w = versionMajor.Put(w, uint32(m))
	switch {
	case minor == "sw":
		return versionMinor.Put(w, 255), true
	case m == 2 && (minor == "x" || minor == "a" || minor == "b"):
		return versionMinor.Put(w, 1), true
	}
	n, err := strconv.ParseUint(minor, 10, 8)
	return versionMinor.Put(w, uint32(n)), err == nil
}
