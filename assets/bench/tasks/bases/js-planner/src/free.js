/**
 * Time in which nothing takes place.
 */
import { weekday } from './dates.js';
import { busySpan, isBusy } from './conflicts.js';
import { occurrencesIn, spanOfDays } from './occurrences.js';
import { instantOf } from './time.js';

/**
 * Free spans in working hours, of at least `least` minutes.
 *
 * @param {Iterable<object>} events
 * @param {{from: number, to: number, least: number, hours: {start: number, end: number, days: number[]}}} wanted
 *   days from and before, and the hours and weekdays of work
 * @param {number} viewer
 */
export function freeSlots(events, wanted, viewer) {
  // A day more on both sides: what takes place there may reach into the span.
  const around = spanOfDays(wanted.from - 1, wanted.to + 1, viewer);
  const busy = merged(occurrencesIn(events, around, viewer).filter(isBusy).map(busySpan));
  const slots = [];
  for (let day = wanted.from; day < wanted.to; day += 1) {
    if (!wanted.hours.days.includes(weekday(day))) continue;
    const hours = {
      start: instantOf(day, wanted.hours.start, viewer),
      end: instantOf(day, wanted.hours.end, viewer),
    };
    slots.push(...without(hours, busy).filter((slot) => slot.end - slot.start >= wanted.least));
  }
  return slots;
}

/** Spans that overlap or touch become one. */
export function merged(spans) {
  const result = [];
  for (const span of [...spans].sort((left, right) => left.start - right.start)) {
    const last = result.at(-1);
    if (last && span.start <= last.end) last.end = Math.max(last.end, span.end);
    else result.push({ ...span });
  }
  return result;
}

/** What is left of a span when others are taken out of it. They are in order. */
export function without(span, others) {
  const left = [];
  let at = span.start;
  for (const other of others) {
    if (other.end <= at || other.start >= span.end) continue;
    if (other.start > at) left.push({ start: at, end: other.start });
    at = Math.max(at, other.end);
  }
  if (at < span.end) left.push({ start: at, end: span.end });
  return left;
}
