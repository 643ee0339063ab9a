import test from 'node:test';
import assert from 'node:assert/strict';
import { distanceKm, laps, legs, lengthKm } from '../src/index.js';

const points = [0, 1, 2, 3, 4].map((step) => ({ lat: 50 + step * 0.001, lon: 8, at: step * 40 }));

test('a degree along a meridian', () => {
  assert.equal(distanceKm({ lat: 0, lon: 8 }, { lat: 1, lon: 8 }).toFixed(3), '111.195');
});

test('legs', () => {
  assert.equal(legs(points).length, 4);
  assert.equal(legs(points)[0].km.toFixed(3), '0.111');
  assert.equal(lengthKm(points).toFixed(3), '0.445');
});

test('laps', () => {
  assert.deepEqual(laps(points, { everyKm: 0.3 }).map((lap) => lap.seconds), [120, 40]);
});
