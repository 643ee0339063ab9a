import test from 'node:test';
import assert from 'node:assert/strict';
import { total } from './months.js';
import { report } from './report.js';

test('each month has its number', () => {
  const entries = [
    { date: '2024-03-05', amount: 12 },
    { date: '2024-10-31', amount: 3 },
    { date: '2024-05-01', amount: 4 },
  ];
  assert.deepEqual(report(entries, 2024), ['3/2024: 12', '5/2024: 4', '10/2024: 3', 'all of 2024: 19']);
});

test('january and december', () => {
  const entries = [
    { date: '2024-12-31', amount: 2 },
    { date: '2024-01-01', amount: 1 },
  ];
  assert.deepEqual(report(entries, 2024), ['1/2024: 1', '12/2024: 2', 'all of 2024: 3']);
});

test('sums of a month', () => {
  const entries = ['01', '15', '29'].map((day) => ({ date: `2024-02-${day}`, amount: 10 }));
  assert.deepEqual(report(entries, 2024), ['2/2024: 30', 'all of 2024: 30']);
});

test('other years', () => {
  const entries = [
    { date: '2023-12-31', amount: 5 },
    { date: '2024-01-01', amount: 7 },
  ];
  assert.equal(total(entries, 2023), 5);
  assert.deepEqual(report(entries, 2023), ['12/2023: 5', 'all of 2023: 5']);
});
