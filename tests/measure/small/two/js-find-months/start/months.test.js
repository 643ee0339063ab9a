import test from 'node:test';
import assert from 'node:assert/strict';
import { total } from './months.js';

test('a year', () => {
  const entries = [
    { date: '2023-12-31', amount: 5 },
    { date: '2024-01-01', amount: 7 },
    { date: '2024-06-30', amount: 1 },
  ];
  assert.equal(total(entries, 2024), 8);
  assert.equal(total(entries, 2022), 0);
});
