import test from 'node:test';
import assert from 'node:assert/strict';
import { plan } from './print.js';
import { byTable } from './seats.js';

test('ten tables and more', () => {
  const guests = [10, 2, 1, 33, 9, 100].map((table) => ({ name: `guest ${table}`, table }));
  assert.deepEqual([...byTable(guests).keys()], [1, 2, 9, 10, 33, 100]);
  assert.deepEqual(plan(guests).map((line) => line.split(':')[0]), [
    'Table 1',
    'Table 2',
    'Table 9',
    'Table 10',
    'Table 33',
    'Table 100',
  ]);
});

test('fewer than ten', () => {
  const guests = [3, 1, 2].map((table) => ({ name: `guest ${table}`, table }));
  assert.deepEqual([...byTable(guests).keys()], [1, 2, 3]);
});

test('people of one table', () => {
  const guests = ['Zoe', 'Amy', 'Ben'].map((name) => ({ name, table: 11 }));
  assert.deepEqual(plan(guests), ['Table 11: Amy, Ben, Zoe']);
});

test('guests without a table', () => {
  assert.deepEqual(plan([{ name: 'Zoe' }, { name: 'Amy', table: 4 }]), ['Table 4: Amy', 'No table: Zoe']);
});
