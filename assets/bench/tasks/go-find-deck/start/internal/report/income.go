package report

import "ferry/internal/booking"

// Income is the sum of what was paid for a sailing.
func Income(o *booking.Office, sailing string) int {
	sum := 0
	for _, b := range o.All() {
		if b.Sailing == sailing && b.State == booking.Paid {
			sum += b.Price
		}
	}
	return sum
}
