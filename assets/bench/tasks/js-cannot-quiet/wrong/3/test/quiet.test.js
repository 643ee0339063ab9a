import test from 'node:test';
import assert from 'node:assert/strict';
import { report } from '../lib/report.js';

test('--@@OPT@@ leaves the total away', () => {
  assert.deepEqual(report([{ file: 'a.txt', words: 3 }], { @@OPT@@: true }), ['      3  a.txt']);
});
