import assert from 'node:assert/strict';
import test from 'node:test';
import { day, event } from '../helpers/planner.js';
import { conflictsWith, findConflicts } from '../src/conflicts.js';
import { freeSlots, merged, without } from '../src/free.js';
import { spanOfDays } from '../src/occurrences.js';
import { remindersIn, reminderText } from '../src/reminders.js';
import { formatInstant } from '../src/time.js';

const MARCH = spanOfDays(day('2024-03-01'), day('2024-04-01'), 0);
const HOURS = { start: 540, end: 1020, days: [0, 1, 2, 3, 4] };

const titles = (pairs) => pairs.map(({ first, second }) => `${first.event.title}/${second.event.title}`);

test('events at the same time', () => {
  const events = [
    event('A', '2024-03-05', '09:00'),
    event('B', '2024-03-05', '09:30'),
    event('C', '2024-03-05', '10:00'),
    event('Fair', '2024-03-05'),
    event('Perhaps', '2024-03-05', '09:00', { status: 'tentative' }),
  ];
  assert.deepEqual(titles(findConflicts(events, MARCH, 0)), ['A/B', 'B/C']);
});

test('conflicts of something new', () => {
  const old = event('Old', '2024-03-07', '09:00', { id: 'e1' });
  const fresh = event('New', '2024-03-05', '09:30', { id: 'e2', rule: 'FREQ=DAILY' });
  assert.deepEqual(titles(conflictsWith(fresh, [old, fresh], 0)), ['Old/New']);
  assert.deepEqual(conflictsWith(event('Whole', '2024-03-07'), [old], 0), []);
});

test('spans are merged and taken out', () => {
  assert.deepEqual(merged([{ start: 5, end: 7 }, { start: 1, end: 3 }, { start: 3, end: 4 }]), [{ start: 1, end: 4 }, { start: 5, end: 7 }]);
  assert.deepEqual(without({ start: 0, end: 10 }, [{ start: -5, end: 2 }, { start: 4, end: 5 }, { start: 9, end: 12 }]), [
    { start: 2, end: 4 },
    { start: 5, end: 9 },
  ]);
});

test('free time in working hours', () => {
  const events = [event('A', '2024-03-08', '10:00', { length: 90 }), event('Night', '2024-03-10', '23:00', { length: 660 })];
  const slots = freeSlots(events, { from: day('2024-03-08'), to: day('2024-03-12'), least: 120, hours: HOURS }, 0);
  assert.deepEqual(slots.map((slot) => `${formatInstant(slot.start, 0)} ${slot.end - slot.start}`), [
    '2024-03-08 11:30 330',
    '2024-03-11 10:00 420',
  ]);
});

test('reminders come before their event', () => {
  const yoga = event('Yoga', '2024-03-05', '18:00', { rule: 'FREQ=DAILY', reminders: [1440, 15] });
  const found = remindersIn([yoga], spanOfDays(day('2024-03-05'), day('2024-03-06'), 0), 0);
  assert.deepEqual(found.map((each) => `${formatInstant(each.at, 0)} ${reminderText(each)}`), [
    '2024-03-05 17:45 in 15m: Yoga',
    '2024-03-05 18:00 in 1d: Yoga',
  ]);
});
