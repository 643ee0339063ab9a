package booking

import (
	"errors"
	"fmt"

	"ferry/internal/clock"
	"ferry/internal/deck"
	"ferry/internal/fare"
	"ferry/internal/passenger"
	"ferry/internal/ticket"
	"ferry/internal/timetable"
	"ferry/internal/vehicle"
)

// HoldFor is how long a place is kept unpaid, in minutes.
const HoldFor = 30

// Office takes bookings.
type Office struct {
	Decks    *deck.Plan
	bookings map[string]*Booking
	order    []string
}

// NewOffice has no bookings yet.
func NewOffice(decks *deck.Plan) *Office {
	return &Office{Decks: decks, bookings: map[string]*Booking{}}
}

// Book keeps a place.
func (o *Office) Book(sailing string, p passenger.Party, v vehicle.Vehicle, now clock.Time) (*Booking, error) {
	if _, found := timetable.Find(sailing); !found {
		return nil, fmt.Errorf("no such sailing: %q", sailing)
	}
	if !p.Valid() {
		return nil, errors.New("somebody of age has to travel with them")
	}
	if err := o.Decks.Take(sailing, v.Length); err != nil {
		return nil, err
	}
	b := &Booking{
		Number:  ticket.Number(len(o.order) + 1),
		Sailing: sailing,
		Party:   p,
		Vehicle: v,
		Price:   fare.Quote(v, p),
		Until:   now + HoldFor,
	}
	o.bookings[b.Number] = b
	o.order = append(o.order, b.Number)
	return b, nil
}

// Pay settles a booking.
func (o *Office) Pay(number string) error {
	b, found := o.bookings[number]
	if !found || b.State != Held {
		return fmt.Errorf("nothing to pay for %s", number)
	}
	b.State = Paid
	return nil
}

// All bookings in the order they were made.
func (o *Office) All() []*Booking {
	var all []*Booking
	for _, number := range o.order {
		all = append(all, o.bookings[number])
	}
	return all
}
