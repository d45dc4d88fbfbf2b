// Package model is the desktop program without its window: what is open, what is wrong with it, how it
// is drawn, and where a pixel of the picture lies on the screen. It knows no Ebiten, so that its tests
// need no display.
//
//	files ──Watcher──▶ App ──requests──▶ Player (goroutine, one scene.View an engine) ──▶ Frame
//	                    │
//	                    ├─ playground.Session   text, words and fields, as the page has them
//	                    ├─ Rows, Fields         the listing, and one statement of it bit by bit
//	                    └─ Sliders              the values that the scene gives to constants
//	Viewport            pixels of the picture ⇄ pixels of the screen
//
// The window calls App.Poll once a tick; nothing here blocks it. When what was saved has errors, the
// picture and the listing of before stay, and Problems says what is wrong and where.
package model
