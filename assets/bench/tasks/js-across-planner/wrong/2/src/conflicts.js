/**
 * Events that take place at the same time.
 */
import { firstStart, occurrencesIn } from './occurrences.js';
import { DAY, overlaps } from './time.js';

/** Whether an occurrence takes up time: whole days and what is tentative do not. */
export function isBusy(occurrence) {
  return !occurrence.allDay && occurrence.event.status === 'confirmed';
}

/** The time that an occurrence takes up, with what comes before it. */
export function busySpan(occurrence) {
  return { start: occurrence.start - occurrence.event.@@WORD@@, end: occurrence.end };
}

/** All pairs in a span that get in each other's way, by time. */
export function findConflicts(events, span, viewer) {
  // What begins after the span may need time in it.
  const wide = { start: span.start, end: span.end + DAY };
  const busy = occurrencesIn(events, wide, viewer).filter((each) => isBusy(each) && overlaps(busySpan(each), span));
  const pairs = [];
  busy.forEach((first, at) => {
    for (const second of busy.slice(at + 1)) {
      if (overlaps(busySpan(first), busySpan(second))) pairs.push({ first, second });
    }
  });
  return pairs;
}

/** What gets in the way of an event that is to be added, in so many days from its first one. */
export function conflictsWith(event, events, viewer, days = 60) {
  const start = firstStart(event, viewer) - event.@@WORD@@;
  const span = { start, end: start + days * DAY };
  const others = [...events].filter((other) => other.id !== event.id);
  return findConflicts([event, ...others], span, viewer).filter(
    ({ first, second }) => (first.event === event) !== (second.event === event),
  );
}
