import assert from 'node:assert/strict';
import fs from 'node:fs';
import test from 'node:test';
import { day, event, task } from '../helpers/planner.js';
import { InputError } from '../src/errors.js';
import { fold, formatLine, parseLine, unfold } from '../src/ics/lines.js';
import { readIcs } from '../src/ics/reader.js';
import { escapeText, splitList, unescapeText } from '../src/ics/values.js';
import { writeIcs } from '../src/ics/writer.js';

const calendar = (...lines) => ['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR', ''].join('\r\n');
const single = (...lines) => readIcs(calendar('BEGIN:VEVENT', 'UID:1', 'SUMMARY:x', ...lines, 'END:VEVENT'), 60).events[0];

test('lines are folded between characters', () => {
  const line = `SUMMARY:${'é'.repeat(60)}${'🎉'.repeat(10)}`;
  const pieces = fold(line).split('\r\n');
  assert.ok(pieces.length > 2);
  for (const piece of pieces) assert.ok(Buffer.byteLength(piece) <= 75, piece);
  assert.equal(unfold(fold(line))[0].text, line);
});

test('lines have parameters', () => {
  const line = parseLine({ text: 'dtstart;TZID="A:B";X=1:2024:03', number: 1 });
  assert.deepEqual([line.name, line.params, line.value], ['DTSTART', { TZID: 'A:B', X: '1' }, '2024:03']);
  assert.equal(formatLine('DTSTART', 'v', { TZID: 'UTC+02:00' }), 'DTSTART;TZID="UTC+02:00":v');
  for (const text of ['SUMMARY', ':x', 'A;B:x']) assert.throws(() => parseLine({ text, number: 1 }), InputError);
});

test('texts are escaped', () => {
  const text = 'a,b;c\\d\ne';
  assert.equal(escapeText(text), 'a\\,b\\;c\\\\d\\ne');
  assert.equal(unescapeText(escapeText(text)), text);
  assert.deepEqual(splitList('a\\,b,c'), ['a\\,b', 'c']);
});

test('times and lengths of events', () => {
  assert.deepEqual([single('DTSTART:20240305T143000').zone, single('DTSTART:20240305T143000Z').zone], ['+01:00', '+00:00']);
  assert.equal(single('DTSTART:20240305T143000', 'DTEND:20240305T160000').length, 90);
  assert.equal(single('DTSTART;VALUE=DATE:20240305', 'DTEND;VALUE=DATE:20240308').length, 3 * 1440);
  assert.equal(single('DTSTART;VALUE=DATE:20240305').minute, null);
});

test('exceptions in the zone of the event and in another', () => {
  const found = single('DTSTART:20240305T003000', 'RRULE:FREQ=DAILY', 'EXDATE:20240306T003000', 'EXDATE:20240306T233000Z');
  assert.deepEqual(found.skipped, ['2024-03-06T00:30', '2024-03-07T00:30']);
});

test('moved and cancelled occurrences', () => {
  const text = calendar(
    'BEGIN:VEVENT', 'UID:1', 'SUMMARY:x', 'DTSTART:20240305T090000', 'DURATION:PT1H', 'RRULE:FREQ=DAILY', 'END:VEVENT',
    'BEGIN:VEVENT', 'UID:1', 'RECURRENCE-ID:20240306T090000', 'DTSTART:20240307T100000Z', 'DURATION:PT2H', 'END:VEVENT',
    'BEGIN:VEVENT', 'UID:1', 'RECURRENCE-ID:20240308T080000Z', 'STATUS:CANCELLED', 'DTSTART:20240308T090000', 'END:VEVENT',
  );
  const { events } = readIcs(text, 60);
  assert.equal(events.length, 1);
  assert.deepEqual(events[0].moved, { '2024-03-06T09:00': { day: day('2024-03-07'), minute: 660, length: 120 } });
  assert.deepEqual(events[0].skipped, ['2024-03-08T09:00']);
});

test('what cannot be read is named', () => {
  const text = calendar(
    'BEGIN:VEVENT', 'SUMMARY:Hourly', 'DTSTART:20240305T090000', 'RRULE:FREQ=HOURLY', 'END:VEVENT',
    'BEGIN:VEVENT', 'SUMMARY:Mars', 'DTSTART;TZID=Mars:20240305T090000', 'END:VEVENT',
  );
  const { events, warnings } = readIcs(text, 60);
  assert.deepEqual(events.map((each) => each.title), ['Mars']);
  assert.deepEqual(warnings.map((warning) => warning.slice(0, 11)), ["'Hourly' is", "zone 'Mars'"]);
});

test('files that are no calendar', () => {
  for (const text of ['x', 'BEGIN:VEVENT\nEND:VEVENT\n', 'BEGIN:VCALENDAR\n', 'BEGIN:VCALENDAR\nEND:VEVENT\n']) {
    assert.throws(() => readIcs(text), InputError, text);
  }
});

test('what was written is read again', () => {
  const events = [
    event('Yoga, with; all', '2024-03-05', '18:00', {
      id: 'e1',
      rule: 'FREQ=WEEKLY;BYDAY=TU',
      zone: '-03:30',
      notes: 'first\nsecond',
      tags: ['sport'],
      reminders: [0, 15],
      status: 'tentative',
      skipped: ['2024-03-19T18:00'],
      moved: { '2024-03-12T18:00': { day: day('2024-03-13'), minute: 1080, length: 60 } },
    }),
    event('Fair', '2024-03-05', null, { id: 'e2', length: 2880 }),
  ];
  const tasks = [task('Tax', { id: 't1', due: '2024-05-31', priority: 2 }), task('Old', { id: 't2', done: '2024-03-01' })];
  const again = readIcs(writeIcs(events, tasks));
  const withoutIds = (items) => items.map(({ id, ...rest }) => rest);
  assert.deepEqual(again.events.map((each) => ({ ...each })), withoutIds(events));
  assert.deepEqual(again.tasks.map((each) => ({ ...each })), withoutIds(tasks));
  assert.deepEqual(again.warnings, []);
});

test('the example', () => {
  const { events, tasks, warnings } = readIcs(fs.readFileSync(new URL('../examples/team.ics', import.meta.url), 'utf8'));
  assert.deepEqual([events.length, tasks.length, warnings.length], [2, 1, 0]);
  assert.deepEqual(events[1].tags, ['travel', 'work']);
});
