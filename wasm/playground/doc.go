// Package playground is the view model of the playground: what is open, how its text and its words
// belong together, and what an edit of either changes. It knows no browser and no window, so the page
// and the desktop program share it.
//
//	Session             the scene, and a Document for each shader of its first draw
//	  └─ Document       text ⇄ program: statements, words, fields; edits and their journal
//
// Text is master while a person types: SetText assembles it, and where it has errors the last good
// words stay. An edit of a word (SetWord) gives the Edit of the text that says the same, which the
// editor makes as one step of its own history; so one undo takes back both sides.
//
//	s, err := playground.Open("ps.asm", data)
//	d := s.Current()
//	link, ok := d.LinkAt(caret)               // words of the statement under the caret
//	edit, err := d.SetWord(off, word^1<<17)   // flip a bit; edit changes the text
//	text, err := s.SceneText()                // what to draw now
package playground
