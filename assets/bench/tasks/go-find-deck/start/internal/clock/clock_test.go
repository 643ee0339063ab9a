package clock

import "testing"

func TestParse(t *testing.T) {
	got, err := Parse("8:05")
	if err != nil || got != At(8, 5) || got.String() != "08:05" {
		t.Errorf("got %v, %v", got, err)
	}
	if _, err := Parse("24:00"); err == nil {
		t.Error("24:00 was taken")
	}
}
