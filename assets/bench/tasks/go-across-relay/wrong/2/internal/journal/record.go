// Package journal writes down what happens to messages, one record a line.
package journal

import (
	"errors"
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"
	"time"

	"relay/internal/message"
)

// Kind is what happened.
type Kind string

const (
	// Accepted messages were taken by the relay; the record has the message.
	Accepted Kind = "accepted"
	// Dropped messages were thrown away by a rule, or wanted by none.
	Dropped Kind = "dropped"
	// Delivered messages were taken by the sink of their queue.
	Delivered Kind = "delivered"
	// Failed deliveries will be tried again.
	Failed Kind = "failed"
	// Dead messages were given up.
	Dead Kind = "dead"
	// Expired messages were too old when their turn came.
	Expired Kind = "@@EVENT@@"
	// Requeued messages came back from a dead queue.
	Requeued Kind = "requeued"
)

var kinds = []Kind{Accepted, Dropped, Delivered, Failed, Dead, Expired, Requeued}

// Record is a line of a journal.
type Record struct {
	// Number counts the records of a journal from 1.
	Number int
	Time   time.Time
	Kind   Kind
	// Queue is where it happened; "-" for the relay as a whole.
	Queue string
	ID    string
	// Detail is for people: which rules, or why it failed.
	Detail string
	// Message is there in records of accepted messages.
	Message *message.Message
}

// ErrRecord is what every error of parse wraps.
var ErrRecord = errors.New("not a record")

// line writes a record with a checksum before it.
func (r Record) line() string {
	fields := []string{
		strconv.Itoa(r.Number),
		strconv.FormatInt(r.Time.UnixMilli(), 10),
		string(r.Kind),
		r.Queue,
		strconv.Quote(r.ID),
		strconv.Quote(r.Detail),
	}
	if r.Message != nil {
		fields = append(fields, strconv.Quote(message.Encode(r.Message)))
	}
	text := strings.Join(fields, "\t")
	return fmt.Sprintf("%08x\t%s", crc32.ChecksumIEEE([]byte(text)), text)
}

// parse reads what line has written.
func parse(line string) (Record, error) {
	sum, text, found := strings.Cut(line, "\t")
	if !found || sum != fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(text))) {
		return Record{}, fmt.Errorf("%w: the checksum is wrong", ErrRecord)
	}
	fields := strings.Split(text, "\t")
	if len(fields) != 6 && len(fields) != 7 {
		return Record{}, fmt.Errorf("%w: %d fields", ErrRecord, len(fields))
	}
	number, err := strconv.Atoi(fields[0])
	if err != nil {
		return Record{}, fmt.Errorf("%w: number %s", ErrRecord, fields[0])
	}
	milliseconds, err := strconv.ParseInt(fields[1], 10, 64)
	if err != nil {
		return Record{}, fmt.Errorf("%w: time %s", ErrRecord, fields[1])
	}
	r := Record{Number: number, Time: time.UnixMilli(milliseconds).UTC(), Kind: Kind(fields[2]), Queue: fields[3]}
	if !known(r.Kind) {
		return Record{}, fmt.Errorf("%w: kind %s", ErrRecord, fields[2])
	}
	if r.ID, err = strconv.Unquote(fields[4]); err != nil {
		return Record{}, fmt.Errorf("%w: ID %s", ErrRecord, fields[4])
	}
	if r.Detail, err = strconv.Unquote(fields[5]); err != nil {
		return Record{}, fmt.Errorf("%w: detail %s", ErrRecord, fields[5])
	}
	if len(fields) == 7 {
		encoded, err := strconv.Unquote(fields[6])
		if err != nil {
			return Record{}, fmt.Errorf("%w: message %s", ErrRecord, fields[6])
		}
		if r.Message, err = message.Decode(encoded); err != nil {
			return Record{}, fmt.Errorf("%w: %v", ErrRecord, err)
		}
	}
	return r, nil
}

func known(kind Kind) bool {
	for _, k := range kinds {
		if k == kind {
			return true
		}
	}
	return false
}
