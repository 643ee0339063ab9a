import assert from 'node:assert/strict';
import fs from 'node:fs';
import test from 'node:test';
import { day, event, planner, shown, task } from './helpers/planner.js';
import { findConflicts } from './src/conflicts.js';
import { InputError } from './src/errors.js';
import { freeSlots } from './src/free.js';
import { readIcs } from './src/ics/reader.js';
import { writeIcs } from './src/ics/writer.js';
import { occurrencesIn, spanOfDays } from './src/occurrences.js';
import { quickAdd } from './src/quick.js';
import { remindersIn } from './src/reminders.js';
import { loadStore, saveStore } from './src/store/file.js';
import { Store } from './src/store/store.js';
import { formatInstant } from './src/time.js';
import { Zones } from './src/zones.js';

const MARCH = spanOfDays(day('2024-03-01'), day('2024-04-01'), 0);
const titles = (pairs) => pairs.map(({ first, second }) => `${first.event.title}/${second.event.title}`);
const add = (line) => quickAdd(line, day('2024-03-05'), new Zones());

test('events have it', () => {
  assert.equal(event('A', '2024-03-05', '09:00').@@WORD@@, 0);
  assert.equal(event('A', '2024-03-05', '09:00', { @@WORD@@: 1440 }).@@WORD@@, 1440);
  assert.equal(event('A', '2024-03-05', null, { @@WORD@@: 0 }).@@WORD@@, 0);
  for (const wrong of [-1, 1441, 2.5, '20']) {
    assert.throws(() => event('A', '2024-03-05', '09:00', { @@WORD@@: wrong }), InputError, String(wrong));
  }
  assert.throws(() => event('A', '2024-03-05', null, { @@WORD@@: 20 }), InputError);
  assert.throws(() => task('A', { @@WORD@@: 20 }), InputError);
});

test('it is added in a line', () => {
  const visit = add('Visit fri 14:00 @@WORD@@ 45m remind 10m');
  assert.deepEqual([visit.title, visit.@@WORD@@, visit.minute, visit.reminders], ['Visit', 45, 840, [10]]);
  assert.equal(add('Visit fri 14:00').@@WORD@@, 0);
  assert.equal(add('More @@WORD@@ please 9:00').title, 'More @@WORD@@ please');
  assert.equal(add('todo More @@WORD@@ please').title, 'More @@WORD@@ please');
  for (const line of ['todo Visit due fri @@WORD@@ 45m', 'Visit fri @@WORD@@ 45m', 'Visit 9:00 @@WORD@@ 3d']) {
    assert.throws(() => add(line), InputError, line);
  }
});

test('conflicts count it', () => {
  const events = [
    event('A', '2024-03-05', '09:00'),
    event('B', '2024-03-05', '10:15', { @@WORD@@: @@SOME@@ }),
    event('C', '2024-03-05', '11:15', { @@WORD@@: 0 }),
  ];
  assert.deepEqual(titles(findConflicts(events, MARCH, 0)), ['A/B']);
  assert.deepEqual(titles(findConflicts([events[0], event('B', '2024-03-05', '10:15', { @@WORD@@: 15 })], MARCH, 0)), []);
  assert.deepEqual(titles(findConflicts([events[0], event('B', '2024-03-05', '10:15', { @@WORD@@: 60, status: 'tentative' })], MARCH, 0)), []);
});

test('moved occurrences have it', () => {
  const moved = { '2024-03-06T14:00': { day: day('2024-03-07'), minute: 605 } };
  const events = [event('A', '2024-03-07', '09:00'), event('B', '2024-03-06', '14:00', { @@WORD@@: @@SOME@@, moved })];
  assert.deepEqual(titles(findConflicts(events, MARCH, 0)), ['A/B']);
});

test('add and edit tell of it', (t) => {
  const { run } = planner(t);
  run('add', 'Lunch tomorrow 12:30');
  const line = 'conflict: Wed 6 March 12:30-13:30 Lunch / Wed 6 March 13:45-14:45 Visit\n';
  assert.equal(run('add', 'Visit tomorrow 13:45 @@WORD@@ @@SOME@@m').out, `e2: Visit\n${line}`);
  assert.equal(run('edit', 'e2', '--@@WORD@@', '15m').out, 'e2: Visit\n');
  assert.equal(run('conflicts').out, 'no conflicts\n');
  assert.equal(run('edit', 'e2', '--@@WORD@@=1h').out, `e2: Visit\n${line}`);
  assert.equal(run('conflicts').out, line.slice(10));
});

