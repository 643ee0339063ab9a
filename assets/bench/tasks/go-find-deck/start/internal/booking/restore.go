package booking

import "ferry/internal/vehicle"

// Restore takes over bookings that were written down before. Those that ended
// are kept for the lists and need no room.
func (o *Office) Restore(all []*Booking) error {
	for _, b := range all {
		if b.Live() {
			if err := o.Decks.Take(b.Sailing, vehicle.Footprint(b.Vehicle)); err != nil {
				return err
			}
		}
		o.bookings[b.Number] = b
		o.order = append(o.order, b.Number)
	}
	return nil
}
