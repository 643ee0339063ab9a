import test from 'node:test';
import assert from 'node:assert/strict';
import { createCafe } from '../src/index.js';

test('booking and cancelling', () => {
  const cafe = createCafe();
  const number = cafe.book('Ada', 'lamp', 'Tue', '16:00');
  assert.throws(() => cafe.book('Bo', 'chair', 'Tue', '16:00'), /Tue 16:00 is taken/);
  cafe.cancel(number);
  assert.equal(cafe.book('Bo', 'chair', 'Tue', '16:00'), number + 1);
});

test('moving', () => {
  const cafe = createCafe();
  const number = cafe.book('Ada', 'lamp', 'Tue', '16:00');
  cafe.move(number, 'Sat', '11:00');
  assert.deepEqual(cafe.list(), ['#1 Sat 11:00 Ada, lamp (moved 1x)']);
  assert.throws(() => cafe.book('Bo', 'chair', 'Sat', '11:00'), /is taken/);
});

test('waiting', () => {
  const cafe = createCafe();
  const number = cafe.book('Ada', 'lamp', 'Thu', '17:00');
  cafe.waiting.add('Bo', 'Thu', '17:00');
  cafe.letters.take();
  cafe.cancel(number);
  assert.deepEqual(cafe.letters.take().map((letter) => letter.name).sort(), ['Ada', 'Bo']);
});
