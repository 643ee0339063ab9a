/**
 * Days of the calendar, as whole numbers: 0 is the first of January 1970. So days can be compared and counted, and
 * nothing depends on the clock or the zone of the machine.
 *
 * Weekdays are numbers from 0, Monday, to 6, Sunday.
 */
import { InputError } from './errors.js';

export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
export const MONTHS = [
  'January', 'February', 'March', 'April', 'May', 'June',
  'July', 'August', 'September', 'October', 'November', 'December',
];

const DAY_MS = 86_400_000;

/** The number of a day; months are from 1. Days beyond the month run on into the next. */
export function dayOf(year, month, date) {
  return Math.floor(Date.UTC(year, month - 1, date) / DAY_MS);
}

/** Year, month and day of the month. */
export function partsOf(day) {
  const date = new Date(day * DAY_MS);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, date: date.getUTCDate() };
}

export function weekday(day) {
  // The first of January 1970 was a Thursday.
  return mod(day + 3, 7);
}

export function isLeap(year) {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}

export function daysInMonth(year, month) {
  if (month === 2) return isLeap(year) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** `2024-03-05` or `20240305`. */
export function parseDay(text) {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? /^(\d{4})(\d{2})(\d{2})$/.exec(text);
  if (!match) throw new InputError(`'${text}' is no day like 2024-03-05`);
  const [year, month, date] = match.slice(1).map(Number);
  if (month < 1 || month > 12 || date < 1 || date > daysInMonth(year, month)) {
    throw new InputError(`there is no day ${text}`);
  }
  return dayOf(year, month, date);
}

export function formatDay(day) {
  const { year, month, date } = partsOf(day);
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(date)}`;
}

/** `Tue 5 March`, with the year where it is another than that of `today`. */
export function spokenDay(day, today) {
  const { year, month, date } = partsOf(day);
  const short = WEEKDAYS[weekday(day)].slice(0, 3);
  const tail = today !== undefined && partsOf(today).year === year ? '' : ` ${year}`;
  return `${short} ${date} ${MONTHS[month - 1]}${tail}`;
}

/** So many months later. `anchor` is the day of the month that is wanted; shorter months end earlier. */
export function addMonths(day, months, anchor = undefined) {
  const { year, month, date } = partsOf(day);
  const index = year * 12 + (month - 1) + months;
  const newYear = Math.floor(index / 12);
  const newMonth = mod(index, 12) + 1;
  return dayOf(newYear, newMonth, Math.min(anchor ?? date, daysInMonth(newYear, newMonth)));
}

export function monthStart(day) {
  const { year, month } = partsOf(day);
  return dayOf(year, month, 1);
}

/** The first day of the week; `first` is the weekday that weeks begin with. */
export function weekStart(day, first = 0) {
  return day - mod(weekday(day) - first, 7);
}

/** Year and number of the week, as ISO 8601 counts them. */
export function isoWeek(day) {
  const thursday = weekStart(day) + 3;
  const { year } = partsOf(thursday);
  return { year, week: Math.floor((thursday - dayOf(year, 1, 1)) / 7) + 1 };
}

/** The remainder that is never below zero. */
export function mod(number, by) {
  return ((number % by) + by) % by;
}

export function two(number) {
  return String(number).padStart(2, '0');
}
