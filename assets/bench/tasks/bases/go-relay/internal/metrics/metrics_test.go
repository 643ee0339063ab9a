package metrics

import "testing"

func TestRender(t *testing.T) {
	r := New()
	r.Describe("taken_total", "messages taken")
	r.Count("taken_total", "")
	r.Count("done_total", "b")
	r.Count("done_total", "a")
	r.Count("done_total", "a")
	r.Gauge("waiting", "a", func() int { return 7 })
	want := "done_total{queue=\"a\"} 2\ndone_total{queue=\"b\"} 1\n# taken_total messages taken\ntaken_total 1\nwaiting{queue=\"a\"} 7\n"
	if got := r.Render(); got != want {
		t.Errorf("%q", got)
	}
	if r.Value("done_total", "a") != 2 || r.Value("none", "a") != 0 {
		t.Error("values differ")
	}
}
