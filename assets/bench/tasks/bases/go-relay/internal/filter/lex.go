package filter

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

type token struct {
	kind string // "word", "text", or the sign itself
	text string
}

// lex cuts a condition into words, quoted texts and signs.
func lex(source string) ([]token, error) {
	var tokens []token
	rest := strings.TrimSpace(source)
	for rest != "" {
		taken, length, err := next(rest)
		if err != nil {
			return nil, err
		}
		tokens = append(tokens, taken)
		rest = strings.TrimSpace(rest[length:])
	}
	return tokens, nil
}

func next(rest string) (token, int, error) {
	if rest[0] == '"' {
		quoted, err := strconv.QuotedPrefix(rest)
		if err != nil {
			return token{}, 0, fmt.Errorf("a text has no closing quote: %s", rest)
		}
		plain, err := strconv.Unquote(quoted)
		return token{"text", plain}, len(quoted), err
	}
	for _, sign := range []string{"==", "!=", "<=", ">=", "<", ">", "~", "(", ")"} {
		if strings.HasPrefix(rest, sign) {
			return token{sign, sign}, len(sign), nil
		}
	}
	length := strings.IndexFunc(rest, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '_' && r != '.'
	})
	if length < 0 {
		length = len(rest)
	}
	if length == 0 {
		return token{}, 0, fmt.Errorf("%q is not expected", rest[:1])
	}
	return token{"word", rest[:length]}, length, nil
}
