// Package vehicle has what drives on board.
package vehicle

import "fmt"

// Kind of a vehicle.
type Kind string

// The kinds the ferry takes.
const (
	Car        Kind = "car"
	Van        Kind = "van"
	Motorcycle Kind = "motorcycle"
	Trailer    Kind = "car with trailer"
)

// Vehicle is one of them with its length in decimetres. The zero Vehicle is
// none: a party on foot.
type Vehicle struct {
	Kind   Kind
	Length int
}

// None says whether there is no vehicle.
func (v Vehicle) None() bool { return v.Kind == "" }

// Usual gives the usual length of a kind.
func Usual(kind string) (Vehicle, error) {
	switch Kind(kind) {
	case Car:
		return Vehicle{Car, 45}, nil
	case Van:
		return Vehicle{Van, 60}, nil
	case Motorcycle:
		return Vehicle{Motorcycle, 22}, nil
	case Trailer:
		return Vehicle{Trailer, 95}, nil
	}
	return Vehicle{}, fmt.Errorf("no such vehicle: %q", kind)
}
