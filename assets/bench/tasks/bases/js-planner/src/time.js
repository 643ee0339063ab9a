/**
 * Times of the day, and moments.
 *
 * A time of the day is a number of minutes since midnight. A moment is what a clock on the wall shows: a day, a minute
 * and the offset of the zone in which the clock hangs. An instant is a number of minutes since the beginning of 1970 in
 * Greenwich; it is the same everywhere.
 */
import { formatDay, mod, parseDay, two } from './dates.js';
import { InputError } from './errors.js';

export const DAY = 1440;

/** `14:30`, `9:05`, `9am`, `12pm`. `24:00` is the end of a day. */
export function parseTime(text) {
  const match = /^(\d{1,2})(?::(\d{2}))?(am|pm)?$/i.exec(text);
  if (!match || (match[2] === undefined && match[3] === undefined)) {
    throw new InputError(`'${text}' is no time like 14:30`);
  }
  let hour = Number(match[1]);
  const minute = Number(match[2] ?? 0);
  if (match[3]) {
    if (hour < 1 || hour > 12) throw new InputError(`there is no time ${text}`);
    hour = (hour % 12) + (match[3].toLowerCase() === 'pm' ? 12 : 0);
  }
  if (hour > 24 || minute > 59 || (hour === 24 && minute > 0)) throw new InputError(`there is no time ${text}`);
  return hour * 60 + minute;
}

export function formatTime(minute) {
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}

/** The instant at which a clock of that offset shows this day and minute. */
export function instantOf(day, minute, offset) {
  return day * DAY + minute - offset;
}

/** What a clock of that offset shows at an instant. */
export function momentAt(instant, offset) {
  const local = instant + offset;
  return { day: Math.floor(local / DAY), minute: mod(local, DAY), offset };
}

/** `2024-03-05 14:30` or `2024-03-05T14:30`, as an instant. Without a time it is midnight. */
export function parseInstant(text, offset) {
  const match = /^(\S+?)(?:[ T](\S+))?$/.exec(text.trim());
  if (!match) throw new InputError(`'${text}' is no day and time like 2024-03-05 14:30`);
  const minute = match[2] === undefined ? 0 : parseTime(match[2]);
  return instantOf(parseDay(match[1]), minute, offset);
}

export function formatInstant(instant, offset) {
  const { day, minute } = momentAt(instant, offset);
  return `${formatDay(day)} ${formatTime(minute)}`;
}

/** The instant of a `Date`, which only the edge of the program knows. */
export function instantOfDate(date) {
  return Math.floor(date.getTime() / 60_000);
}

/** Whether two spans have more in common than an edge. */
export function overlaps(first, second) {
  return first.start < second.end && second.start < first.end;
}