test('free time does without it', () => {
  const events = [event('A', '2024-03-05', '11:00', { @@WORD@@: @@SOME@@ })];
  const hours = { start: 540, end: 1020, days: [0, 1, 2, 3, 4] };
  const slots = freeSlots(events, { from: day('2024-03-05'), to: day('2024-03-06'), least: 60, hours }, 0);
  assert.deepEqual(slots.map((slot) => slot.end - slot.start), [120 - @@SOME@@, 300]);
});

test('the grid of the week has it', (t) => {
  const { run } = planner(t);
  run('add', 'Visit 2024-03-04 11:00 @@WORD@@ @@SOME@@m');
  const rows = run('week', '--hours', '9:00-12:00').out.split('\n').map((row) => row.slice(0, 11));
  assert.deepEqual(rows.slice(1, 4), ['09:00 .....', '10:00 #####', '11:00 #####']);
});

test('beginnings and reminders are as before', () => {
  const events = [event('A', '2024-03-05', '11:00', { @@WORD@@: 45, reminders: [15] })];
  const span = spanOfDays(day('2024-03-05'), day('2024-03-06'), 0);
  assert.deepEqual(shown(occurrencesIn(events, span, 0)), ['2024-03-05 11:00 A']);
  assert.equal(occurrencesIn(events, span, 0)[0].end - occurrencesIn(events, span, 0)[0].start, 60);
  assert.deepEqual(remindersIn(events, span, 0).map((each) => formatInstant(each.at, 0)), ['2024-03-05 10:45']);
});

test('it is shown', (t) => {
  const { run } = planner(t);
  run('add', 'Visit tomorrow 13:45 @@WORD@@ 1h30m');
  run('add', 'Lunch tomorrow 10:00');
  assert.equal(run('show', 'e1').out, 'Visit (e1)\nWhen    Wed 6 March 13:45 (+00:00)\nLength  1h\nBefore  1h 30m\n');
  assert.equal(run('show', 'e2').out, 'Lunch (e2)\nWhen    Wed 6 March 10:00 (+00:00)\nLength  1h\n');
  assert.equal(run('agenda', '--days', '2').out, 'Wed 6 March\n  10:00-11:00  e2  Lunch\n  13:45-14:45  e1  Visit\n');
});

test('it is kept in the file of the planner', (t) => {
  const { file } = planner(t);
  const store = new Store();
  store.add([event('A', '2024-03-05', '09:00', { @@WORD@@: 20 }), event('B', '2024-03-05')]);
  saveStore(store, file('planner.json'));
  assert.deepEqual(loadStore(file('planner.json')).plain(), store.plain());
  const data = JSON.parse(fs.readFileSync(file('planner.json'), 'utf8'));
  for (const each of data.events) delete each.@@WORD@@;
  fs.writeFileSync(file('old.json'), JSON.stringify({ ...data, history: [] }));
  assert.deepEqual(loadStore(file('old.json')).events().map((each) => each.@@WORD@@), [0, 0]);
});

test('it is in calendar files', () => {
  const events = [event('A', '2024-03-05', '09:00', { id: 'e1', @@WORD@@: 75 }), event('B', '2024-03-05', '10:00', { id: 'e2' })];
  const text = writeIcs(events);
  assert.ok(text.includes('\r\nX-PLANNER-BEFORE:PT1H15M\r\n'), text);
  assert.equal(text.split('X-PLANNER-BEFORE').length, 2);
  assert.deepEqual(readIcs(text).events.map((each) => each.@@WORD@@), [75, 0]);
  const example = readIcs(fs.readFileSync('examples/travel.ics', 'utf8'));
  assert.deepEqual([example.events[0].@@WORD@@, example.warnings], [45, []]);
  assert.equal(readIcs(fs.readFileSync('examples/team.ics', 'utf8')).events[0].@@WORD@@, 0);
});
