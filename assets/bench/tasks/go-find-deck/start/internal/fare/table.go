// Package fare has prices, in cents.
package fare

import "ferry/internal/vehicle"

const (
	adult    = 640
	child    = 310
	islander = 250
)

// perMetre is what each begun metre of a vehicle costs.
const perMetre = 290

func vehicleFare(v vehicle.Vehicle) int {
	if v.None() {
		return 0
	}
	if v.Kind == vehicle.Motorcycle {
		return 700
	}
	return (v.Length + 9) / 10 * perMetre
}
