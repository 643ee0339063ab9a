package deck

import "testing"

func TestTakeAndGive(t *testing.T) {
	p := NewPlan(100)
	if err := p.Take("a", 60); err != nil {
		t.Fatal(err)
	}
	if err := p.Take("a", 41); err != ErrFull {
		t.Errorf("got %v", err)
	}
	p.Give("a", 60)
	if p.Free("a") != 100 || p.Free("b") != 100 {
		t.Error("room is lost")
	}
}
