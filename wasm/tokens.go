//go:build js

package main

import (
	"fmt"
	"slices"
	"strings"
	"syscall/js"

	"honnef.co/go/js/dom/v2"
)

// A rowList is a list of rows of one height. Of a short list the DOM holds all rows, of a long one those in view and
// some around them, between two blank blocks as high as the rest. Rows whose markup stays are not touched.
type rowList struct {
	root  dom.Element
	shown []int              // the rows that are not folded away, rising
	row   func(i int) string // gives the markup of a row

	from int      // place in shown of the first row in the DOM
	rows []string // markup of those in the DOM

	first, last, selected int // marked rows
}

const (
	wholeList  = 400 // rows up to which all are in the DOM
	aroundView = 100 // rows in the DOM before and behind those in view
)

// begin empties the list and puts its blank blocks in place.
func (l *rowList) begin() {
	l.root.SetInnerHTML(`<div role="presentation"></div><div role="presentation"></div>`)
	on(l.root.Underlying(), "scroll", func(js.Value) { l.scrolled() })
}

// set shows other rows.
func (l *rowList) set(shown []int, row func(i int) string) {
	l.shown, l.row = shown, row
	l.render()
}

// view gives the places of shown that are in view.
func (l *rowList) view() (from, to int) {
	root, height := l.root.Underlying(), l.height()
	from = int(root.Get("scrollTop").Float() / height)
	return from, from + int(root.Get("clientHeight").Float()/height) + 2
}

// height gives the height of a row in pixels of CSS.
func (l *rowList) height() float64 {
	if len(l.rows) > 0 {
		if h := l.child(0).Call("getBoundingClientRect").Get("height").Float(); h > 0 {
			return h
		}
	}
	return 22
}

func (l *rowList) scrolled() {
	if len(l.shown) <= wholeList {
		return
	}
	from, to := l.view()
	if from < l.from || min(to, len(l.shown)) > l.from+len(l.rows) {
		l.render()
	}
}

// render brings the DOM up to date.
func (l *rowList) render() {
	n, height := len(l.shown), l.height()
	from, to := 0, n
	if n > wholeList {
		from, to = l.view()
		from, to = min(max(from-aroundView, 0), n), min(to+aroundView, n)
	}
	rows := make([]string, 0, to-from)
	for _, i := range l.shown[from:to] {
		rows = append(rows, l.row(i))
	}
	head := 0
	for head < len(rows) && head < len(l.rows) && rows[head] == l.rows[head] {
		head++
	}
	tail := 0
	for tail < len(rows)-head && tail < len(l.rows)-head && rows[len(rows)-1-tail] == l.rows[len(l.rows)-1-tail] {
		tail++
	}
	for i := len(l.rows) - tail - 1; i >= head; i-- {
		l.child(i).Call("remove")
	}
	if fresh := strings.Join(rows[head:len(rows)-tail], ""); fresh != "" {
		l.child(head).Call("insertAdjacentHTML", "beforebegin", fresh)
	}
	l.from, l.rows = from, rows
	blank := func(e js.Value, rows int) {
		e.Get("style").Set("height", fmt.Sprintf("%.1fpx", float64(rows)*height))
	}
	blank(l.root.Underlying().Get("firstElementChild"), from)
	blank(l.root.Underlying().Get("lastElementChild"), n-to)
	for i := range rows {
		if len(rows) < n { // readers know the size of the whole list then
			l.child(i).Call("setAttribute", "aria-setsize", n)
			l.child(i).Call("setAttribute", "aria-posinset", from+i+1)
		}
	}
	l.mark(l.first, l.last, l.selected)
}

// child gives the i-th row in the DOM, or the blank block behind the last.
func (l *rowList) child(i int) js.Value { return l.root.Underlying().Get("children").Index(1 + i) }

// at gives the element of a row; ok is false where the DOM does not hold it.
func (l *rowList) at(row int) (js.Value, bool) {
	place, found := slices.BinarySearch(l.shown, row)
	if !found || place < l.from || place >= l.from+len(l.rows) {
		return js.Value{}, false
	}
	return l.child(place - l.from), true
}

// mark sets the rows first..last-1 as linked and the row selected as selected; the marks of before go.
func (l *rowList) mark(first, last, selected int) {
	l.first, l.last, l.selected = first, last, selected
	for _, old := range l.root.QuerySelectorAll(".linked, [aria-selected=true]") {
		old.Class().Remove("linked")
		old.SetAttribute("aria-selected", "false")
	}
	if l.from < len(l.shown) && len(l.rows) > 0 {
		for i := max(first, l.shown[l.from]); i < min(last, l.shown[l.from+len(l.rows)-1]+1); i++ {
			if row, ok := l.at(i); ok {
				row.Get("classList").Call("add", "linked")
			}
		}
	}
	if row, ok := l.at(selected); ok {
		row.Call("setAttribute", "aria-selected", "true")
		l.root.SetAttribute("aria-activedescendant", row.Get("id").String())
	} else {
		l.root.RemoveAttribute("aria-activedescendant")
	}
}

// reveal scrolls the list, and nothing else, so that a row is seen.
func (l *rowList) reveal(row int) {
	place, found := slices.BinarySearch(l.shown, row)
	if !found {
		return
	}
	root, height := l.root.Underlying(), l.height()
	top := float64(place) * height
	view, scroll := root.Get("clientHeight").Float(), root.Get("scrollTop").Float()
	switch {
	case top < scroll:
		root.Set("scrollTop", top-height)
	case top+2*height > scroll+view:
		root.Set("scrollTop", top+2*height-view)
	}
	l.scrolled()
}
