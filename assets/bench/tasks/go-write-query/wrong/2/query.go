// Package query reads what people type into the search box of the book shelf.
package query

import (
	"errors"
	"regexp"
	"strings"
)

var pattern = regexp.MustCompile(`^([a-zA-Z]+)([:<>])(.*)$`)

// MaxTerms is how many terms one search may have.
const MaxTerms = @@MAX@@

// What can be wrong with a search.
var (
	ErrQuote = errors.New("a quote is not closed")
	ErrValue = errors.New("a field has no value")
	ErrMany  = errors.New("too many terms")
)

// Term is one condition of a search.
type Term struct {
	Not   bool   // the books must not match
	Field string // in lower case; "" for a plain word
	Op    string // ":", "<" or ">"; "" for a plain word
	Value string
}

// @@FN@@ splits a search into its terms.
//
// Terms are separated by blanks or tabs; several of them count as one.
//
//   - A term is a plain word, or a field: a name, an operator (":", "<" or ">"),
//     and a value, as in `year>1990`. The first operator of a term counts, the
//     value may hold further ones.
//   - A name has letters a-z and A-Z only, and at least one. What stands before
//     the first operator decides: if it is no such name, the whole term is a
//     plain word (`12:30`, `<b`).
//   - "@@NEG@@" as the first character of a term means Not and does not belong to the
//     rest. A "@@NEG@@" all alone is a plain word.
//   - Double quotes keep what is inside together, blanks, operators and "@@NEG@@"
//     included, without any meaning. They may stand anywhere in a term
//     (`by:"Ann Lee"`, `sea"side road"s`) and do not belong to the value. A
//     backslash inside quotes takes the next character as it is (`\"`, `\\`);
//     outside it is a character like any other.
//   - A term of which nothing is left but quotes is a plain word with the empty
//     value (`""`), and a field can have the empty value when quoted (`by:""`).
//
// Faults: ErrQuote for a quote that is not closed, ErrValue for a field with
// nothing at all behind its operator, ErrMany for more than MaxTerms terms. If
// there are several, the one furthest left in the search is returned. With a
// fault the terms are nil.
func @@FN@@(search string) ([]Term, error) {
	var terms []Term
	var current strings.Builder
	inside, some := false, false
	flush := func() error {
		if !some {
			return nil
		}
		text := current.String()
		current.Reset()
		some = false
		var term Term
		if len(text) > 1 && strings.HasPrefix(text, "@@NEG@@") {
			term.Not = true
			text = text[1:]
		}
		if m := pattern.FindStringSubmatch(text); m != nil {
			if m[3] == "" {
				return ErrValue
			}
			term.Field, term.Op, text = strings.ToLower(m[1]), m[2], m[3]
		}
		term.Value = text
		terms = append(terms, term)
		if len(terms) > MaxTerms {
			return ErrMany
		}
		return nil
	}
	for i := 0; i < len(search); i++ {
		c := search[i]
		switch {
		case inside && c == '\\' && i+1 < len(search):
			i++
			current.WriteByte(search[i])
		case c == '"':
			inside = !inside
			some = true
		case !inside && (c == ' ' || c == '\t'):
			if err := flush(); err != nil {
				return nil, err
			}
		default:
			current.WriteByte(c)
			some = true
		}
	}
	if inside {
		return nil, ErrQuote
	}
	if err := flush(); err != nil {
		return nil, err
	}
	return terms, nil
}
