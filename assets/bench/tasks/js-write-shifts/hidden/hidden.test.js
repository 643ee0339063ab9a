import test from 'node:test';
import assert from 'node:assert/strict';
import { @@FN@@, MOST_HOURS } from './shifts.js';

const names = (rows) => rows.map((row) => row.@@WHO@@);

test('nothing entered, nothing returned', () => {
  assert.deepEqual(@@FN@@([]), []);
});

test('hours and days are summed per person', () => {
  const rows = @@FN@@([
    { @@WHO@@: 'Ines', hours: 3 },
    { @@WHO@@: 'Tom', hours: 8 },
    { @@WHO@@: 'Ines', hours: 2.5 },
    { @@WHO@@: 'Ines', hours: 1 },
  ]);
  assert.deepEqual(rows, [
    { @@WHO@@: 'Tom', hours: 8, shifts: 1, tooMuch: false },
    { @@WHO@@: 'Ines', hours: 6.5, shifts: 3, tooMuch: false },
  ]);
});

test('shifts without hours do not count', () => {
  const rows = @@FN@@([
    { @@WHO@@: 'Ines', hours: 0 },
    { @@WHO@@: 'Tom', hours: 5 },
    { @@WHO@@: 'Tom', hours: -2 },
    { @@WHO@@: 'Tom', hours: 0 },
  ]);
  assert.deepEqual(rows, [{ @@WHO@@: 'Tom', hours: 5, shifts: 1, tooMuch: false }]);
});

test('longest first, equal ones by name', () => {
  const rows = @@FN@@([
    { @@WHO@@: 'Wim', hours: 6 },
    { @@WHO@@: 'Cleo', hours: 3 },
    { @@WHO@@: 'Abel', hours: 6 },
    { @@WHO@@: 'Mia', hours: 10 },
    { @@WHO@@: 'Cleo', hours: 3 },
  ]);
  assert.deepEqual(names(rows), ['Mia', 'Abel', 'Cleo', 'Wim']);
});

test('the mark for too many hours', () => {
  const rows = @@FN@@([
    { @@WHO@@: 'Even', hours: 20 },
    { @@WHO@@: 'Even', hours: MOST_HOURS - 20 },
    { @@WHO@@: 'Over', hours: MOST_HOURS },
    { @@WHO@@: 'Over', hours: 0.5 },
  ]);
  assert.deepEqual(rows, [
    { @@WHO@@: 'Over', hours: MOST_HOURS + 0.5, shifts: 2, tooMuch: true },
    { @@WHO@@: 'Even', hours: MOST_HOURS, shifts: 2, tooMuch: false },
  ]);
});

test('the entries are left as they are', () => {
  const entries = [
    { @@WHO@@: 'Wim', hours: 2 },
    { @@WHO@@: 'Wim', hours: 5 },
    { @@WHO@@: 'Abel', hours: 9 },
  ];
  const before = structuredClone(entries);
  @@FN@@(entries);
  assert.deepEqual(entries, before);
});
