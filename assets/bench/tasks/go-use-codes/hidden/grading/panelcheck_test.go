package grading

import (
	"os"
	"strings"
	"testing"

	"panel/codes"
	"panel/tools/gencodes/table"
)

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("../" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestOldOnesAreUnchanged(t *testing.T) {
	for code, want := range map[string]string{
		"P03": "electric power: shore power lost",
		"P04": "electric power: inverter hot",
		"E12": "main engine: coolant hot",
		"E13": "main engine: exhaust hot",
		"N21": "navigation and lights: anchor light out",
		"N22": "navigation and lights: compass not calibrated",
		"W31": "fresh and waste water: tank nearly empty",
		"W32": "fresh and waste water: pump runs dry",
	} {
		if text, found := codes.Text(code); !found || text != want {
			t.Errorf("%s: %q", code, text)
		}
	}
}

func TestNewMessages(t *testing.T) {
	if text, found := codes.Text("P17"); !found || text != "electric power: battery low" {
		t.Errorf("P17: %q", text)
	}
	letter := ""
	for _, line := range strings.Split(read(t, "messages/groups.txt"), "\n") {
		if fields := strings.Fields(line); len(fields) > 2 && fields[1] == "winch" {
			letter = fields[0]
		}
	}
	text, found := codes.Text(letter + "@@NUM@@")
	if letter == "" || !found || !strings.HasSuffix(text, ": @@TEXT@@") {
		t.Errorf("%s@@NUM@@: %q", letter, text)
	}
	if codes.All() != 11 {
		t.Errorf("%d codes", codes.All())
	}
}

func TestTableIsWhatTheGeneratorWrites(t *testing.T) {
	want, err := table.Make(read(t, "messages/groups.txt"), read(t, "messages/messages.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if read(t, "codes/table.go") != want {
		t.Error("codes/table.go is not up to date")
	}
}

func TestLettersAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for _, line := range strings.Split(read(t, "messages/groups.txt"), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if seen[line[:1]] {
			t.Errorf("%s twice", line[:1])
		}
		seen[line[:1]] = true
	}
}
