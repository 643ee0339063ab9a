// Package codes knows the messages of the panel by their codes.
package codes

// Text is what a code means.
func Text(code string) (string, bool) {
	text, found := table[code]
	return text, found
}

// All gives the number of codes.
func All() int { return len(table) }
