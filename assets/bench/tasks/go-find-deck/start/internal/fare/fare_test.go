package fare

import (
	"testing"

	"ferry/internal/clock"
	"ferry/internal/passenger"
	"ferry/internal/vehicle"
)

func TestQuote(t *testing.T) {
	got := Quote(vehicle.Vehicle{Kind: vehicle.Car, Length: 42}, passenger.Party{Adults: 2, Children: 1})
	if got != 2*640+310+5*290 {
		t.Errorf("got %d", got)
	}
}

func TestRefund(t *testing.T) {
	depart := clock.At(12, 0)
	for _, c := range []struct {
		now  clock.Time
		want int
	}{{clock.At(10, 0), 1000}, {clock.At(10, 1), 500}, {clock.At(12, 0), 0}} {
		if got := Refund(1000, c.now, depart); got != c.want {
			t.Errorf("at %v: %d", c.now, got)
		}
	}
}
