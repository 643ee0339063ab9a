// Package ticket makes numbers that can be typed without mistake.
package ticket

import "fmt"

// Number gives the n-th ticket a number with a check digit.
func Number(n int) string { return fmt.Sprintf("%06d-%d", n, check(n)) }

// Valid says whether a number was typed correctly.
func Valid(text string) bool {
	var n, digit int
	if _, err := fmt.Sscanf(text, "%06d-%d", &n, &digit); err != nil {
		return false
	}
	return len(text) == 8 && digit == check(n)
}

func check(n int) int {
	sum := 0
	for weight := 2; n > 0; weight++ {
		sum += n % 10 * weight
		n /= 10
	}
	return sum % 10
}
