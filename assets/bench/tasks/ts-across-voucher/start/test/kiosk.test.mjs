import test from 'node:test';
import assert from 'node:assert/strict';
import { counts, describe, formatEvent, parseEvent, receipt, replay, total } from '../dist/index.js';

const lines = ['add 2 print-10 35', 'add 1 frame 1250', 'remove 1 print-10', 'note glossy please'];

test('an order', () => {
  const order = replay(lines);
  assert.equal(total(order), 1285);
  assert.deepEqual(receipt(order), [
    '1 print-10                  0.35',
    '1 frame                    12.50',
    'total                      12.85',
    '* glossy please',
  ]);
});

test('events as text', () => {
  for (const line of lines) assert.equal(formatEvent(parseEvent(line)), line);
  assert.throws(() => parseEvent('add two print-10 35'), /cannot read: add two/);
  assert.throws(() => replay(['remove 1 frame']), /there are not 1 of frame/);
});

test('descriptions and counts', () => {
  assert.equal(describe(parseEvent(lines[0])), '2 x print-10 at 0.35');
  assert.deepEqual(counts(lines.map(parseEvent)).add, 2);
});
