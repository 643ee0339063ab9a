// Package filter has conditions on messages, as they stand behind "when" in rules:
//
//	kind == "reading" and not (site ~ "test" or size > 4k)
//
// A name alone asks whether there is such a header. "~" asks whether a header has a
// text in it, in any case. "size" is the length of the body, "topic" the topic, and
// "attempts" the number of failed deliveries; all others are headers.
package filter

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"relay/internal/message"
	"relay/internal/units"
)

// Filter is a condition that was read. The zero value lets everything through.
type Filter struct {
	source string
	root   node
}

type node interface {
	holds(m *message.Message) bool
}

// Parse reads a condition.
func Parse(source string) (Filter, error) {
	tokens, err := lex(source)
	if err != nil {
		return Filter{}, err
	}
	p := parser{tokens: tokens}
	root, err := p.either()
	if err != nil {
		return Filter{}, err
	}
	if p.at < len(p.tokens) {
		return Filter{}, fmt.Errorf("%q is not expected", p.tokens[p.at].text)
	}
	return Filter{source: source, root: root}, nil
}

// String is the condition as it was written.
func (f Filter) String() string { return f.source }

// Holds says whether the condition holds for a message.
func (f Filter) Holds(m *message.Message) bool {
	return f.root == nil || f.root.holds(m)
}

type parser struct {
	tokens []token
	at     int
}

// word says whether the next token is this word, and goes past it if so.
func (p *parser) word(text string) bool {
	if p.at < len(p.tokens) && p.tokens[p.at] == (token{"word", text}) {
		p.at++
		return true
	}
	return false
}

func (p *parser) take() (token, error) {
	if p.at >= len(p.tokens) {
		return token{}, errors.New("the condition ends too early")
	}
	p.at++
	return p.tokens[p.at-1], nil
}

func (p *parser) either() (node, error) {
	left, err := p.both()
	for err == nil && p.word("or") {
		var right node
		right, err = p.both()
		left = or{left, right}
	}
	return left, err
}

func (p *parser) both() (node, error) {
	left, err := p.single()
	for err == nil && p.word("and") {
		var right node
		right, err = p.single()
		left = and{left, right}
	}
	return left, err
}

func (p *parser) single() (node, error) {
	if p.word("not") {
		inner, err := p.single()
		return not{inner}, err
	}
	name, err := p.take()
	if err != nil {
		return nil, err
	}
	if name.kind == "(" {
		inner, err := p.either()
		if err != nil {
			return nil, err
		}
		if closing, err := p.take(); err != nil || closing.kind != ")" {
			return nil, errors.New("a bracket is not closed")
		}
		return inner, nil
	}
	if name.kind != "word" {
		return nil, fmt.Errorf("%q is not expected", name.text)
	}
	if p.at == len(p.tokens) {
		return exists{name.text}, nil
	}
	switch sign := p.tokens[p.at].kind; sign {
	case "==", "!=", "~", "<", "<=", ">", ">=":
		p.at++
		return p.comparison(name.text, sign)
	}
	return exists{name.text}, nil
}

func (p *parser) comparison(name, sign string) (node, error) {
	value, err := p.take()
	if err != nil {
		return nil, err
	}
	if value.kind != "text" && value.kind != "word" {
		return nil, fmt.Errorf("%q is not expected", value.text)
	}
	switch sign {
	case "==", "!=", "~":
		return textual{name, sign, value.text}, nil
	}
	number, err := strconv.ParseFloat(value.text, 64)
	if err != nil {
		size, err := units.Size(value.text)
		if err != nil {
			return nil, fmt.Errorf("%q is no number", value.text)
		}
		number = float64(size)
	}
	return numeric{name, sign, number}, nil
}

type (
	or      struct{ left, right node }
	and     struct{ left, right node }
	not     struct{ inner node }
	exists  struct{ name string }
	textual struct{ name, sign, value string }
	numeric struct {
		name, sign string
		value      float64
	}
)

func (n or) holds(m *message.Message) bool  { return n.left.holds(m) || n.right.holds(m) }
func (n and) holds(m *message.Message) bool { return n.left.holds(m) && n.right.holds(m) }
func (n not) holds(m *message.Message) bool { return !n.inner.holds(m) }

func (n exists) holds(m *message.Message) bool {
	_, found := lookUp(m, n.name)
	return found
}

func (n textual) holds(m *message.Message) bool {
	value, found := lookUp(m, n.name)
	switch n.sign {
	case "==":
		return found && value == n.value
	case "!=":
		return !found || value != n.value
	default:
		return found && strings.Contains(strings.ToLower(value), strings.ToLower(n.value))
	}
}

// A header that is no number is neither more nor less than one.
func (n numeric) holds(m *message.Message) bool {
	text, found := lookUp(m, n.name)
	value, err := strconv.ParseFloat(text, 64)
	if !found || err != nil {
		return false
	}
	switch n.sign {
	case "<":
		return value < n.value
	case "<=":
		return value <= n.value
	case ">":
		return value > n.value
	default:
		return value >= n.value
	}
}

func lookUp(m *message.Message, name string) (string, bool) {
	switch name {
	case "size":
		return strconv.Itoa(len(m.Body)), true
	case "topic":
		return m.Topic, true
	case "attempts":
		return strconv.Itoa(m.Attempts), true
	}
	value, found := m.Headers[name]
	return value, found
}
