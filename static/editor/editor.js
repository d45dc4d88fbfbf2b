// The source editor: CodeMirror 6 with everything that knows shader languages left to the Go side.
//
// swizzleEditor(parent, go) puts an editor into parent and gives its handle. All positions are
// UTF-16 offsets. The functions of go are called synchronously and must not call back into the
// handle before they return; changed and caret are called after the editor has finished its update.
//
//	go.marks(text)           Uint32Array of from, to, class for each coloured piece, in order
//	go.complete(text, pos)   JSON {from, to, options: [{label, detail, info, type}]} or ""
//	go.hover(text, pos)      JSON {from, to, html} or ""
//	go.pasted(text)          what a text stands for that is pasted over everything
//	go.changed(text)         the text changed, by the person or by edit
//	go.caret(pos)            the caret moved
import {EditorState, StateEffect, StateField, RangeSetBuilder} from "@codemirror/state";
import {
  EditorView, Decoration, WidgetType, keymap, lineNumbers, drawSelection, highlightActiveLineGutter, highlightSpecialChars, hoverTooltip,
} from "@codemirror/view";
import {defaultKeymap, history, historyKeymap, isolateHistory, undo, redo} from "@codemirror/commands";
import {setDiagnostics, lintGutter, lintKeymap, nextDiagnostic} from "@codemirror/lint";
import {autocompletion, closeCompletion, completionKeymap} from "@codemirror/autocomplete";

const classes = ["opcode", "register", "number", "comment", "modifier", "directive", "version", "lanes"]
  .map((name) => Decoration.mark({class: "t-" + name}));
const linkedLine = Decoration.line({class: "linked"});
const linkedPart = Decoration.mark({class: "linked-part"});
const setLinks = StateEffect.define();

function colours(go, doc) {
  const marks = go.marks(doc.toString());
  const builder = new RangeSetBuilder();
  for (let i = 0; i + 2 < marks.length; i += 3) {
    if (marks[i] < marks[i + 1] && marks[i + 1] <= doc.length) builder.add(marks[i], marks[i + 1], classes[marks[i + 2]]);
  }
  return builder.finish();
}

const colourField = (go) => StateField.define({
  create: (state) => colours(go, state.doc),
  update: (value, tr) => (tr.docChanged ? colours(go, tr.newDoc) : value),
  provide: (field) => EditorView.decorations.from(field),
});

// The value of setLinks is [lineFrom, lineTo, partFrom, partTo]; an empty part is [0, 0].
const linkField = StateField.define({
  create: () => Decoration.none,
  update(value, tr) {
    value = value.map(tr.changes);
    for (const effect of tr.effects) {
      if (!effect.is(setLinks)) continue;
      const [lineFrom, lineTo, partFrom, partTo] = effect.value;
      const ranges = [];
      if (lineTo > lineFrom && lineTo <= tr.newDoc.length) {
        const last = tr.newDoc.lineAt(lineTo).number;
        for (let n = tr.newDoc.lineAt(lineFrom).number; n <= last; n++) ranges.push(linkedLine.range(tr.newDoc.line(n).from));
      }
      if (partTo > partFrom && partTo <= tr.newDoc.length) ranges.push(linkedPart.range(partFrom, partTo));
      value = Decoration.set(ranges, true);
    }
    return value;
  },
  provide: (field) => EditorView.decorations.from(field),
});

// The data of a long comment is folded while no selection touches its line.
class Folded extends WidgetType {
  constructor(length) {
    super();
    this.length = length;
  }
  eq(other) {
    return other.length === this.length;
  }
  toDOM() {
    const dom = document.createElement("span");
    dom.className = "folded";
    dom.textContent = `… ${this.length} characters`;
    dom.title = "Click to see them";
    return dom;
  }
  ignoreEvent() {
    return false;
  }
}

