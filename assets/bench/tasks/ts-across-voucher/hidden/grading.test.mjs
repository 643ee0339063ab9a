import test from 'node:test';
import assert from 'node:assert/strict';
import { applyEvent, counts, describe, emptyOrder, formatEvent, parseEvent, receipt, replay, total } from './dist/index.js';

const CODE = 'ABCDE';

test('orders without one are as before', () => {
  const order = replay(['add 3 canvas 2000', 'note Tuesday', 'remove 1 canvas']);
  assert.equal(total(order), 4000);
  assert.deepEqual(receipt(order), ['2 canvas                   40.00', 'total                      40.00', '* Tuesday']);
});

test('read and written', () => {
  const event = parseEvent('  @@KIND@@  X1Y2Z3   705 ');
  assert.deepEqual(event, { kind: '@@KIND@@', code: 'X1Y2Z3', cents: 705 });
  assert.equal(formatEvent(event), '@@KIND@@ X1Y2Z3 705');
  assert.equal(parseEvent(`@@KIND@@ ${CODE.slice(0, @@LEAST@@)} 1`).cents, 1);
});

test('bad ones are refused', () => {
  for (const line of [
    '@@KIND@@',
    '@@KIND@@ SUMMER',
    '@@KIND@@ SUMMER 0',
    '@@KIND@@ SUMMER -5',
    '@@KIND@@ SUMMER 1.50',
    '@@KIND@@ SUMMER 100 200',
    '@@KIND@@ summer 100',
    '@@KIND@@ SUM-MER 100',
    `@@KIND@@ ${CODE.slice(0, @@LEAST@@ - 1)} 100`,
  ]) {
    assert.throws(() => parseEvent(line), new Error(`cannot read: ${line}`), line);
  }
});

test('described', () => {
  assert.equal(describe(parseEvent('@@KIND@@ WINTER 1205')), '@@KIND@@ WINTER over 12.05');
});

test('taken off the total', () => {
  assert.equal(total(replay(['add 2 canvas 2000', '@@KIND@@ WINTER 500', '@@KIND@@ SUMMER 250'])), 3250);
  assert.equal(total(replay(['@@KIND@@ WINTER 500', 'add 1 frame 500'])), 0);
  const order = replay(['add 1 frame 499', '@@KIND@@ WINTER 500']);
  assert.equal(total(order), 0);
  assert.equal(total(applyEvent(order, parseEvent('add 1 print 35'))), 34);
  assert.equal(total(replay(['@@KIND@@ WINTER 500'])), 0);
});

test('each code once', () => {
  assert.deepEqual(replay(['@@KIND@@ WINTER 500', '@@KIND@@ WINTER1 500']).@@KIND@@s, [
    { code: 'WINTER', cents: 500 },
    { code: 'WINTER1', cents: 500 },
  ]);
  assert.throws(() => replay(['@@KIND@@ WINTER 500', 'note x', '@@KIND@@ WINTER 900']), new Error('WINTER is used already'));
  assert.deepEqual(emptyOrder().@@KIND@@s, []);
});

test('shown on the receipt', () => {
  const rows = receipt(replay(['@@KIND@@ SUMMER 1250', 'add 1 canvas 2000', 'note Tuesday', '@@KIND@@ WINTER 5', 'add 1 frame 900']));
  assert.deepEqual(rows, [
    '1 canvas                   20.00',
    '1 frame                     9.00',
    '@@KIND@@ SUMMER'.padEnd(26) + '-12.50',
    '@@KIND@@ WINTER'.padEnd(27) + '-0.05',
    'total                      16.45',
    '* Tuesday',
  ]);
});

test('counted', () => {
  const events = ['@@KIND@@ SUMMER 1250', 'add 1 canvas 2000', '@@KIND@@ WINTER 5'].map(parseEvent);
  assert.deepEqual(counts(events), { add: 1, remove: 0, note: 0, @@KIND@@: 2 });
  assert.deepEqual(counts([]), { add: 0, remove: 0, note: 0, @@KIND@@: 0 });
});

test('orders given are not changed', () => {
  const before = replay(['@@KIND@@ WINTER 500', 'add 1 frame 900']);
  const copy = structuredClone(before);
  const after = applyEvent(before, parseEvent('@@KIND@@ SUMMER 100'));
  assert.deepEqual(before, copy);
  assert.equal(total(before) - total(after), 100);
});
