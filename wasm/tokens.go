//go:build js

package main

import (
	"strings"
	"syscall/js"

	"honnef.co/go/js/dom/v2"
)

// A rowList is a list of rows in the DOM that only touches the rows that change.
type rowList struct {
	root dom.Element
	rows []string
}

// set shows rows: what is equal at the beginning and at the end stays as it is in the page.
func (l *rowList) set(rows []string) {
	head := 0
	for head < len(rows) && head < len(l.rows) && rows[head] == l.rows[head] {
		head++
	}
	tail := 0
	for tail < len(rows)-head && tail < len(l.rows)-head && rows[len(rows)-1-tail] == l.rows[len(l.rows)-1-tail] {
		tail++
	}
	kids := l.root.Underlying().Get("children")
	for i := len(l.rows) - tail - 1; i >= head; i-- {
		kids.Index(i).Call("remove")
	}
	if fresh := strings.Join(rows[head:len(rows)-tail], ""); fresh != "" {
		if at := kids.Index(head); at.Truthy() {
			at.Call("insertAdjacentHTML", "beforebegin", fresh)
		} else {
			l.root.Underlying().Call("insertAdjacentHTML", "beforeend", fresh)
		}
	}
	l.rows = rows
}

func (l *rowList) at(i int) js.Value { return l.root.Underlying().Get("children").Index(i) }

// mark sets the rows first..last-1 as linked and the row selected as selected; the marks of before go.
func (l *rowList) mark(first, last, selected int) {
	for _, old := range l.root.QuerySelectorAll(".linked, [aria-selected=true]") {
		old.Class().Remove("linked")
		old.SetAttribute("aria-selected", "false")
	}
	for i := first; i < last && i < len(l.rows); i++ {
		l.at(i).Get("classList").Call("add", "linked")
	}
	if selected >= 0 && selected < len(l.rows) {
		row := l.at(selected)
		row.Call("setAttribute", "aria-selected", "true")
		l.root.SetAttribute("aria-activedescendant", row.Get("id").String())
	} else {
		l.root.RemoveAttribute("aria-activedescendant")
	}
}

// reveal scrolls the list, and nothing else, so that row i is seen.
func (l *rowList) reveal(i int) {
	if i < 0 || i >= len(l.rows) {
		return
	}
	row, root := l.at(i), l.root.Underlying()
	top, height := row.Get("offsetTop").Float()-root.Get("offsetTop").Float(), row.Get("offsetHeight").Float()
	view, scroll := root.Get("clientHeight").Float(), root.Get("scrollTop").Float()
	switch {
	case top < scroll:
		root.Set("scrollTop", top-height)
	case top+2*height > scroll+view:
		root.Set("scrollTop", top+2*height-view)
	}
}
