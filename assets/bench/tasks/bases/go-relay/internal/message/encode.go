package message

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// ErrEncoding is what every error of Decode wraps.
var ErrEncoding = errors.New("not a message")

// Encode writes a message as one line without its end. Fields are separated by
// tabs; texts are quoted, so that they can hold anything.
func Encode(m *Message) string {
	fields := []string{
		strconv.Quote(m.ID),
		strconv.Quote(m.Topic),
		encodeTime(m.Born),
		strconv.Itoa(m.Attempts),
		encodeTime(m.Due),
		strconv.Quote(string(m.Body)),
	}
	for _, name := range m.HeaderNames() {
		fields = append(fields, strconv.Quote(name)+"="+strconv.Quote(m.Headers[name]))
	}
	return strings.Join(fields, "\t")
}

// Decode reads what Encode has written.
func Decode(line string) (*Message, error) {
	fields := strings.Split(line, "\t")
	if len(fields) < 6 {
		return nil, fmt.Errorf("%w: %d fields", ErrEncoding, len(fields))
	}
	var (
		m      Message
		failed error
	)
	text := func(field string) string {
		plain, err := strconv.Unquote(field)
		if err != nil && failed == nil {
			failed = fmt.Errorf("%w: %s", ErrEncoding, field)
		}
		return plain
	}
	number := func(field string) int64 {
		value, err := strconv.ParseInt(field, 10, 64)
		if err != nil && failed == nil {
			failed = fmt.Errorf("%w: %s", ErrEncoding, field)
		}
		return value
	}
	m.ID = text(fields[0])
	m.Topic = text(fields[1])
	m.Born = decodeTime(number(fields[2]))
	m.Attempts = int(number(fields[3]))
	m.Due = decodeTime(number(fields[4]))
	m.Body = []byte(text(fields[5]))
	m.Headers = map[string]string{}
	for _, field := range fields[6:] {
		// Names are quoted, so the first `"="` ends the name.
		end := strings.Index(field, `"="`)
		if end < 0 {
			return nil, fmt.Errorf("%w: header %s", ErrEncoding, field)
		}
		m.Headers[text(field[:end+1])] = text(field[end+2:])
	}
	if failed != nil {
		return nil, failed
	}
	return &m, nil
}

// encodeTime gives milliseconds; 0 stands for no time.
func encodeTime(t time.Time) string {
	if t.IsZero() {
		return "0"
	}
	return strconv.FormatInt(t.UnixMilli(), 10)
}

func decodeTime(milliseconds int64) time.Time {
	if milliseconds == 0 {
		return time.Time{}
	}
	return time.UnixMilli(milliseconds).UTC()
}
