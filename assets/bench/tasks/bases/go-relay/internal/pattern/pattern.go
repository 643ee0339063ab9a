// Package pattern matches topics. In a pattern, "*" stands for one part of a topic
// and "#" for any number of them, none included.
package pattern

import (
	"fmt"
	"strings"
)

// Pattern is a pattern that was read.
type Pattern struct {
	text  string
	parts []string
}

// Parse reads a pattern such as "meters.*.cold" or "meters.#".
func Parse(text string) (Pattern, error) {
	parts := strings.Split(text, ".")
	for _, part := range parts {
		if part == "" {
			return Pattern{}, fmt.Errorf("pattern %q has an empty part", text)
		}
		if len(part) > 1 && strings.ContainsAny(part, "*#") {
			return Pattern{}, fmt.Errorf("pattern %q: '*' and '#' stand alone in their part", text)
		}
	}
	return Pattern{text: text, parts: parts}, nil
}

// String is the pattern as it was written.
func (p Pattern) String() string { return p.text }

// Matches says whether a topic fits. Case counts.
func (p Pattern) Matches(topic string) bool {
	return match(p.parts, strings.Split(topic, "."))
}

func match(pattern, topic []string) bool {
	if len(pattern) == 0 {
		return len(topic) == 0
	}
	if pattern[0] == "#" {
		for skipped := 0; skipped <= len(topic); skipped++ {
			if match(pattern[1:], topic[skipped:]) {
				return true
			}
		}
		return false
	}
	if len(topic) == 0 || (pattern[0] != "*" && pattern[0] != topic[0]) {
		return false
	}
	return match(pattern[1:], topic[1:])
}

// Narrower says whether p says more about its topics than other: more parts that
// are spelled out, then fewer "#", then more parts.
func (p Pattern) Narrower(other Pattern) bool {
	literal, open := p.count()
	otherLiteral, otherOpen := other.count()
	if literal != otherLiteral {
		return literal > otherLiteral
	}
	if open != otherOpen {
		return open < otherOpen
	}
	return len(p.parts) > len(other.parts)
}

func (p Pattern) count() (literal, open int) {
	for _, part := range p.parts {
		switch part {
		case "*":
		case "#":
			open++
		default:
			literal++
		}
	}
	return literal, open
}
