import test from 'node:test';
import assert from 'node:assert/strict';
import { createCafe } from './src/index.js';

test('the old time is free again', () => {
  const cafe = createCafe();
  const all = cafe.freeTimes('Thu');
  const number = cafe.book('Ida', 'radio', 'Thu', '18:00');
  cafe.move(number, 'Sat', '12:00');
  assert.deepEqual(cafe.freeTimes('Thu'), all);
  assert.equal(cafe.freeTimes('Sat').includes('12:00'), false);
  const next = cafe.book('Jon', 'lamp', 'Thu', '18:00');
  cafe.move(next, 'Tue', '17:00');
  assert.equal(cafe.freeTimes('Thu').includes('18:00'), true);
  assert.equal(cafe.freeTimes('Sat').includes('12:00'), false);
});

test('moved within a day and moved twice', () => {
  const cafe = createCafe();
  const number = cafe.book('Ida', 'radio', 'Sat', '10:00');
  cafe.move(number, 'Sat', '11:00');
  cafe.move(number, 'Sat', '12:00');
  cafe.move(number, 'Sat', '10:00');
  const taken = ['10:00', '11:00', '12:00'].filter((time) => !cafe.freeTimes('Sat').includes(time));
  assert.deepEqual(taken, ['10:00']);
  cafe.cancel(number);
  assert.equal(cafe.freeTimes('Sat').includes('10:00'), true);
});

test('the journal has both times', () => {
  const cafe = createCafe();
  const number = cafe.book('Ida', 'radio', 'Tue', '18:00');
  cafe.move(number, 'Thu', '17:00');
  cafe.move(number, 'Sat', '13:00');
  cafe.cancel(number);
  assert.deepEqual(cafe.journal.lines(), [
    '#1 Ida: booked Tue 18:00',
    '#1 Ida: moved from Tue 18:00 to Thu 17:00',
    '#1 Ida: moved from Thu 17:00 to Sat 13:00',
    '#1 Ida: cancelled Sat 13:00',
  ]);
});

test('those who wait are told', () => {
  const cafe = createCafe();
  const number = cafe.book('Ida', 'radio', 'Tue', '18:00');
  cafe.waiting.add('Jon', 'Tue', '18:00');
  cafe.waiting.add('Kim', 'Tue', '18:00');
  cafe.waiting.add('Lea', 'Thu', '17:00');
  cafe.letters.take();
  cafe.move(number, 'Thu', '17:00');
  const offers = cafe.letters.take().filter((letter) => letter.name !== 'Ida');
  assert.deepEqual(offers, [{ name: 'Jon', text: 'Tue 18:00 is free now.' }]);
  assert.equal(cafe.waiting.count('Tue', '18:00'), 1);
  assert.equal(cafe.waiting.count('Thu', '17:00'), 1);
});

test('a refused move changes nothing', () => {
  const cafe = createCafe();
  const ida = cafe.book('Ida', 'radio', 'Tue', '18:00');
  cafe.book('Jon', 'lamp', 'Thu', '17:00');
  cafe.letters.take();
  assert.throws(() => cafe.move(ida, 'Thu', '17:00'), /Thu 17:00 is taken/);
  assert.throws(() => cafe.move(ida, 'Thu', '09:00'), /we are not there/);
  assert.throws(() => cafe.move(99, 'Thu', '18:00'), /there is no booking 99/);
  assert.deepEqual(cafe.list(), ['#1 Tue 18:00 Ida, radio', '#2 Thu 17:00 Jon, lamp']);
  assert.equal(cafe.freeTimes('Tue').includes('18:00'), false);
  assert.equal(cafe.journal.lines().length, 2);
  assert.deepEqual(cafe.letters.take(), []);
});

test('letters and reminders follow the move', () => {
  const cafe = createCafe();
  const number = cafe.book('Ida', 'radio', 'Tue', '18:00');
  cafe.letters.take();
  cafe.move(number, 'Sat', '13:00');
  assert.deepEqual(cafe.letters.take(), [{ name: 'Ida', text: 'Your new @@WHAT@@ is on Sat 13:00.' }]);
  assert.deepEqual(cafe.reminders.on('Tue'), []);
  assert.deepEqual(cafe.reminders.on('Sat'), ['Ida: Sat 13:00, radio']);
});

test('the booking stays the same one', () => {
  const cafe = createCafe();
  const number = cafe.book('Ida', 'radio', 'Tue', '18:00');
  const booking = cafe.find(number);
  cafe.move(number, 'Sat', '13:00');
  cafe.move(number, 'Sat', '12:00');
  assert.equal(cafe.find(number), booking);
  assert.deepEqual(cafe.save(), [{ number: 1, name: 'Ida', thing: 'radio', at: ['Sat', '12:00'], moves: 2 }]);
  assert.equal(cafe.book('Jon', 'lamp', 'Thu', '17:00'), 2);
});

test('booking and cancelling as before', () => {
  const cafe = createCafe();
  cafe.restore([{ number: 7, name: 'Ida', thing: 'chair', at: ['Thu', '19:00'], moves: 1 }]);
  assert.throws(() => cafe.book('Jon', 'lamp', 'Thu', '19:00'), /Thu 19:00 is taken/);
  assert.throws(() => cafe.book('Jon', 'piano', 'Thu', '18:00'), /we do not mend a piano/);
  cafe.cancel(7);
  assert.equal(cafe.book('Jon', 'lamp', 'Thu', '19:00'), 8);
  assert.equal(cafe.freeTimes('Sun').length, 0);
  assert.equal(cafe.freeTimes('Sat').length, (4 * 60) / @@STEP@@);
});
