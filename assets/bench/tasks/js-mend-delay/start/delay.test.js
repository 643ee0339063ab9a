import test from 'node:test';
import assert from 'node:assert/strict';
import { @@FN@@ } from './delay.js';

test('on time', () => {
  assert.equal(@@FN@@(0), 'on time');
});

test('some minutes', () => {
  assert.equal(@@FN@@(7), '7 min @@LATE@@');
  assert.equal(@@FN@@(-3), '3 min early');
});

test('more than an hour', () => {
  assert.equal(@@FN@@(65), '1 h 05 min @@LATE@@');
  assert.equal(@@FN@@(75), '1 h 15 min @@LATE@@');
});

test('exactly one hour', () => {
  assert.equal(@@FN@@(60), '1 h 00 min @@LATE@@');
});