const longComment = /^[ \t]*\.comment\b[^"\n]*"([^"\n]{40,})"/gm;

function folded(state, found) {
  const touched = ({line, end}) => state.selection.ranges.some((r) => r.from <= end && r.to > line);
  return Decoration.set(found.filter((f) => !touched(f))
    .map(({from, to}) => Decoration.replace({widget: new Folded(to - from)}).range(from, to)));
}

function longComments(state) {
  const found = [];
  for (const m of state.doc.toString().matchAll(longComment)) {
    const end = m.index + m[0].length;
    found.push({line: m.index, end, from: end - 1 - m[1].length + 8, to: end - 1});
  }
  return {found, ranges: folded(state, found)};
}

const foldField = StateField.define({
  create: longComments,
  update: (value, tr) => (tr.docChanged ? longComments(tr.state) : tr.selection ? {...value, ranges: folded(tr.state, value.found)} : value),
  provide: (field) => EditorView.decorations.from(field, (value) => value.ranges),
});

function hoverSource(go) {
  return hoverTooltip((view, pos) => {
    const json = go.hover(view.state.doc.toString(), pos);
    if (!json) return null;
    const {from, to, html} = JSON.parse(json);
    return {
      pos: from, end: to, above: true,
      create() {
        const dom = document.createElement("div");
        dom.className = "hover-doc";
        dom.innerHTML = html; // made by markup in Go, which escapes all text
        return {dom};
      },
    };
  });
}

function completionSource(go) {
  return (context) => {
    if (!context.explicit && !context.matchBefore(/[\w.]$/)) return null;
    const json = go.complete(context.state.doc.toString(), context.pos);
    if (!json) return null;
    return {...JSON.parse(json), validFor: /^[\w.]*$/};
  };
}

globalThis.swizzleEditor = (parent, go) => {
  const extensions = [
    lineNumbers(), lintGutter(), highlightActiveLineGutter(), highlightSpecialChars(), history(), drawSelection(),
    EditorState.allowMultipleSelections.of(true), colourField(go), foldField, linkField, hoverSource(go),
    EditorView.clipboardInputFilter.of((text, state) => {
      const {from, to} = state.selection.main;
      const rest = state.sliceDoc(0, from) + state.sliceDoc(to);
      return rest.trim() ? text : go.pasted(text);
    }),
    autocompletion({override: [completionSource(go)], icons: false}),
    keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap, ...lintKeymap]),
    EditorView.contentAttributes.of({"aria-label": "Shader source", autocapitalize: "off", spellcheck: "false"}),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) queueMicrotask(() => go.changed(view.state.doc.toString()));
      if (update.selectionSet || update.docChanged) queueMicrotask(() => go.caret(view.state.selection.main.head));
    }),
  ];
  const states = new Map(); // by name: each text keeps its own undo history
  let current = "";
  const fresh = (text) => EditorState.create({doc: text, extensions});
  const view = new EditorView({state: fresh(""), parent});
  return {
    // open shows the text called name. It keeps the history when that text was open before and is unchanged.
    open(name, text) {
      if (current) states.set(current, view.state);
      const old = states.get(name);
      current = name;
      view.setState(old && old.doc.toString() === text ? old : fresh(text));
    },
    forget() {
      states.clear();
      current = "";
    },
    // edit replaces a piece of the text as one step of the history, and selects [anchor, head].
    edit(from, to, insert, anchor, head) {
      view.dispatch({
        changes: {from, to, insert}, selection: {anchor, head}, userEvent: "input.word",
        annotations: isolateHistory.of("full"), scrollIntoView: true,
      });
    },
    links(lineFrom, lineTo, partFrom, partTo) {
      view.dispatch({effects: setLinks.of([lineFrom, lineTo, partFrom, partTo])});
    },
    // diagnostics takes JSON [{from, to, severity, message}].
    diagnostics(json) {
      const length = view.state.doc.length;
      const list = JSON.parse(json).map((d) => ({...d, from: Math.min(d.from, length), to: Math.min(d.to, length)}));
      view.dispatch(setDiagnostics(view.state, list));
    },
    select(anchor, head) {
      view.dispatch({selection: {anchor, head}, scrollIntoView: true});
    },
    reveal(pos) {
      view.dispatch({effects: EditorView.scrollIntoView(pos, {y: "nearest"})});
    },
    text: () => view.state.doc.toString(),
    undo: () => undo(view),
    redo: () => redo(view),
    nextProblem: () => nextDiagnostic(view),
    closeCompletion: () => closeCompletion(view),
    focus: () => view.focus(),
    hasFocus: () => view.hasFocus,
  };
};
