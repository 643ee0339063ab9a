/**
 * Short texts that several commands have.
 */
import { spokenDay } from '../dates.js';
import { formatDuration } from '../durations.js';
import { formatTime, momentAt } from '../time.js';

/** `Tue 5 March 14:30-16:00`. */
export function spanText({ start, end }, { viewer, today }) {
  const first = momentAt(start, viewer);
  const last = momentAt(end, viewer);
  const tail = last.day === first.day ? formatTime(last.minute) : `${spokenDay(last.day, today)} ${formatTime(last.minute)}`;
  return `${spokenDay(first.day, today)} ${formatTime(first.minute)}-${tail}`;
}

export function occurrenceText(occurrence, context) {
  if (occurrence.allDay) return `${spokenDay(momentAt(occurrence.start, context.viewer).day, context.today)} ${occurrence.event.title}`;
  return `${spanText(occurrence, context)} ${occurrence.event.title}`;
}

export function conflictText({ first, second }, context) {
  return `${occurrenceText(first, context)} / ${spanText(second, context)} ${second.event.title}`;
}

export function slotText(slot, context) {
  return `${spanText(slot, context)} (${formatDuration(slot.end - slot.start)})`;
}
