package fare

import "ferry/internal/clock"

// Refund is what is paid back for a cancellation: all until two hours before
// the departure, half until the departure, then nothing.
func Refund(paid int, now, depart clock.Time) int {
	switch {
	case now+120 <= depart:
		return paid
	case now < depart:
		return paid / 2
	}
	return 0
}
