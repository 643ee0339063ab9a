// Package jobs has a queue of jobs by the time they are due.
package jobs

// Queue hands out jobs, the one that is due first at first. Jobs due at the
// same time come in the order in which they were put there, be it by Add or by
// @@MOVE@@. The zero Queue is empty and ready.
type Queue struct {
	heap   []*job
	byName map[string]*job
	count  int
}

type job struct {
	name  string
	due   int
	order int // the lower of two jobs due at the same time goes first
	place int // in the heap
}

// Len is the number of jobs waiting.
func (q *Queue) Len() int { return len(q.heap) }

// Add puts a job into the queue. It says no if one of this name is there.
func (q *Queue) Add(name string, due int) bool {
	if _, found := q.byName[name]; found {
		return false
	}
	if q.byName == nil {
		q.byName = map[string]*job{}
	}
	q.count++
	j := &job{name: name, due: due, order: q.count, place: len(q.heap)}
	q.heap = append(q.heap, j)
	q.byName[name] = j
	q.up(j.place)
	return true
}

// Next takes out the job that is due first.
func (q *Queue) Next() (name string, due int, found bool) {
	if len(q.heap) == 0 {
		return "", 0, false
	}
	j := q.heap[0]
	q.take(0)
	return j.name, j.due, true
}

// @@REMOVE@@ takes out a job, wherever it is.
func (q *Queue) @@REMOVE@@(name string) bool {
	j, found := q.byName[name]
	if !found {
		return false
	}
	q.take(j.place)
	return true
}

// @@MOVE@@ gives a job another time. It comes behind the jobs that are due then
// already.
func (q *Queue) @@MOVE@@(name string, due int) bool {
	j, found := q.byName[name]
	if !found {
		return false
	}
	j.due = due
	q.down(j.place)
	return true
}

// take removes the job at a place of the heap.
func (q *Queue) take(place int) {
	last := len(q.heap) - 1
	delete(q.byName, q.heap[place].name)
	q.swap(place, last)
	q.heap = q.heap[:last]
	if place < last {
		q.down(place)
	}
}
