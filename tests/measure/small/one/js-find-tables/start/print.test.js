import test from 'node:test';
import assert from 'node:assert/strict';
import { plan } from './print.js';

test('two tables', () => {
  const guests = [
    { name: 'Zoe', table: 2 },
    { name: 'Ben', table: 1 },
    { name: 'Amy', table: 2 },
  ];
  assert.deepEqual(plan(guests), ['Table 1: Ben', 'Table 2: Amy, Zoe']);
});
