package ticket

import "testing"

func TestNumber(t *testing.T) {
	if got := Number(1204); got != "001204-1" || !Valid(got) {
		t.Errorf("got %s", got)
	}
	if Valid("001240-1") {
		t.Error("swapped digits were taken")
	}
}
