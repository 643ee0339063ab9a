package fare

import (
	"fmt"

	"ferry/internal/passenger"
	"ferry/internal/vehicle"
)

// Quote is the price of a crossing.
func Quote(v vehicle.Vehicle, p passenger.Party) int {
	heads := (p.Adults-p.Islanders)*adult + p.Islanders*islander + p.Children*child
	return discount(heads, p) + vehicleFare(v)
}

// discount takes a tenth off for groups.
func discount(amount int, p passenger.Party) int {
	if p.Size() >= 10 {
		return amount - amount/10
	}
	return amount
}

// Money writes cents as "12.40".
func Money(cents int) string { return fmt.Sprintf("%d.%02d", cents/100, cents%100) }
