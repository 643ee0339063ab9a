package replay

import (
	"strings"
	"testing"

	"relay/internal/config"
	"relay/internal/journal"
	"relay/internal/message"
)

const text = `queue a {
}
rule first {
  match x.*
  when loud
  priority 1
  to a
  stop
}
rule second {
  match x.y
  to a
}
`

func TestReplay(t *testing.T) {
	c, err := config.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	loud := &message.Message{ID: "m-1", Topic: "x.z", Headers: map[string]string{"loud": "1"}}
	quiet := &message.Message{ID: "m-2", Topic: "x.z"}
	records := []journal.Record{
		{Kind: journal.Accepted, Message: loud},
		{Kind: journal.Delivered},
		{Kind: journal.Accepted, Message: quiet},
	}
	var out strings.Builder
	Write(&out, Run(c, records))
	want := "m-1        x.z                          a\nm-2        x.z                          (dropped)\n1 to (dropped)\n1 to a\n"
	if out.String() != want {
		t.Errorf("%q", out.String())
	}
	out.Reset()
	Explain(&out, c, quiet)
	for _, line := range []string{"rule first: no: the condition does not hold: loud", "rule second: no: the topic does not match x.y", "goes to (dropped)"} {
		if !strings.Contains(out.String(), line) {
			t.Errorf("%q is not in\n%s", line, out.String())
		}
	}
}
