import assert from 'node:assert/strict';
import test from 'node:test';
import { day } from '../helpers/planner.js';
import { formatDay } from '../src/dates.js';
import { InputError } from '../src/errors.js';
import { quickAdd } from '../src/quick.js';
import { formatRule } from '../src/recurrence/rule.js';
import { Zones } from '../src/zones.js';

const ZONES = new Zones('+02:00', { sydney: '+11:00' });
const add = (line) => quickAdd(line, day('2024-03-05'), ZONES);

test('an event with all there is', () => {
  const lunch = add('Lunch with Ida tomorrow at 12:30 for 1h30m #Friends remind 15m remind 1d');
  assert.equal(lunch.title, 'Lunch with Ida');
  assert.deepEqual([formatDay(lunch.day), lunch.minute, lunch.length, lunch.zone], ['2024-03-06', 750, 90, '+02:00']);
  assert.deepEqual([lunch.tags, lunch.reminders], [['friends'], [15, 1440]]);
});

test('days in words', () => {
  const days = { 'x today': '03-05', 'x fri': '03-08', 'x on tue': '03-12', 'x next friday': '03-15', 'x in 2 weeks': '03-19', 'x in 1 month': '04-05', x: '03-05', 'x 2024-12-24': '12-24' };
  for (const [line, text] of Object.entries(days)) assert.equal(formatDay(add(line).day), `2024-${text}`, line);
});

test('beginnings and ends', () => {
  assert.deepEqual([add('x 9-10:30').minute, add('x 9-10:30').length], [540, 90]);
  assert.equal(add('Party 22:00-2:00').length, 240);
  assert.equal(add('x 9am').length, 60);
  assert.equal(add('x today').length, 1440);
  assert.equal(add('x 9am @sydney').zone, '+11:00');
});

test('what comes again', () => {
  const yoga = add('Yoga every 2 weeks on thu,sat 18:00 until 2024-12-20');
  assert.equal(formatRule(yoga.rule), 'FREQ=WEEKLY;INTERVAL=2;UNTIL=20241220;BYDAY=TH,SA');
  assert.equal(formatDay(yoga.day), '2024-03-07');
  assert.equal(formatRule(add('Standup daily 9:15').rule), 'FREQ=DAILY');
});

test('words that mean nothing special stay in the title', () => {
  for (const line of ['Wait for Ida', 'Chapter 5 every now and then', 'Dinner in town', 'next steps']) assert.equal(add(line).title, line);
});

test('tasks', () => {
  const tax = add('todo Tax return due 2024-05-31 !2 #money ~3h after t7');
  assert.equal(tax.title, 'Tax return');
  assert.deepEqual([formatDay(tax.due), tax.priority, tax.estimate, tax.after], ['2024-05-31', 2, 180, ['t7']]);
  assert.equal(add('todo Call mom').due, null);
});

test('lines that make no sense', () => {
  for (const line of ['', 'tomorrow', 'x !1', 'x until 2024-12-20', 'x 9-10 for 1h', 'x 9am @venus', 'todo x every week', 'x for 0.001h']) {
    assert.throws(() => add(line), InputError, line);
  }
});
