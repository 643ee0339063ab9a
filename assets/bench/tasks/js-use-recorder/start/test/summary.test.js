import test from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { unpack } from '../src/unpack.js';
import { @@FN@@ } from '../src/summary.js';

const { log } = unpack(readFileSync(new URL('../data/night.b64', import.meta.url), 'utf8'));

test('some of last night', () => {
  const summary = @@FN@@(log);
  assert.deepEqual(Object.keys(summary.rooms), ['1', '2', '3']);
  assert.equal(summary.rooms[1].readings, 13);
  assert.equal(summary.@@OPEN@@[1], 12);
});
