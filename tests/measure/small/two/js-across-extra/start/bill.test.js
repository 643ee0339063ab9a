import test from 'node:test';
import assert from 'node:assert/strict';
import { bill } from './bill.js';
import { dish } from './dish.js';

test('a bill', () => {
  assert.equal(bill([dish('soup', 450), dish('pie', 900)]), 'soup 450\npie 900\ntotal 1350');
});

test('no negative prices', () => {
  assert.throws(() => dish('soup', -1), RangeError);
});
