import test from 'node:test';
import assert from 'node:assert/strict';
import * as book from './src/index.js';

/** A track straight north, by steps in thousandths of a degree (111 m each). */
const north = (...steps) => {
  let lat = 47;
  return [{ lat, lon: 11, at: 0 }, ...steps.map((step, index) => {
    lat += step / 1000;
    return { lat, lon: 11, at: (index + 1) * 60 };
  })];
};

test('distances between points', () => {
  assert.equal(book.distanceMetres({ lat: 0, lon: 0 }, { lat: 1, lon: 0 }), 111195);
  assert.equal(book.distanceMetres({ lat: 60, lon: 5 }, { lat: 60, lon: 5.01 }), 556);
  assert.equal(book.distanceMetres({ lat: 47, lon: 11 }, { lat: 47.001, lon: 11 }), 111);
});

test('legs and length of a way', () => {
  const [first, second] = book.legs(north(1, 3));
  assert.deepEqual(Object.keys(first).sort(), ['from', 'metres', 'seconds', 'to']);
  assert.equal(first.metres, 111);
  assert.equal(second.metres, 334);
  // 111.19 m ten times: the legs are rounded, not the sum
  assert.equal(book.lengthMetres(north(1, 1, 1, 1, 1, 1, 1, 1, 1, 1)), 1110);
  assert.equal(book.lengthMetres([]), 0);
});

test('far apart points', () => {
  const points = north(1, @@JUMP@@, 9, 2);
  // 0.9 thousandths are 100 m
  const under = north(@@JUMP@@ * 0.89);
  const over = north(@@JUMP@@ * 0.91);
  assert.equal(book.@@JUMPS@@(under).length, 0);
  assert.equal(book.@@JUMPS@@(over).length, 1);
  assert.deepEqual(book.@@JUMPS@@(points, { limitMetres: 900 }).map((leg) => leg.metres), [1001]);
  assert.equal(book.@@JUMPS@@(points, { limitMetres: 111 }).length, 3);
});

test('laps of a way', () => {
  const points = north(4, 4, 2, 3, 1);
  assert.deepEqual(book.laps(points), [
    { metres: 1112, seconds: 180 },
    { metres: 445, seconds: 120 },
  ]);
  assert.deepEqual(book.laps(points, { everyMetres: 445 }), [
    { metres: 445, seconds: 60 },
    { metres: 445, seconds: 60 },
    { metres: 556, seconds: 120 },
    { metres: 111, seconds: 60 },
  ]);
});

test('distances as people read them', () => {
  assert.equal(book.distanceText(0), '0 m');
  assert.equal(book.distanceText(7), '7 m');
  assert.equal(book.distanceText(999), '999 m');
  assert.equal(book.distanceText(1000), '1.0 km');
  assert.equal(book.distanceText(12370), '12.4 km');
});

test('speed as people read it', () => {
  assert.equal(book.paceText(10000, 3000), '5:00 /km');
  assert.equal(book.paceText(400, 98), '4:05 /km');
  assert.equal(book.paceText(0, 98), '-');
});

test('both files for other programs', () => {
  const points = north(1, 10);
  assert.equal(book.toCsv(points), 'at,metres,seconds\n0,111,60\n60,1112,60');
  assert.deepEqual(JSON.parse(book.toJson(points)), { metres: 1223, laps: [{ metres: 1223, seconds: 120 }] });
  assert.deepEqual(JSON.parse(book.toJson(points, { everyMetres: 100 })).laps.length, 2);
});

test('the whole sheet reads as before', () => {
  assert.deepEqual(book.@@SHEET@@(north(12, 8)), [
    '2.2 km in 2 min, 0:54 /km',
    'lap 1: 1.3 km 0:45 /km',
    'lap 2: 890 m 1:07 /km',
    '2 doubtful, the longest 1.3 km',
  ]);
  assert.deepEqual(book.@@SHEET@@([]), ['0 m in 0 min, -']);
});

test('no old name is left', () => {
  assert.deepEqual(Object.keys(book).filter((name) => /km/i.test(name)), []);
  assert.ok('distanceMetres' in book && 'lengthMetres' in book);
});
