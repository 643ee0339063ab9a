/**
 * Rules in words.
 */
import { formatDay, MONTHS, WEEKDAYS } from '../dates.js';

const UNITS = { DAILY: 'day', WEEKLY: 'week', MONTHLY: 'month', YEARLY: 'year' };

/** `every 2 weeks on Monday and Thursday, until 2024-12-31`. */
export function describeRule(rule) {
  const pieces = [how(rule)];
  if (rule.byDay.length > 0) pieces.push(`on ${list(rule.byDay.map(dayName))}`);
  if (rule.byMonthDay.length > 0) pieces.push(`on the ${list(rule.byMonthDay.map(dateName))}`);
  if (rule.byMonth.length > 0) pieces.push(`in ${list(rule.byMonth.map((month) => MONTHS[month - 1]))}`);
  let text = pieces.join(' ');
  if (rule.bySetPos.length > 0) text += ` (only the ${list(rule.bySetPos.map(position))} of these)`;
  if (rule.count !== null) text += `, ${rule.count === 1 ? 'once' : `${rule.count} times`}`;
  if (rule.until !== null) text += `, until ${formatDay(rule.until)}`;
  return text;
}

function how(rule) {
  const unit = UNITS[rule.freq];
  return rule.interval === 1 ? `every ${unit}` : `every ${rule.interval} ${unit}s`;
}

function dayName({ weekday, nth }) {
  if (nth === 0) return WEEKDAYS[weekday];
  return `the ${position(nth)} ${WEEKDAYS[weekday]}`;
}

function dateName(date) {
  if (date > 0) return ordinal(date);
  return date === -1 ? 'last day' : `${ordinal(-date)} last day`;
}

function position(nth) {
  if (nth > 0) return ordinal(nth);
  return nth === -1 ? 'last' : `${ordinal(-nth)} last`;
}

export function ordinal(number) {
  const tail = number % 100;
  if (tail >= 11 && tail <= 13) return `${number}th`;
  return `${number}${['th', 'st', 'nd', 'rd'][number % 10] ?? 'th'}`;
}

/** `a`, `a and b`, `a, b and c`. */
export function list(words) {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
