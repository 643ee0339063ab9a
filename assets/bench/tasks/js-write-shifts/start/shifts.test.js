import test from 'node:test';
import assert from 'node:assert/strict';
import { @@FN@@ } from './shifts.js';

test('two people', () => {
  const result = @@FN@@([
    { @@WHO@@: 'Bo', hours: 4 },
    { @@WHO@@: 'Ada', hours: 7.5 },
    { @@WHO@@: 'Ada', hours: 7.5 },
  ]);
  assert.deepEqual(result, [
    { @@WHO@@: 'Ada', hours: 15, shifts: 2, tooMuch: false },
    { @@WHO@@: 'Bo', hours: 4, shifts: 1, tooMuch: false },
  ]);
});
