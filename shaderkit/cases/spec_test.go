package cases

import "testing"

// TestSpec runs the cases that were derived from Microsoft's pages without sight of this code: by hand,
// and by a separate model of the pages. Each line names the page it follows.
func TestSpec(t *testing.T) { runCases(t, "testdata/spec/*.jsonl") }
