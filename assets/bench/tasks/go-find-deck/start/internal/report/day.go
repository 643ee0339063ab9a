// Package report writes lists for the office.
package report

import (
	"fmt"

	"ferry/internal/booking"
	"ferry/internal/fare"
)

// Day lists the bookings of a sailing that still stand.
func Day(o *booking.Office, sailing string) []string {
	var lines []string
	for _, b := range o.All() {
		if b.Sailing != sailing || !b.Live() {
			continue
		}
		what := "on foot"
		if !b.Vehicle.None() {
			what = string(b.Vehicle.Kind)
		}
		lines = append(lines, fmt.Sprintf("%s  %2d  %-16s %8s", b.Number, b.Party.Size(), what, fare.Money(b.Price)))
	}
	return append(lines, fmt.Sprintf("deck: %d dm free", o.Decks.Free(sailing)))
}
