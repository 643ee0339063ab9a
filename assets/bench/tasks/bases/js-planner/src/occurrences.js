/**
 * What takes place, and when: events with their rules, their exceptions and what was moved, as spans of instants.
 */
import { dayOfKey, isAllDay, occurrenceKey } from './model.js';
import { expand } from './recurrence/expand.js';
import { DAY, instantOf } from './time.js';
import { parseOffset } from './zones.js';

/**
 * One time that an event takes place. Whole days have no zone: they begin at midnight wherever the viewer is.
 *
 * @typedef {object} Occurrence
 * @property {object} event
 * @property {string} key      its name among the occurrences of the event
 * @property {number} start    an instant
 * @property {number} end      an instant, not included
 * @property {boolean} allDay
 * @property {boolean} moved   it takes place at another time than the rule says
 */

/** The occurrences of one event that touch a span, by time. `viewer` is the offset of who looks. */
export function occurrencesOf(event, span, viewer) {
  const found = [];
  for (const day of candidateDays(event, span, viewer)) {
    const key = occurrenceKey(event, day);
    if (event.skipped.includes(key) || key in event.moved) continue;
    found.push(occurrence(event, key, day, event.minute, event.length, viewer, false));
  }
  for (const [key, change] of Object.entries(event.moved)) {
    if (!takesPlace(event, key)) continue;
    found.push(occurrence(event, key, change.day, change.minute, change.length ?? event.length, viewer, true));
  }
  return found.filter((each) => touches(each, span)).sort(byTime);
}

/** Days on which the event might begin so that it touches the span. */
function* candidateDays(event, span, viewer) {
  const offset = isAllDay(event) ? viewer : parseOffset(event.zone);
  const from = Math.floor((span.start + offset - event.length) / DAY);
  const to = Math.floor((span.end + offset) / DAY) + 1;
  if (event.rule === null) {
    if (event.day >= from && event.day < to) yield event.day;
    return;
  }
  for (const day of expand(event.rule, event.day, to)) {
    if (day >= from) yield day;
  }
}

function occurrence(event, key, day, minute, length, viewer, moved) {
  const allDay = minute === null;
  const start = allDay ? instantOf(day, 0, viewer) : instantOf(day, minute, parseOffset(event.zone));
  return { event, key, start, end: start + length, allDay, moved };
}

/** When an event takes place first by its rule, as an instant. */
export function firstStart(event, viewer) {
  return isAllDay(event) ? instantOf(event.day, 0, viewer) : instantOf(event.day, event.minute, parseOffset(event.zone));
}

/** Whether the rule has an occurrence of this name; it may have changed since something was moved. */
export function takesPlace(event, key) {
  const day = dayOfKey(key);
  if (occurrenceKey(event, day) !== key) return false;
  if (event.rule === null) return day === event.day;
  for (const found of expand(event.rule, event.day, day + 1)) {
    if (found === day) return true;
  }
  return false;
}

/** Occurrences without a length touch the span they begin in. */
function touches(each, span) {
  if (each.start === each.end) return each.start >= span.start && each.start < span.end;
  return each.start < span.end && each.end > span.start;
}

/** Earlier first, whole days before times, longer before shorter, then by title. */
export function byTime(left, right) {
  return (
    left.start - right.start ||
    Number(right.allDay) - Number(left.allDay) ||
    right.end - left.end ||
    left.event.title.localeCompare(right.event.title)
  );
}

/** All that takes place in a span, by time. Cancelled events do not. */
export function occurrencesIn(events, span, viewer) {
  return [...events]
    .filter((event) => event.status !== 'cancelled')
    .flatMap((event) => occurrencesOf(event, span, viewer))
    .sort(byTime);
}

/** The span of whole days for a viewer; `to` is not included. */
export function spanOfDays(from, to, viewer) {
  return { start: instantOf(from, 0, viewer), end: instantOf(to, 0, viewer) };
}
