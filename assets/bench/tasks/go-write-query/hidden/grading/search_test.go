package grading

import (
	"strings"
	"testing"

	"shelf/query"
)

func check(t *testing.T, search string, want ...query.Term) {
	t.Helper()
	got, err := query.@@FN@@(search)
	if err != nil {
		t.Errorf("%s: %v", search, err)
		return
	}
	if len(got) != len(want) {
		t.Errorf("%s: got %+v", search, got)
		return
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("%s: got %+v instead of %+v", search, got[i], want[i])
		}
	}
}

func word(value string) query.Term { return query.Term{Value: value} }

func field(name, op, value string) query.Term {
	return query.Term{Field: name, Op: op, Value: value}
}

func not(term query.Term) query.Term {
	term.Not = true
	return term
}

func TestPlainWords(t *testing.T) {
	check(t, "")
	check(t, " \t ")
	check(t, "lighthouse", word("lighthouse"))
	check(t, "\tcold \t north  wind ", word("cold"), word("north"), word("wind"))
	check(t, `a\b c\`, word(`a\b`), word(`c\`))
}

func TestFieldsAndOperators(t *testing.T) {
	check(t, "shelf:B4 year<1950 pages>300", field("shelf", ":", "B4"), field("year", "<", "1950"), field("pages", ">", "300"))
	check(t, "link:a:b>c", field("link", ":", "a:b>c"))
	check(t, "x<y:z", field("x", "<", "y:z"))
}

func TestNegation(t *testing.T) {
	check(t, "@@NEG@@war peace", not(word("war")), word("peace"))
	check(t, "@@NEG@@year>1980", not(field("year", ">", "1980")))
	check(t, "@@NEG@@ a", word("@@NEG@@"), word("a"))
	check(t, "well@@NEG@@known", word("well@@NEG@@known"))
	check(t, "@@NEG@@@@NEG@@a", not(word("@@NEG@@a")))
	check(t, `"@@NEG@@a"`, word("@@NEG@@a"))
	check(t, "by:@@NEG@@a", field("by", ":", "@@NEG@@a"))
}

func TestQuotedText(t *testing.T) {
	check(t, `"deep  sea" blue`, word("deep  sea"), word("blue"))
	check(t, `@@NEG@@"deep sea"`, not(word("deep sea")))
	check(t, `title:"the \"old\" \\ man"`, field("title", ":", `the "old" \ man`))
	check(t, `sea"side road"s`, word("seaside roads"))
	check(t, `""`, word(""))
	check(t, `by:""`, field("by", ":", ""))
	check(t, `"by:x"`, word("by:x"))
	check(t, `"a"b"c"`, word("abc"))
	check(t, `by:"a b"c:d e`, field("by", ":", "a bc:d"), word("e"))
}

func TestFieldNames(t *testing.T) {
	check(t, "BY:Lee", field("by", ":", "Lee"))
	check(t, "12:30", word("12:30"))
	check(t, "<b", word("<b"))
	check(t, ":x", word(":x"))
	check(t, "a1:x", word("a1:x"))
	check(t, "a1:b:c", word("a1:b:c"))
	check(t, "é:x", word("é:x"))
	check(t, "12:", word("12:"))
}

func TestFaults(t *testing.T) {
	for search, want := range map[string]error{
		`"open`:          query.ErrQuote,
		`a by:"x`:        query.ErrQuote,
		`"ends with \"`:  query.ErrQuote,
		`by:`:            query.ErrValue,
		`by: x`:          query.ErrValue,
		`@@NEG@@year<`:   query.ErrValue,
		`by: "open`:      query.ErrValue,
		`a "open by: b`:  query.ErrQuote,
		`by:"" year> "x`: query.ErrValue,
	} {
		got, err := query.@@FN@@(search)
		if err != want || got != nil {
			t.Errorf("%s: got %+v, %v", search, got, err)
		}
	}
}

func TestLimit(t *testing.T) {
	most := strings.Repeat("ab ", query.MaxTerms)
	if got, err := query.@@FN@@(most); err != nil || len(got) != query.MaxTerms {
		t.Errorf("%d terms, %v", len(got), err)
	}
	for _, tail := range []string{"c", "by:x", "c d e"} {
		if got, err := query.@@FN@@(most + tail); err != query.ErrMany || got != nil {
			t.Errorf("%s: got %+v, %v", tail, got, err)
		}
	}
	if _, err := query.@@FN@@("by: " + most); err != query.ErrValue {
		t.Errorf("got %v", err)
	}
}
