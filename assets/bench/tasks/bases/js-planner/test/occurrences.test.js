import assert from 'node:assert/strict';
import test from 'node:test';
import { day, event, shown } from '../helpers/planner.js';
import { occurrencesIn, occurrencesOf, spanOfDays, takesPlace } from '../src/occurrences.js';

const span = (from, to, viewer = 0) => spanOfDays(day(from), day(to), viewer);

test('single events in a span', () => {
  const lunch = event('Lunch', '2024-03-05', '12:30');
  assert.deepEqual(shown(occurrencesOf(lunch, span('2024-03-05', '2024-03-06'), 0)), ['2024-03-05 12:30 Lunch']);
  assert.deepEqual(occurrencesOf(lunch, span('2024-03-06', '2024-03-07'), 0), []);
});

test('what began the day before is there', () => {
  const night = event('Night train', '2024-03-04', '22:00', { length: 600 });
  assert.equal(occurrencesOf(night, span('2024-03-05', '2024-03-06'), 0).length, 1);
  assert.equal(occurrencesOf(night, span('2024-03-06', '2024-03-07'), 0).length, 0);
});

test('rules with exceptions', () => {
  const yoga = event('Yoga', '2024-03-05', '18:00', {
    rule: 'FREQ=DAILY;COUNT=5',
    skipped: ['2024-03-06T18:00'],
    moved: { '2024-03-07T18:00': { day: day('2024-03-11'), minute: 600 } },
  });
  assert.deepEqual(shown(occurrencesOf(yoga, span('2024-03-01', '2024-03-31'), 0)), [
    '2024-03-05 18:00 Yoga',
    '2024-03-08 18:00 Yoga',
    '2024-03-09 18:00 Yoga',
    '2024-03-11 10:00 Yoga',
  ]);
});

test('moved ones that the rule has no more are gone', () => {
  const yoga = event('Yoga', '2024-03-05', '18:00', { moved: { '2024-03-07T18:00': { day: day('2024-03-11'), minute: 600 } } });
  assert.equal(occurrencesOf(yoga, span('2024-03-01', '2024-03-31'), 0).length, 1);
  assert.equal(takesPlace(yoga, '2024-03-05T18:00'), true);
  assert.equal(takesPlace(yoga, '2024-03-05T19:00'), false);
});

test('events are seen from another zone', () => {
  const call = event('Call', '2024-03-05', '09:00', { zone: '+11:00' });
  assert.deepEqual(shown(occurrencesOf(call, span('2024-03-04', '2024-03-05', 60), 60), 60), ['2024-03-04 23:00 Call']);
});

test('whole days are those of the viewer', () => {
  const trip = event('Trip', '2024-03-05', null, { length: 2 * 1440 });
  for (const viewer of [-480, 0, 660]) {
    assert.equal(occurrencesOf(trip, span('2024-03-04', '2024-03-05', viewer), viewer).length, 0);
    assert.equal(occurrencesOf(trip, span('2024-03-06', '2024-03-07', viewer), viewer).length, 1);
  }
});

test('all that takes place, in order', () => {
  const events = [
    event('Late', '2024-03-05', '20:00'),
    event('Fair', '2024-03-05'),
    event('Off', '2024-03-05', '08:00', { status: 'cancelled' }),
    event('Early', '2024-03-05', '07:00'),
  ];
  assert.deepEqual(occurrencesIn(events, span('2024-03-05', '2024-03-06'), 0).map((each) => each.event.title), ['Fair', 'Early', 'Late']);
});
