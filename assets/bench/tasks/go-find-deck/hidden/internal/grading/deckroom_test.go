package grading

import (
	"testing"

	"ferry/internal/booking"
	"ferry/internal/clock"
	"ferry/internal/deck"
	"ferry/internal/passenger"
	"ferry/internal/vehicle"
)

var (
	gradeParty = passenger.Party{Adults: 1, Children: 2}
	gradeNow   = clock.At(5, 10)
)

func gradeBook(t *testing.T, o *booking.Office, sailing string, v vehicle.Vehicle) *booking.Booking {
	t.Helper()
	b, err := o.Book(sailing, gradeParty, v, gradeNow)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func gradeCancel(t *testing.T, o *booking.Office, b *booking.Booking) {
	t.Helper()
	if _, err := o.Cancel(b.Number, gradeNow); err != nil {
		t.Fatal(err)
	}
}

func TestCancelledCarLeavesTheDeckAsItWas(t *testing.T) {
	o := booking.NewOffice(deck.NewPlan(300))
	b := gradeBook(t, o, "@@CODE@@3", vehicle.Vehicle{Kind: vehicle.Car, Length: 47})
	if got := o.Decks.Free("@@CODE@@3"); got != 300-47-@@GAP@@ {
		t.Fatalf("free while booked: %d", got)
	}
	gradeCancel(t, o, b)
	if got := o.Decks.Free("@@CODE@@3"); got != 300 {
		t.Errorf("free afterwards: %d", got)
	}
}

func TestAllKindsComeBack(t *testing.T) {
	o := booking.NewOffice(deck.NewPlan(1000))
	stays := gradeBook(t, o, "@@CODE@@1", vehicle.Vehicle{Kind: vehicle.Van, Length: 300})
	before := o.Decks.Free("@@CODE@@1")
	for _, v := range []vehicle.Vehicle{
		{Kind: vehicle.Van, Length: 63},
		{Kind: vehicle.Motorcycle, Length: 21},
		{Kind: vehicle.Motorcycle, Length: 22},
		{Kind: vehicle.Trailer, Length: 101},
	} {
		b := gradeBook(t, o, "@@CODE@@1", v)
		gradeCancel(t, o, b)
		if got := o.Decks.Free("@@CODE@@1"); got != before {
			t.Errorf("%s: %d free instead of %d", v.Kind, got, before)
		}
	}
	if !stays.Live() {
		t.Error("another booking ended")
	}
}

func TestManyCancellations(t *testing.T) {
	o := booking.NewOffice(deck.NewPlan(150))
	for i := 0; i < 60; i++ {
		b := gradeBook(t, o, "@@CODE@@4", vehicle.Vehicle{Kind: vehicle.Car, Length: 140})
		gradeCancel(t, o, b)
	}
	if got := o.Decks.Free("@@CODE@@4"); got != 150 {
		t.Errorf("free: %d", got)
	}
}

func TestExpiredOnesComeBackToo(t *testing.T) {
	o := booking.NewOffice(deck.NewPlan(500))
	gradeBook(t, o, "@@CODE@@2", vehicle.Vehicle{Kind: vehicle.Car, Length: 44})
	gradeBook(t, o, "@@CODE@@2", vehicle.Vehicle{Kind: vehicle.Trailer, Length: 88})
	if got := o.Expire(gradeNow + booking.HoldFor); got != 2 {
		t.Fatalf("expired: %d", got)
	}
	if got := o.Decks.Free("@@CODE@@2"); got != 500 {
		t.Errorf("free: %d", got)
	}
}

func TestDeckStillCountsTheGap(t *testing.T) {
	o := booking.NewOffice(deck.NewPlan(2*50 + 2*@@GAP@@ - 1))
	gradeBook(t, o, "@@CODE@@1", vehicle.Vehicle{Kind: vehicle.Car, Length: 50})
	if _, err := o.Book("@@CODE@@1", gradeParty, vehicle.Vehicle{Kind: vehicle.Car, Length: 50}, gradeNow); err != deck.ErrFull {
		t.Errorf("got %v", err)
	}
}

func TestCancellingOneKeepsTheOthers(t *testing.T) {
	o := booking.NewOffice(deck.NewPlan(400))
	gradeBook(t, o, "@@CODE@@3", vehicle.Vehicle{Kind: vehicle.Trailer, Length: 120})
	b := gradeBook(t, o, "@@CODE@@3", vehicle.Vehicle{Kind: vehicle.Car, Length: 41})
	gradeBook(t, o, "@@CODE@@1", vehicle.Vehicle{Kind: vehicle.Car, Length: 41})
	gradeCancel(t, o, b)
	if got := o.Decks.Free("@@CODE@@3"); got != 400-120-2*@@GAP@@ {
		t.Errorf("free: %d", got)
	}
	if got := o.Decks.Free("@@CODE@@1"); got != 400-41-@@GAP@@ {
		t.Errorf("free on the other: %d", got)
	}
}

func TestFootPassengersTakeNoDeck(t *testing.T) {
	o := booking.NewOffice(deck.NewPlan(100))
	b := gradeBook(t, o, "@@CODE@@4", vehicle.Vehicle{})
	if got := o.Decks.Free("@@CODE@@4"); got != 100 {
		t.Errorf("free: %d", got)
	}
	gradeCancel(t, o, b)
	if got := o.Decks.Free("@@CODE@@4"); got != 100 {
		t.Errorf("free afterwards: %d", got)
	}
}
