package booking

import (
	"fmt"

	"ferry/internal/clock"
	"ferry/internal/fare"
	"ferry/internal/timetable"
	"ferry/internal/vehicle"
)

// Cancel ends a booking and says how much is paid back.
func (o *Office) Cancel(number string, now clock.Time) (int, error) {
	b, found := o.bookings[number]
	if !found || !b.Live() {
		return 0, fmt.Errorf("nothing to cancel for %s", number)
	}
	back := 0
	if b.State == Paid {
		sailing, _ := timetable.Find(b.Sailing)
		back = fare.Refund(b.Price, now, sailing.Depart)
	}
	o.end(b, Cancelled)
	return back, nil
}

// Expire ends the bookings nobody paid for in time and says how many.
func (o *Office) Expire(now clock.Time) int {
	count := 0
	for _, b := range o.All() {
		if b.State == Held && b.Until <= now {
			o.end(b, Expired)
			count++
		}
	}
	return count
}

func (o *Office) end(b *Booking, state State) {
	b.State = state
	o.Decks.Give(b.Sailing, vehicle.Footprint(b.Vehicle))
}
