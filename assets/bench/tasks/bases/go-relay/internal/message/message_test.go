package message

import (
	"errors"
	"reflect"
	"testing"
	"time"
)

func TestWhatIsEncodedComesBack(t *testing.T) {
	born := time.Date(2024, 3, 1, 12, 0, 0, 5e6, time.UTC)
	for _, m := range []*Message{
		{ID: "m-1", Topic: "a.b", Body: []byte("x"), Born: born, Headers: map[string]string{}},
		{ID: "m-2", Topic: "", Body: []byte("tab\tline\nnul\x00 \"q\""), Born: born, Due: born.Add(time.Minute), Attempts: 3,
			Headers: map[string]string{"kind": "a=b", "od\"d=": "\t"}},
	} {
		got, err := Decode(Encode(m))
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, m) {
			t.Errorf("%+v became %+v", m, got)
		}
	}
}

func TestOtherLinesAreRefused(t *testing.T) {
	good := Encode(&Message{ID: "m-1", Topic: "a"})
	for _, line := range []string{"", "x", good[1:], good + "\tkind", "\"a\"\t\"b\"\tx\t0\t0\t\"\""} {
		if _, err := Decode(line); !errors.Is(err, ErrEncoding) {
			t.Errorf("%q: %v", line, err)
		}
	}
}

func TestClonesShareNothing(t *testing.T) {
	m := &Message{ID: "m-1", Body: []byte("abc"), Headers: map[string]string{"a": "1"}}
	other := m.Clone()
	other.Body[0] = 'x'
	other.SetHeader("a", "2")
	if string(m.Body) != "abc" || m.Headers["a"] != "1" {
		t.Errorf("the original changed: %+v", m)
	}
}
