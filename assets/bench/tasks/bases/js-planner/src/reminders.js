/**
 * What is to be remembered, and when.
 */
import { occurrencesIn } from './occurrences.js';
import { formatDuration } from './durations.js';

/** Reminders that are due in a span, by time. Reminders come before their event by so many minutes. */
export function remindersIn(events, span, viewer) {
  const all = [...events];
  const longest = Math.max(0, ...all.flatMap((event) => event.reminders));
  const wide = { start: span.start, end: span.end + longest };
  const found = [];
  for (const occurrence of occurrencesIn(all, wide, viewer)) {
    for (const minutes of occurrence.event.reminders) {
      const at = occurrence.start - minutes;
      if (at >= span.start && at < span.end) found.push({ at, minutes, occurrence });
    }
  }
  return found.sort((left, right) => left.at - right.at || left.occurrence.start - right.occurrence.start);
}

/** `in 15m: Lunch`. */
export function reminderText({ minutes, occurrence }) {
  const when = minutes === 0 ? 'now' : `in ${formatDuration(minutes)}`;
  return `${when}: ${occurrence.event.title}`;
}
