import assert from 'node:assert/strict';
import test from 'node:test';
import { day, event, planner, texts } from './helpers/planner.js';
import { weekday, weekStart } from './src/dates.js';
import { describeRule } from './src/recurrence/describe.js';
import { expand } from './src/recurrence/expand.js';
import { DAY_CODES, formatRule, parseRule } from './src/recurrence/rule.js';
import { occurrencesOf, spanOfDays } from './src/occurrences.js';

/** The days of a weekly rule, found the slow way. */
function slow({ interval, weekdays, first, start, limit, until = Infinity }) {
  let week = start;
  while (weekday(week) !== first) week -= 1;
  const found = [];
  for (let at = start; at <= until && found.length < limit; at += 1) {
    if (weekdays.includes(weekday(at)) && Math.floor((at - week) / 7) % interval === 0) found.push(at);
  }
  return found;
}

function fast(rule, start, limit = Infinity) {
  const found = [];
  for (const each of expand(parseRule(rule), start)) {
    found.push(each);
    if (found.length >= limit) break;
  }
  return found;
}

const SETS = [[0, 3], [@@DAY@@], [1, 6], [2, 5, 6], [0, 1, 2, 3, 4, 5, 6]];

function compare(firsts, starts) {
  for (const first of firsts) {
    for (const start of starts) {
      for (const interval of [1, 2, @@EVERY@@]) {
        for (const weekdays of SETS) {
          const rule = `FREQ=WEEKLY;INTERVAL=${interval};COUNT=9;BYDAY=${weekdays.map((at) => DAY_CODES[at])};WKST=${DAY_CODES[first]}`;
          const wanted = slow({ interval, weekdays, first, start, limit: 9 });
          assert.deepEqual(texts(fast(rule, start)), texts(wanted), `${rule} from ${texts([start])}`);
        }
      }
    }
  }
}

const ALL = Array.from({ length: 7 }, (_, at) => day('2024-03-04') + at);

test('first days of weeks, for every weekday', () => {
  for (let first = 0; first < 7; first += 1) {
    for (const each of [...ALL, day('1969-12-30'), day('2024-02-29')]) {
      const found = weekStart(each, first);
      assert.equal(weekday(found), first);
      assert.ok(found <= each && each - found < 7);
    }
  }
});

test('weeks from Monday on', () => {
  compare([0], ALL);
  assert.deepEqual(texts(fast('FREQ=WEEKLY;INTERVAL=2', day('2024-03-07'), 2)), ['2024-03-07', '2024-03-21']);
});

test('weeks from Sunday on', () => compare([6], ALL));

test('weeks from any day on', () => compare([1, 2, 3, 4, 5], ALL));

test('weeks that end with a day', () => {
  const rule = 'FREQ=WEEKLY;INTERVAL=2;UNTIL=20240518;BYDAY=SU,MO,FR;WKST=SU';
  const wanted = slow({ interval: 2, weekdays: [6, 0, 4], first: 6, start: day('2024-03-05'), limit: 99, until: day('2024-05-18') });
  assert.deepEqual(texts(fast(rule, day('2024-03-05'))), texts(wanted));
});

test('positions in a week', () => {
  // The first and the last of the days of a week that begins on Sunday.
  const first = fast('FREQ=WEEKLY;COUNT=3;BYDAY=TU,SU,SA;BYSETPOS=1;WKST=SU', day('2024-03-05'));
  assert.deepEqual(texts(first), ['2024-03-10', '2024-03-17', '2024-03-24']);
  const last = fast('FREQ=WEEKLY;COUNT=2;BYDAY=TU,SU,WE;BYSETPOS=-1;WKST=WE', day('2024-03-05'));
  assert.deepEqual(texts(last), ['2024-03-05', '2024-03-12']);
});

test('events with such rules', () => {
  const yoga = event('Yoga', '2024-03-05', '18:00', { rule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU', skipped: ['2024-03-17T18:00'] });
  const found = occurrencesOf(yoga, spanOfDays(day('2024-03-01'), day('2024-04-03'), 0), 0);
  assert.deepEqual(found.map((each) => each.key.slice(5, 10)), ['03-05', '03-19', '03-31', '04-02']);
});

test('the month in the terminal', (t) => {
  const { run } = planner(t, { weekStart: 'saturday' });
  const rows = run('month').out.split('\n');
  assert.equal(rows[1], '     Sa  Su  Mo  Tu  We  Th  Fr');
  assert.equal(rows[2], 'W09                           1');
  assert.equal(rows[3], 'W10   2   3   4 [ 5]  6   7   8');
});

test('other rules are as before', () => {
  const rules = {
    'FREQ=MONTHLY;BYDAY=2TU,-1FR': ['2024-03-12', '2024-03-29', '2024-04-09'],
    'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;WKST=SU': ['2024-03-29', '2024-04-30', '2024-05-31'],
    'FREQ=DAILY;INTERVAL=3;BYDAY=SA,SU': ['2024-03-17', '2024-03-23', '2024-04-07'],
    'FREQ=YEARLY;BYMONTH=9;BYDAY=1MO': ['2024-09-02', '2025-09-01', '2026-09-07'],
    'FREQ=WEEKLY;BYMONTH=4;BYDAY=MO,TU': ['2024-04-01', '2024-04-02', '2024-04-08'],
  };
  for (const [rule, wanted] of Object.entries(rules)) assert.deepEqual(texts(fast(rule, day('2024-03-05'), 3)), wanted, rule);
  const rule = parseRule('FREQ=WEEKLY;BYDAY=TU,SU;WKST=SU');
  assert.equal(formatRule(rule), 'FREQ=WEEKLY;BYDAY=TU,SU;WKST=SU');
  assert.equal(describeRule(rule), 'every week on Tuesday and Sunday');
});
