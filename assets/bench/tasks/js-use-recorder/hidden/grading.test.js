import test from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { unpack } from './src/unpack.js';
import { @@FN@@ } from './src/summary.js';

const lines = (...all) => `${all.join('\n')}\n`;

test('a short log', () => {
  const log = lines('[0000] boot recorder 2 firmware 2.1', '[0003] temp 4 -20.0C', '[0005] temp 4 -19.0C', '[0009] end');
  assert.deepEqual(@@FN@@(log), {
    rooms: { 4: { readings: 2, @@LOW@@: -20, mean: -19.5 } },
    @@OPEN@@: {},
  });
});

test('both units give degrees Celsius', () => {
  const { rooms } = @@FN@@(lines(
    '[0000] boot recorder 2 firmware 2.1',
    '[0003] temp 4 10.0C',
    '[0007] boot recorder 2 firmware 3.2',
    '[0008] temp 4 14.0F',
    '[0009] temp 5 32.0F',
    '[0010] temp 5 33.0F',
    '[0012] end',
  ));
  assert.deepEqual(rooms[4], { readings: 2, @@LOW@@: -10, mean: 0 });
  assert.equal(rooms[5].@@LOW@@, 0);
  assert.equal(rooms[5].mean, 0.3);
});

test('lines repeated', () => {
  const { rooms } = @@FN@@(lines(
    '[0000] boot recorder 2 firmware 2.1',
    '[0003] temp 4 -10.0C',
    '=4',
    '[0004] temp 4 -15.0C',
    '[0005] temp 12 3.0C',
    '=11',
    '[0012] end',
  ));
  assert.deepEqual(rooms[4], { readings: 6, @@LOW@@: -15, mean: -10.8 });
  assert.deepEqual(rooms[12], { readings: 12, @@LOW@@: 3, mean: 3 });
});

test('lines taken back', () => {
  const summary = @@FN@@(lines(
    '[0000] boot recorder 2 firmware 2.1',
    '[0002] temp 4 -10.0C',
    '![0003] temp 4 -60.0C',
    '=7',
    '![0003] temp 9 1.0C',
    '[0004] open 1',
    '![0005] shut 1',
    '![0006] open 3',
    '[0008] shut 1',
    '[0012] end',
  ));
  assert.deepEqual(summary, {
    rooms: { 4: { readings: 1, @@LOW@@: -10, mean: -10 } },
    @@OPEN@@: { 1: 4 },
  });
});

test('how long doors were open', () => {
  const summary = @@FN@@(lines(
    '[0100] boot recorder 2 firmware 3.1',
    '[0110] open 1',
    '[0115] open 20',
    '[0117] shut 1',
    '[0130] open 1',
    '[1000] shut 1',
    '[1005] open 1',
    '[1010] end',
  ));
  assert.deepEqual(summary, { rooms: {}, @@OPEN@@: { 1: 7 + 870 + 5, 20: 895 } });
});

test('words of people mean nothing', () => {
  const summary = @@FN@@(lines(
    '[0000] boot recorder 2 firmware 2.1',
    '[0001] note "temp 1 4.0C"',
    '[0002] temp 1 -4.0C',
    '[0003] note "open 2"',
    '=3',
    '[0005] note "[0006] temp 1 -50.0C"',
    '[0009] end',
  ));
  assert.deepEqual(summary, { rooms: { 1: { readings: 1, @@LOW@@: -4, mean: -4 } }, @@OPEN@@: {} });
});

test('the packed log as a whole', () => {
  const { log } = unpack(readFileSync(new URL('./data/night.b64', import.meta.url), 'utf8'));
  assert.deepEqual(@@FN@@(log), {
    rooms: {
      1: { readings: 13, @@LOW@@: -18.5, mean: -17.7 },
      2: { readings: 10, @@LOW@@: -22, mean: -19 },
      3: { readings: 4, @@LOW@@: -10, mean: -8.5 },
    },
    @@OPEN@@: { 1: 12, 2: 22, 3: 30 },
  });
});
