import assert from 'node:assert/strict';
import test from 'node:test';
import { addMonths, dayOf, daysInMonth, formatDay, isoWeek, parseDay, partsOf, spokenDay, weekday, weekStart } from '../src/dates.js';
import { InputError } from '../src/errors.js';

test('days count from 1970 on', () => {
  assert.equal(dayOf(1970, 1, 1), 0);
  assert.equal(parseDay('2000-03-01'), 11017);
  assert.equal(dayOf(1969, 12, 31), -1);
  assert.deepEqual(partsOf(parseDay('2024-02-29')), { year: 2024, month: 2, date: 29 });
});

test('days are written and read again', () => {
  for (const text of ['1969-12-31', '2000-02-29', '2024-12-31']) assert.equal(formatDay(parseDay(text)), text);
  assert.equal(parseDay('20240305'), parseDay('2024-03-05'));
});

test('days that are not there are refused', () => {
  for (const text of ['2023-02-29', '2024-13-01', '2024-3-5', '2024-04-31', 'soon']) {
    assert.throws(() => parseDay(text), InputError, text);
  }
});

test('weekdays and weeks', () => {
  assert.equal(weekday(parseDay('2024-03-04')), 0);
  assert.equal(weekday(parseDay('1969-12-28')), 6);
  assert.equal(formatDay(weekStart(parseDay('2024-03-05'), 6)), '2024-03-03');
  assert.equal(formatDay(weekStart(parseDay('2024-03-03'), 6)), '2024-03-03');
  assert.deepEqual(isoWeek(parseDay('2024-12-30')), { year: 2025, week: 1 });
  assert.deepEqual(isoWeek(parseDay('2021-01-03')), { year: 2020, week: 53 });
});

test('months of all lengths', () => {
  assert.deepEqual([2, 4, 12].map((month) => daysInMonth(1900, month)), [28, 30, 31]);
  assert.equal(formatDay(addMonths(parseDay('2024-01-31'), 1)), '2024-02-29');
  assert.equal(formatDay(addMonths(parseDay('2024-02-29'), 1, 31)), '2024-03-31');
  assert.equal(formatDay(addMonths(parseDay('2024-01-15'), -13)), '2022-12-15');
});

test('days as they are spoken', () => {
  const today = parseDay('2024-03-05');
  assert.equal(spokenDay(today, today), 'Tue 5 March');
  assert.equal(spokenDay(parseDay('2025-01-01'), today), 'Wed 1 January 2025');
});
