package vehicle

import "testing"

func TestFootprint(t *testing.T) {
	if got := Footprint(Vehicle{Car, 40}); got != 40+Gap {
		t.Errorf("car: %d", got)
	}
	if got := Footprint(Vehicle{Trailer, 90}); got != 90+2*Gap {
		t.Errorf("trailer: %d", got)
	}
	if got := Footprint(Vehicle{}); got != 0 {
		t.Errorf("none: %d", got)
	}
}
