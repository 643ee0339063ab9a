import test from 'node:test';
import assert from 'node:assert/strict';
import { report } from '../lib/report.js';

const counts = [
  { file: 'two.txt', words: 20 },
  { file: 'one.txt', words: 400 },
];

test('a line per file and the total', () => {
  assert.deepEqual(report(counts), ['     20  two.txt', '    400  one.txt', '    420  total of 2']);
});

test('files above the limit are marked', () => {
  assert.equal(report(counts, { limit: 399 })[1], '    400  one.txt !');
});

test('sorted by name', () => {
  assert.equal(report(counts, { sort: 'name' })[0], '    400  one.txt');
});
