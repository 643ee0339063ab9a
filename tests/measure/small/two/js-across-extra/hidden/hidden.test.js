import test from 'node:test';
import assert from 'node:assert/strict';
import { bill, line, total } from './bill.js';
import { dish } from './dish.js';

test('a dish keeps it', () => {
  assert.equal(dish('pie', 900, 150).@@FIELD@@, 150);
  assert.equal(dish('pie', 900).@@FIELD@@, 0);
});

test('the bill counts it', () => {
  assert.equal(line(dish('pie', 900, 150)), 'pie 900 (+@@FIELD@@ 150)');
  assert.equal(total([dish('pie', 900, 150)]), 1050);
});

test('without it as before', () => {
  assert.equal(line(dish('soup', 450)), 'soup 450');
  assert.equal(total([dish('soup', 450), dish('pie', 900)]), 1350);
});

test('several dishes', () => {
  const all = [dish('soup', 450), dish('pie', 900, 150), dish('pie', 900, 50)];
  assert.equal(bill(all), 'soup 450\npie 900 (+@@FIELD@@ 150)\npie 900 (+@@FIELD@@ 50)\ntotal 2450');
});

test('the rest stays', () => {
  assert.throws(() => dish('soup', -1), RangeError);
  assert.equal(total([]), 0);
});
