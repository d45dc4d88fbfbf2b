package markup

import (
	"strings"
)

// Lesson gives the text of a lesson. Of Markdown it knows headings, paragraphs, lists whose items
// begin with "- " or a number and a point, and code between backticks; all else is text.
func Lesson(text string) string {
	var b strings.Builder
	open := "" // the element that lines go on with
	start := func(element string) {
		if open == element {
			return
		}
		if open != "" {
			b.WriteString("</" + open + ">")
		}
		if element != "" {
			b.WriteString("<" + element + ">")
		}
		open = element
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		item, list := listItem(line)
		switch {
		case line == "":
			start("")
		case strings.HasPrefix(line, "#"):
			start("")
			b.WriteString("<h3>" + inline(strings.TrimSpace(strings.TrimLeft(line, "#"))) + "</h3>")
		case list != "":
			start(list)
			b.WriteString("<li>" + inline(item))
		case open != "":
			b.WriteString(" " + inline(line)) // the line before goes on
		default:
			start("p")
			b.WriteString(inline(line))
		}
	}
	start("")
	return b.String()
}

// listItem gives the text of a list's item and the element of the list, "" when line is none.
func listItem(line string) (item, list string) {
	if item, ok := strings.CutPrefix(line, "- "); ok {
		return item, "ul"
	}
	number, item, ok := strings.Cut(line, ". ")
	if ok && number != "" && strings.Trim(number, "0123456789") == "" {
		return item, "ol"
	}
	return "", ""
}

// inline escapes a line and marks its code.
func inline(line string) string {
	parts := strings.Split(line, "`")
	for i, p := range parts {
		switch {
		case i%2 == 0:
			parts[i] = esc(p)
		case i == len(parts)-1: // no second backtick
			parts[i] = "`" + esc(p)
		default:
			parts[i] = "<code>" + esc(p) + "</code>"
		}
	}
	return strings.Join(parts, "")
}
