import test from 'node:test';
import assert from 'node:assert/strict';
import { distanceMetres, laps, legs, lengthMetres } from '../src/index.js';

const points = [0, 1, 2, 3, 4].map((step) => ({ lat: 50 + step * 0.001, lon: 8, at: step * 40 }));

test('a degree along a meridian', () => {
  assert.equal(distanceMetres({ lat: 0, lon: 8 }, { lat: 1, lon: 8 }), 111195);
});

test('legs', () => {
  assert.equal(legs(points).length, 4);
  assert.equal(legs(points)[0].metres, 111);
  assert.equal(lengthMetres(points), 444);
});

test('laps', () => {
  assert.deepEqual(laps(points, { everyMetres: 300 }).map((lap) => lap.seconds), [120, 40]);
});
