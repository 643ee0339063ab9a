package jobs

// before says whether the job at place a has to come out before the one at b.
func (q *Queue) before(a, b int) bool {
	x, y := q.heap[a], q.heap[b]
	if x.due != y.due {
		return x.due < y.due
	}
	return x.order < y.order
}

func (q *Queue) swap(a, b int) {
	q.heap[a], q.heap[b] = q.heap[b], q.heap[a]
	q.heap[a].place = a
	q.heap[b].place = b
}

// up moves a job towards the front until the one above it comes before it.
func (q *Queue) up(place int) {
	for place > 0 {
		above := (place - 1) / 2
		if !q.before(place, above) {
			return
		}
		q.swap(place, above)
		place = above
	}
}

// down moves a job away from the front until it comes before both below it.
func (q *Queue) down(place int) {
	for {
		first := place
		for below := 2*place + 1; below <= 2*place+2; below++ {
			if below < len(q.heap) && q.before(below, first) {
				first = below
			}
		}
		if first == place {
			return
		}
		q.swap(place, first)
		place = first
	}
}
