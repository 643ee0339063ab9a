import test from 'node:test';
import assert from 'node:assert/strict';
import { distanceText, paceText } from '../src/index.js';

test('distances', () => {
  assert.equal(distanceText(850), '850 m');
  assert.equal(distanceText(3410), '3.4 km');
});

test('pace', () => {
  assert.equal(paceText(5000, 1650), '5:30 /km');
  assert.equal(paceText(0, 10), '-');
});
