package codes

import "testing"

func TestText(t *testing.T) {
	if text, found := Text("E11"); !found || text != "main engine: oil pressure low" {
		t.Errorf("got %q", text)
	}
	if _, found := Text("E99"); found {
		t.Error("E99 was found")
	}
}
