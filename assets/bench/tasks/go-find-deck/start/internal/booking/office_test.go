package booking

import (
	"testing"

	"ferry/internal/clock"
	"ferry/internal/deck"
	"ferry/internal/passenger"
	"ferry/internal/vehicle"
)

var (
	two = passenger.Party{Adults: 2}
	car = vehicle.Vehicle{Kind: vehicle.Car, Length: 40}
)

func TestBookUntilFull(t *testing.T) {
	o := NewOffice(deck.NewPlan(100))
	for i := 0; i < 2; i++ {
		if _, err := o.Book("@@CODE@@1", two, car, clock.At(5, 0)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := o.Book("@@CODE@@1", two, car, clock.At(5, 0)); err != deck.ErrFull {
		t.Errorf("got %v", err)
	}
}

func TestCancelPaysBack(t *testing.T) {
	o := NewOffice(deck.NewPlan(100))
	b, err := o.Book("@@CODE@@2", two, car, clock.At(5, 0))
	if err != nil {
		t.Fatal(err)
	}
	if err := o.Pay(b.Number); err != nil {
		t.Fatal(err)
	}
	back, err := o.Cancel(b.Number, clock.At(5, 30))
	if err != nil || back != b.Price {
		t.Errorf("got %d, %v", back, err)
	}
	if _, err := o.Cancel(b.Number, clock.At(5, 31)); err == nil {
		t.Error("cancelled twice")
	}
}
