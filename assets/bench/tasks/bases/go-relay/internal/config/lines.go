package config

import (
	"fmt"
	"strings"
)

// Error is a mistake in a config file.
type Error struct {
	Line    int
	Message string
}

func (e *Error) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Message) }

func fault(line int, format string, values ...any) error {
	return &Error{Line: line, Message: fmt.Sprintf(format, values...)}
}

// block is a part in curly brackets.
type block struct {
	kind, name string
	line       int
	settings   []setting
}

// setting is a line in a block: a key, and the rest as it stands there.
type setting struct {
	key, value string
	line       int
}

// blocks cuts the text of a config into its blocks.
func blocks(text string) ([]block, error) {
	var found []block
	var open *block
	for index, raw := range strings.Split(text, "\n") {
		number := index + 1
		line := strings.TrimSpace(withoutComment(raw))
		switch {
		case line == "":
		case open == nil:
			if !strings.HasSuffix(line, "{") {
				return nil, fault(number, "a block is expected: 'queue NAME {'")
			}
			words := strings.Fields(strings.TrimSuffix(line, "{"))
			if len(words) == 0 || len(words) > 2 {
				return nil, fault(number, "a block has a kind and a name")
			}
			open = &block{kind: words[0], line: number}
			if len(words) == 2 {
				open.name = words[1]
			}
		case line == "}":
			found = append(found, *open)
			open = nil
		default:
			key, value, _ := strings.Cut(line, " ")
			open.settings = append(open.settings, setting{key, strings.TrimSpace(value), number})
		}
	}
	if open != nil {
		return nil, fault(open.line, "the block is not closed")
	}
	return found, nil
}

// withoutComment cuts off what follows a '#', unless it is quoted or part of a
// pattern: a comment begins the line or follows a blank and is followed by one.
func withoutComment(line string) string {
	quoted := false
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '"':
			quoted = !quoted
		case line[i] == '#' && !quoted:
			before := strings.TrimSpace(line[:i]) == "" || line[i-1] == ' ' || line[i-1] == '\t'
			after := i+1 == len(line) || line[i+1] == ' '
			if before && after && !strings.HasSuffix(strings.TrimSpace(line[:i]), "match") {
				return line[:i]
			}
		}
	}
	return line
}
