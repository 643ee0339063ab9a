// Package booking keeps bookings and what becomes of them.
package booking

import (
	"ferry/internal/clock"
	"ferry/internal/passenger"
	"ferry/internal/vehicle"
)

// State of a booking.
type State int

// A booking is held until it is paid for; it ends by being cancelled or, if
// nobody paid in time, by expiring.
const (
	Held State = iota
	Paid
	Cancelled
	Expired
)

// Booking is the place of one party on one sailing.
type Booking struct {
	Number  string
	Sailing string
	Party   passenger.Party
	Vehicle vehicle.Vehicle
	Price   int
	Until   clock.Time
	State   State
}

// Live says whether the booking still stands.
func (b *Booking) Live() bool { return b.State == Held || b.State == Paid }
