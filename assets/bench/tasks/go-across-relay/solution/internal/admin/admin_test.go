package admin

import (
	"strings"
	"testing"
	"time"

	"relay/internal/clock"
	"relay/internal/config"
	"relay/internal/engine"
)

const text = `relay {
  name t
  unrouted rest
}
queue work {
  retry fixed first 1m attempts 2
  dead rest
  sink reject "gone fishing"
}
queue rest {
}
rule jobs {
  match jobs.#
  when not test
  to work
}
rule spam {
  match spam
  drop
}
`

func talk(t *testing.T, lines ...string) []string {
	t.Helper()
	c, err := config.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	now := clock.NewManual(time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC))
	e, err := engine.New(c, engine.Options{Clock: now})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	var out strings.Builder
	if err := New(e, now, &out).Run(strings.NewReader(strings.Join(lines, "\n"))); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

func expect(t *testing.T, got []string, want ...string) {
	t.Helper()
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("answers:\n%s", strings.Join(got, "\n"))
	}
}

func TestALife(t *testing.T) {
	expect(t, talk(t, "publish jobs.a size-class=big -- one -- two", "pump", "peek work", "due", "advance 1m", "pump", "queues", "peek rest 5", "requeue rest", "due"),
		"t-000001 to work", "ok",
		"1 attempts", "ok",
		`t-000001 jobs.a attempts=1 due in 1m0s size-class="big"`, "ok",
		"in 1m0s", "ok",
		"ok",
		"1 attempts", "ok",
		"work waiting=0 delivered=0 failed=1 dead=1 @@EVENT@@=0", "rest waiting=1 delivered=0 failed=0 dead=0 @@EVENT@@=0", "ok",
		`t-000001 jobs.a attempts=0 due now dead-from="work" dead-reason="gone fishing" size-class="big"`, "ok",
		"1 messages are back", "ok",
		"now", "ok")
}

func TestWhereMessagesGo(t *testing.T) {
	expect(t, talk(t, "route jobs.a", "route jobs.a test=1", "route spam", "publish spam", "quit", "pump"),
		"to work by jobs", "ok", "to rest by no rule", "ok", "dropped by spam", "ok", "t-000001 dropped", "ok")
}

func TestMistakes(t *testing.T) {
	expect(t, talk(t, "fly", "# nothing", "publish", "publish a b", "peek none", "advance soon", "peek work x"),
		`error: there is no command "fly"; try 'help'`,
		"error: a topic is missing",
		`error: "b" is no header; a header is NAME=VALUE`,
		"error: there is no such queue: none",
		`error: "soon" is no duration`,
		`error: "x" is no count`)
}
