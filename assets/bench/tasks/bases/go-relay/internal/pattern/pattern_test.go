package pattern

import "testing"

func parse(t *testing.T, text string) Pattern {
	t.Helper()
	p, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestTopicsThatFit(t *testing.T) {
	for _, c := range []struct {
		pattern, topic string
		want           bool
	}{
		{"a.b", "a.b", true},
		{"a.b", "a.B", false},
		{"a.*", "a.b", true},
		{"a.*", "a", false},
		{"a.*", "a.b.c", false},
		{"a.#", "a", true},
		{"a.#", "a.b.c", true},
		{"#.c", "a.b.c", true},
		{"#.c", "c", true},
		{"a.#.c", "a.c", true},
		{"a.#.c.*", "a.c.c.d", true},
		{"#", "", true},
	} {
		if got := parse(t, c.pattern).Matches(c.topic); got != c.want {
			t.Errorf("%s and %s: %v", c.pattern, c.topic, got)
		}
	}
}

func TestNonsenseIsRefused(t *testing.T) {
	for _, text := range []string{"", "a..b", ".a", "a*", "##"} {
		if _, err := Parse(text); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}

func TestNarrowerOnes(t *testing.T) {
	order := []string{"a.b.c", "a.b", "a.*.*", "a.*", "a.#", "*.*", "*", "#"}
	for i, text := range order {
		for _, later := range order[i+1:] {
			if !parse(t, text).Narrower(parse(t, later)) || parse(t, later).Narrower(parse(t, text)) {
				t.Errorf("%s and %s", text, later)
			}
		}
	}
}
