package units

import (
	"testing"
	"time"
)

func TestSizes(t *testing.T) {
	for text, want := range map[string]int{"0": 0, "512": 512, "64k": 65536, "2m": 2097152} {
		if got, err := Size(text); err != nil || got != want {
			t.Errorf("%s: %d, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "k", "-1", "1.5k", "9999m", "3g"} {
		if _, err := Size(text); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}

func TestDurationsComeBackShort(t *testing.T) {
	for _, text := range []string{"250ms", "1s", "1m30s", "5m", "2h", "1h1m", "0s"} {
		duration, err := Duration(text)
		if err != nil || Short(duration) != text {
			t.Errorf("%s: %s, %v", text, Short(duration), err)
		}
	}
	if _, err := Duration("-1s"); err == nil {
		t.Error("a negative duration was read")
	}
	if Short(90*time.Minute) != "1h30m" {
		t.Error(Short(90 * time.Minute))
	}
}
