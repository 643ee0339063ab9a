import assert from 'node:assert/strict';
import test from 'node:test';
import { day, texts } from '../helpers/planner.js';
import { InputError } from '../src/errors.js';
import { describeRule } from '../src/recurrence/describe.js';
import { expand, expandBetween, nextAfter } from '../src/recurrence/expand.js';
import { formatRule, parseRule } from '../src/recurrence/rule.js';

/** The first days of a rule, without their year if it is that of the first one. */
function days(rule, first, limit = 6) {
  const found = [];
  for (const each of expand(parseRule(rule), day(first))) {
    found.push(each);
    if (found.length === limit) break;
  }
  return texts(found).map((text) => (text.startsWith(first.slice(0, 4)) ? text.slice(5) : text));
}

test('rules are written as they are read', () => {
  for (const text of [
    'FREQ=DAILY',
    'FREQ=WEEKLY;INTERVAL=2;COUNT=10;BYDAY=MO,TH;WKST=SU',
    'FREQ=MONTHLY;UNTIL=20241231;BYDAY=2TU,-1FR',
    'FREQ=YEARLY;BYMONTH=3,9;BYMONTHDAY=-1',
    'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
  ]) {
    assert.equal(formatRule(parseRule(text)), text);
  }
  assert.equal(formatRule(parseRule('RRULE:freq=daily;until=20240305T120000Z;interval=1')), 'FREQ=DAILY;UNTIL=20240305');
});

test('rules that make no sense are refused', () => {
  for (const text of [
    '', 'FREQ=HOURLY', 'FREQ=DAILY;COUNT=0', 'FREQ=DAILY;COUNT=1;UNTIL=20240101', 'FREQ=WEEKLY;BYDAY=2MO', 'FREQ=DAILY;BYDAY=XX',
    'FREQ=WEEKLY;BYMONTHDAY=3', 'FREQ=DAILY;BYSETPOS=1', 'FREQ=DAILY;BYHOUR=3', 'FREQ=DAILY;FREQ=DAILY', 'FREQ=MONTHLY;BYMONTHDAY=32',
  ]) {
    assert.throws(() => parseRule(text), InputError, text);
  }
});

test('every day, and every third', () => {
  assert.deepEqual(days('FREQ=DAILY;COUNT=3', '2024-02-28'), ['02-28', '02-29', '03-01']);
  assert.deepEqual(days('FREQ=DAILY;INTERVAL=3;UNTIL=20240310', '2024-03-01'), ['03-01', '03-04', '03-07', '03-10']);
  assert.deepEqual(days('FREQ=DAILY;BYDAY=SA,SU', '2024-03-01', 3), ['03-02', '03-03', '03-09']);
});

test('every week', () => {
  assert.deepEqual(days('FREQ=WEEKLY', '2024-03-05', 3), ['03-05', '03-12', '03-19']);
  assert.deepEqual(days('FREQ=WEEKLY;BYDAY=FR,MO', '2024-03-05', 4), ['03-08', '03-11', '03-15', '03-18']);
  assert.deepEqual(days('FREQ=WEEKLY;BYMONTH=4;BYDAY=MO', '2024-03-05', 2), ['04-01', '04-08']);
});

test('every second week, with weeks that begin on Monday', () => {
  assert.deepEqual(days('FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU', '2024-03-05'), ['03-05', '03-10', '03-19', '03-24']);
  assert.deepEqual(days('FREQ=WEEKLY;INTERVAL=2;BYDAY=MO', '2024-03-05', 2), ['03-18', '04-01']);
});

test('every second week, with weeks that begin on Sunday', () => {
  assert.deepEqual(days('FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU', '2024-03-05'), ['03-05', '03-17', '03-19', '03-31']);
});

test('every month', () => {
  assert.deepEqual(days('FREQ=MONTHLY;COUNT=4', '2024-01-31'), ['01-31', '03-31', '05-31', '07-31']);
  assert.deepEqual(days('FREQ=MONTHLY;BYMONTHDAY=-1', '2024-01-31', 3), ['01-31', '02-29', '03-31']);
  assert.deepEqual(days('FREQ=MONTHLY;BYDAY=2TU,-1FR', '2024-03-01', 4), ['03-12', '03-29', '04-09', '04-26']);
  assert.deepEqual(days('FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13', '2024-01-01', 2), ['09-13', '12-13']);
});

test('the last working day, and the first two', () => {
  assert.deepEqual(days('FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', '2024-01-01', 3), ['01-31', '02-29', '03-29']);
  assert.deepEqual(days('FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1,2', '2024-06-01', 4), ['06-03', '06-04', '07-01', '07-02']);
});

test('every year', () => {
  assert.deepEqual(days('FREQ=YEARLY;COUNT=2', '2024-02-29'), ['02-29', '2028-02-29']);
  assert.deepEqual(days('FREQ=YEARLY;BYMONTH=9,3;BYDAY=1MO', '2024-01-01', 3), ['03-04', '09-02', '2025-03-03']);
  assert.deepEqual(days('FREQ=YEARLY;BYDAY=-1SU', '2024-01-01', 1), ['12-29']);
});

test('rules that never fit come to an end', () => {
  assert.deepEqual(days('FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30', '2024-01-01'), []);
});

test('a part of a rule', () => {
  const rule = parseRule('FREQ=WEEKLY;COUNT=5');
  assert.deepEqual(texts(expandBetween(rule, day('2024-03-05'), day('2024-03-12'), day('2024-03-26'))), ['2024-03-12', '2024-03-19']);
  assert.equal(nextAfter(rule, day('2024-03-05'), day('2024-03-19')), day('2024-03-26'));
  assert.equal(nextAfter(rule, day('2024-03-05'), day('2024-04-02')), null);
});

test('rules in words', () => {
  const words = {
    'FREQ=DAILY': 'every day',
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE,TH': 'every 2 weeks on Monday, Wednesday and Thursday',
    'FREQ=MONTHLY;BYDAY=-1FR;COUNT=3': 'every month on the last Friday, 3 times',
    'FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=1,-1;UNTIL=20301231': 'every year on the 1st and last day in March, until 2030-12-31',
    'FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=2': 'every month on Monday and Tuesday (only the 2nd of these)',
  };
  for (const [rule, text] of Object.entries(words)) assert.equal(describeRule(parseRule(rule)), text);
});
