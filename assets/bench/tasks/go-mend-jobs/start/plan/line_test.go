package plan

import "testing"

func TestLine(t *testing.T) {
	due, name, err := Line("  30 back up ")
	if due != 30 || name != "back up" || err != nil {
		t.Errorf("got %d, %q, %v", due, name, err)
	}
	if _, _, err := Line("soon back up"); err == nil {
		t.Error("no fault")
	}
}
