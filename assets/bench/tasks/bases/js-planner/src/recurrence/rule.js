/**
 * Rules for what comes again, in the words of RFC 5545: `FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH`.
 *
 * Of that standard there are: FREQ (daily to yearly), INTERVAL, COUNT, UNTIL, BYDAY, BYMONTHDAY, BYMONTH, BYSETPOS and
 * WKST. What is finer than a day is refused.
 */
import { formatDay, parseDay } from '../dates.js';
import { InputError } from '../errors.js';

export const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'];
export const DAY_CODES = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

const DEFAULTS = {
  interval: 1,
  count: null,
  until: null,
  byDay: [],
  byMonthDay: [],
  byMonth: [],
  bySetPos: [],
  weekStart: 0,
};

/** A rule with all its parts, checked. Days in `byDay` are `{ weekday, nth }`; `nth` 0 means each of them. */
export function makeRule(fields) {
  const rule = { ...DEFAULTS, ...fields };
  if (!FREQUENCIES.includes(rule.freq)) throw new InputError(`'${rule.freq}' is no frequency`);
  if (!Number.isInteger(rule.interval) || rule.interval < 1) throw new InputError('INTERVAL is at least 1');
  if (rule.count !== null && rule.until !== null) throw new InputError('a rule has COUNT or UNTIL, not both');
  if (rule.count !== null && rule.count < 1) throw new InputError('COUNT is at least 1');
  if (rule.byDay.some((day) => day.nth !== 0) && !['MONTHLY', 'YEARLY'].includes(rule.freq)) {
    throw new InputError('BYDAY with a number needs a monthly or yearly rule');
  }
  if (rule.byMonthDay.length > 0 && rule.freq === 'WEEKLY') throw new InputError('BYMONTHDAY in a weekly rule');
  const others = rule.byDay.length + rule.byMonthDay.length + rule.byMonth.length;
  if (rule.bySetPos.length > 0 && others === 0) throw new InputError('BYSETPOS needs another BY…');
  return Object.freeze(rule);
}

const READERS = {
  FREQ: (text) => ({ freq: text }),
  INTERVAL: (text) => ({ interval: number(text, 1, 999, 'INTERVAL') }),
  COUNT: (text) => ({ count: number(text, 1, 9999, 'COUNT') }),
  // A time behind the day is dropped: rules of this planner end with a day.
  UNTIL: (text) => ({ until: parseDay(text.replace(/T.*$/, '')) }),
  BYDAY: (text) => ({ byDay: text.split(',').map(codedDay) }),
  BYMONTHDAY: (text) => ({ byMonthDay: numbers(text, 31, 'BYMONTHDAY') }),
  BYMONTH: (text) => ({ byMonth: text.split(',').map((month) => number(month, 1, 12, 'BYMONTH')) }),
  BYSETPOS: (text) => ({ bySetPos: numbers(text, 366, 'BYSETPOS') }),
  WKST: (text) => ({ weekStart: weekdayOf(text) }),
};

/** Reads a rule as it stands in calendar files. */
export function parseRule(text) {
  const fields = {};
  for (const part of text.replace(/^RRULE:/i, '').split(';').filter(Boolean)) {
    const [name, value = ''] = part.toUpperCase().split('=');
    const reader = READERS[name];
    if (!reader) throw new InputError(`'${name}' in a rule is not supported`);
    for (const [key, read] of Object.entries(reader(value))) {
      if (key in fields) throw new InputError(`'${name}' twice`);
      fields[key] = read;
    }
  }
  return makeRule(fields);
}

/** The rule as it stands in calendar files; parts that are as usual are left out. */
export function formatRule(rule) {
  const parts = [`FREQ=${rule.freq}`];
  if (rule.interval !== 1) parts.push(`INTERVAL=${rule.interval}`);
  if (rule.count !== null) parts.push(`COUNT=${rule.count}`);
  if (rule.until !== null) parts.push(`UNTIL=${formatDay(rule.until).replaceAll('-', '')}`);
  if (rule.byMonth.length > 0) parts.push(`BYMONTH=${rule.byMonth.join(',')}`);
  if (rule.byMonthDay.length > 0) parts.push(`BYMONTHDAY=${rule.byMonthDay.join(',')}`);
  if (rule.byDay.length > 0) {
    parts.push(`BYDAY=${rule.byDay.map((day) => `${day.nth || ''}${DAY_CODES[day.weekday]}`).join(',')}`);
  }
  if (rule.bySetPos.length > 0) parts.push(`BYSETPOS=${rule.bySetPos.join(',')}`);
  if (rule.weekStart !== 0) parts.push(`WKST=${DAY_CODES[rule.weekStart]}`);
  return parts.join(';');
}

function codedDay(text) {
  const match = /^([+-]?\d{1,2})?(MO|TU|WE|TH|FR|SA|SU)$/.exec(text);
  const nth = Number(match?.[1] ?? 0);
  if (!match || (match[1] !== undefined && nth === 0) || Math.abs(nth) > 53) {
    throw new InputError(`'${text}' is no day in BYDAY`);
  }
  return { weekday: weekdayOf(match[2]), nth };
}

function weekdayOf(code) {
  const index = DAY_CODES.indexOf(code);
  if (index < 0) throw new InputError(`'${code}' is no day of the week`);
  return index;
}

function number(text, least, most, name) {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > most) throw new InputError(`${name} is not '${text}'`);
  return value;
}

function numbers(text, most, name) {
  return text.split(',').map((piece) => {
    const value = Number(piece);
    if (!/^[+-]?\d+$/.test(piece) || value === 0 || Math.abs(value) > most) {
      throw new InputError(`${name} is not '${piece}'`);
    }
    return value;
  });
}
