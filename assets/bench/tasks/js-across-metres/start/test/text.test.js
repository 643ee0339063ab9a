import test from 'node:test';
import assert from 'node:assert/strict';
import { distanceText, paceText } from '../src/index.js';

test('distances', () => {
  assert.equal(distanceText(0.85), '850 m');
  assert.equal(distanceText(3.41), '3.4 km');
});

test('pace', () => {
  assert.equal(paceText(5, 1650), '5:30 /km');
  assert.equal(paceText(0, 10), '-');
});
