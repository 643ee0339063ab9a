package journal

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"sync"

	"relay/internal/clock"
	"relay/internal/message"
)

// Writer adds records to a journal. A nil Writer writes nothing.
type Writer struct {
	mu    sync.Mutex
	out   io.WriteCloser
	clock clock.Clock
	last  int
}

// Open goes on with the journal of a file; there need not be one yet.
func Open(path string, clock clock.Clock) (*Writer, error) {
	last := 0
	if file, err := os.Open(path); err == nil {
		report, err := Check(file)
		file.Close()
		if err != nil {
			return nil, err
		}
		last = report.Last
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	return &Writer{out: file, clock: clock, last: last}, nil
}

// Append writes down that something happened to a message.
func (w *Writer) Append(kind Kind, queue, id, detail string, m *message.Message) error {
	if w == nil {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.last++
	if queue == "" {
		queue = "-"
	}
	record := Record{Number: w.last, Time: w.clock.Now(), Kind: kind, Queue: queue, ID: id, Detail: detail, Message: m}
	_, err := io.WriteString(w.out, record.line()+"\n")
	return err
}

// Close ends the journal.
func (w *Writer) Close() error {
	if w == nil {
		return nil
	}
	return w.out.Close()
}

// Report is what Check finds in a journal.
type Report struct {
	Records int
	// Last is the highest number.
	Last  int
	Kinds map[Kind]int
	// Problems has a sentence for each line that is broken or out of order.
	Problems []string
}

// Check goes through a journal and counts. Broken lines are no error.
func Check(in io.Reader) (Report, error) {
	report := Report{Kinds: map[Kind]int{}}
	err := each(in, func(line int, r Record, broken error) {
		if broken != nil {
			report.Problems = append(report.Problems, fmt.Sprintf("line %d: %v", line, broken))
			return
		}
		if r.Number != report.Last+1 {
			report.Problems = append(report.Problems, fmt.Sprintf("line %d: record %d follows %d", line, r.Number, report.Last))
		}
		report.Records++
		report.Kinds[r.Kind]++
		if r.Number > report.Last {
			report.Last = r.Number
		}
	})
	return report, err
}

// Read gives all records that are whole.
func Read(in io.Reader) ([]Record, error) {
	var records []Record
	err := each(in, func(_ int, r Record, broken error) {
		if broken == nil {
			records = append(records, r)
		}
	})
	return records, err
}

func each(in io.Reader, do func(line int, r Record, broken error)) error {
	scanner := bufio.NewScanner(in)
	scanner.Buffer(nil, 16<<20)
	for line := 1; scanner.Scan(); line++ {
		record, err := parse(scanner.Text())
		do(line, record, err)
	}
	return scanner.Err()
}
