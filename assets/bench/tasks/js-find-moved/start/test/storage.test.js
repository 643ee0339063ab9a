import test from 'node:test';
import assert from 'node:assert/strict';
import { createCafe } from '../src/index.js';

test('saved and restored', () => {
  const cafe = createCafe();
  cafe.book('Ada', 'lamp', 'Tue', '16:00');
  cafe.book('Bo', 'chair', 'Sat', '10:00');
  const other = createCafe();
  other.restore(JSON.parse(JSON.stringify(cafe.save())));
  assert.deepEqual(other.list(), cafe.list());
  assert.equal(other.freeTimes('Sat').includes('10:00'), false);
  assert.equal(other.book('Cy', 'radio', 'Sat', '11:00'), 3);
});
