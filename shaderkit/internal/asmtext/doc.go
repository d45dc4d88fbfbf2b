// Package asmtext is what the assembly syntaxes share: comments and a C-like preprocessor that keeps track
// of places.
//
// [Preprocess] turns a text into [Line] values. Comments become blanks of the same length, so a line without
// macros is a piece of the text and its offsets are the text's. A line in which a macro was expanded knows
// for each of its pieces what stands in the text there. Lines of an included file have their place at the
// directive that includes it.
//
//	text ── Blank ── directives ── expansion ── []Line ── the assembler's statements
//
// The directives are #define, #undef, #if, #ifdef, #ifndef, #elif, #else, #endif, #include, #error and
// #line. A backslash joins lines.
//
// #line 20 "name" says what the next line is called. Places stay those of the text, for editors; [Result.Call] gives
// findings the line and the name that people shall read.
package asmtext
