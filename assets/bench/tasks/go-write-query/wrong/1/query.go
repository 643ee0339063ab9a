// Package query reads what people type into the search box of the book shelf.
package query

import (
	"errors"
	"strings"
)

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
	terms := []Term{}
	for {
		search = strings.TrimLeft(search, " \t")
		if search == "" {
			return terms, nil
		}
		if len(terms) == MaxTerms {
			return nil, ErrMany
		}
		term, rest, err := first(search)
		if err != nil {
			return nil, err
		}
		terms = append(terms, term)
		search = rest
	}
}

// first reads the term at the beginning and returns what follows it.
func first(search string) (Term, string, error) {
	var term Term
	if strings.HasPrefix(search, "@@NEG@@") && len(search) > 1 && search[1] != ' ' && search[1] != '\t' {
		term.Not = true
		search = search[1:]
	}
	var text strings.Builder
	quoted, decided, touched := false, false, false
	i := 0
	for ; i < len(search); i++ {
		c := search[i]
		switch {
		case quoted && c == '\\' && i+1 < len(search):
			i++
			text.WriteByte(search[i])
		case c == '"':
			if !quoted && !decided && text.Len() == 0 {
				decided = true // no name can begin with a quote
			}
			quoted = !quoted
			touched = true
		case quoted:
			text.WriteByte(c)
		case c == ' ' || c == '\t':
			return finish(term, text.String(), touched, search[i:])
		case !decided && (c == ':' || c == '<' || c == '>'):
			decided = true
			if name := search[:i]; isName(name) {
				term.Field = strings.ToLower(name)
				term.Op = string(c)
				text.Reset()
				touched = false
				continue
			}
			text.WriteByte(c)
		default:
			text.WriteByte(c)
		}
	}
	if quoted {
		return Term{}, "", ErrQuote
	}
	return finish(term, text.String(), touched, "")
}

func finish(term Term, value string, touched bool, rest string) (Term, string, error) {
	if term.Field != "" && value == "" {
		return Term{}, "", ErrValue
	}
	term.Value = value
	return term, rest, nil
}

func isName(text string) bool {
	for _, c := range text {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return text != ""
}
