/**
 * The days on which something with a rule takes place.
 *
 * Time is cut into units as the rule says: days, weeks, months or years, and only every `interval`th of them counts,
 * from the one with the first day on. In each of these the days are found that fit, in order; from them BYSETPOS picks.
 */
import { dayOf, daysInMonth, mod, partsOf, weekday, weekStart } from '../dates.js';

/** Rules that never fit, as the 30th of February, are given up after so many empty units. */
const EMPTY_UNITS = 2000;

/**
 * The days, from `first` on, which is the first one if it fits the rule. They end with the rule, or before `end`.
 */
export function* expand(rule, first, end = Infinity) {
  let given = 0;
  let empty = 0;
  for (let number = 0; empty < EMPTY_UNITS; number += 1) {
    const unit = unitOf(rule, first, number);
    if (unit.start >= end || (rule.until !== null && unit.start > rule.until)) return;
    const days = picked(rule, unit.days(first));
    empty = days.length > 0 ? 0 : empty + 1;
    for (const day of days) {
      if (day < first) continue;
      if (day >= end || (rule.until !== null && day > rule.until)) return;
      yield day;
      given += 1;
      if (rule.count !== null && given >= rule.count) return;
    }
  }
}

/** All days of a rule in a span: `from` is in it, `to` is not. */
export function expandBetween(rule, first, from, to) {
  const days = [];
  for (const day of expand(rule, first, to)) {
    if (day >= from) days.push(day);
  }
  return days;
}

/** The first day of a rule after `day`, or null. */
export function nextAfter(rule, first, day) {
  for (const found of expand(rule, first)) {
    if (found > day) return found;
  }
  return null;
}

/** One unit that counts: where it begins, and how its days are found. */
function unitOf(rule, first, number) {
  const step = number * rule.interval;
  switch (rule.freq) {
    case 'DAILY': {
      const day = first + step;
      return { start: day, days: () => (fits(rule, day) ? [day] : []) };
    }
    case 'WEEKLY': {
      const start = weekStart(first, rule.weekStart) + step * 7;
      return { start, days: () => @@FN@@(rule, start, first) };
    }
    case 'MONTHLY': {
      const { year, month } = partsOf(first);
      const index = year * 12 + month - 1 + step;
      const [y, m] = [Math.floor(index / 12), mod(index, 12) + 1];
      return { start: dayOf(y, m, 1), days: () => daysOfMonthUnit(rule, y, m, first) };
    }
    default: {
      const year = partsOf(first).year + step;
      return { start: dayOf(year, 1, 1), days: () => daysOfYear(rule, year, first) };
    }
  }
}

function @@FN@@(rule, start, first) {
  const weekdays = rule.byDay.length > 0 ? rule.byDay.map((day) => day.weekday) : [weekday(first)];
  const days = weekdays.map((wanted) => (rule.weekStart === 6 ? start + ((wanted + 1) % 7) : start + wanted));
  return ordered(days).filter((day) => inMonths(rule, day));
}

function daysOfMonthUnit(rule, year, month, first) {
  if (rule.byMonth.length > 0 && !rule.byMonth.includes(month)) return [];
  return daysOfMonth(rule, year, month, partsOf(first).date);
}

/** The days of a month that fit BYMONTHDAY and BYDAY; without both it is the day `usual`. */
function daysOfMonth(rule, year, month, usual) {
  const length = daysInMonth(year, month);
  const start = dayOf(year, month, 1);
  if (rule.byMonthDay.length === 0 && rule.byDay.length === 0) {
    return usual <= length ? [start + usual - 1] : [];
  }
  const dates = rule.byMonthDay.map((date) => (date > 0 ? date : length + date + 1));
  let days = ordered(dates.filter((date) => date >= 1 && date <= length).map((date) => start + date - 1));
  if (rule.byDay.length > 0) {
    const named = weekdaysIn(rule.byDay, start, start + length);
    days = rule.byMonthDay.length > 0 ? days.filter((day) => named.includes(day)) : named;
  }
  return days;
}

function daysOfYear(rule, year, first) {
  const { month, date } = partsOf(first);
  if (rule.byMonth.length > 0) {
    return ordered(rule.byMonth).flatMap((each) => daysOfMonth(rule, year, each, date));
  }
  if (rule.byMonthDay.length > 0) {
    return Array.from({ length: 12 }, (_, index) => daysOfMonth(rule, year, index + 1, date)).flat();
  }
  if (rule.byDay.length > 0) return weekdaysIn(rule.byDay, dayOf(year, 1, 1), dayOf(year + 1, 1, 1));
  return date <= daysInMonth(year, month) ? [dayOf(year, month, date)] : [];
}

/** The days of a span that BYDAY names: each Friday, the second one, or the last one. */
function weekdaysIn(byDay, start, end) {
  const days = [];
  for (const { weekday: wanted, nth } of byDay) {
    const all = [];
    for (let day = start + mod(wanted - weekday(start), 7); day < end; day += 7) all.push(day);
    if (nth === 0) days.push(...all);
    else if (Math.abs(nth) <= all.length) days.push(all[nth > 0 ? nth - 1 : all.length + nth]);
  }
  return ordered(days);
}

/** Whether a day fits a daily rule. */
function fits(rule, day) {
  const { year, month, date } = partsOf(day);
  if (!inMonths(rule, day)) return false;
  if (rule.byDay.length > 0 && !rule.byDay.some((each) => each.weekday === weekday(day))) return false;
  if (rule.byMonthDay.length === 0) return true;
  const fromEnd = date - daysInMonth(year, month) - 1;
  return rule.byMonthDay.includes(date) || rule.byMonthDay.includes(fromEnd);
}

function inMonths(rule, day) {
  return rule.byMonth.length === 0 || rule.byMonth.includes(partsOf(day).month);
}

/** What BYSETPOS picks from the days of a unit: 1 is the first of them, -1 the last. */
function picked(rule, days) {
  if (rule.bySetPos.length === 0) return days;
  const positions = rule.bySetPos.map((at) => (at > 0 ? at - 1 : days.length + at));
  return ordered(positions.filter((at) => at >= 0 && at < days.length).map((at) => days[at]));
}

/** In order, each once. */
function ordered(numbers) {
  return [...new Set(numbers)].sort((left, right) => left - right);
}
