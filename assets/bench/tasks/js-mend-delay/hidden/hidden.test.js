import test from 'node:test';
import assert from 'node:assert/strict';
import { @@FN@@ } from './delay.js';

test('punctual and short delays stay as they were', () => {
  assert.equal(@@FN@@(0), 'on time');
  assert.equal(@@FN@@(1), '1 min @@LATE@@');
  assert.equal(@@FN@@(9), '9 min @@LATE@@');
  assert.equal(@@FN@@(59), '59 min @@LATE@@');
});

test('a full hour and more', () => {
  assert.equal(@@FN@@(60), '1 h 00 min @@LATE@@');
  assert.equal(@@FN@@(120), '2 h 00 min @@LATE@@');
  assert.equal(@@FN@@(600), '10 h 00 min @@LATE@@');
});

test('minutes after the hour have two digits', () => {
  assert.equal(@@FN@@(61), '1 h 01 min @@LATE@@');
  assert.equal(@@FN@@(129), '2 h 09 min @@LATE@@');
  assert.equal(@@FN@@(119), '1 h 59 min @@LATE@@');
  assert.equal(@@FN@@(190), '3 h 10 min @@LATE@@');
});

test('running ahead', () => {
  assert.equal(@@FN@@(-1), '1 min early');
  assert.equal(@@FN@@(-12), '12 min early');
});
