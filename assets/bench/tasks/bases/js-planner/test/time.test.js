import assert from 'node:assert/strict';
import test from 'node:test';
import { parseDay } from '../src/dates.js';
import { formatDuration, isoDuration, parseDuration, parseIsoDuration } from '../src/durations.js';
import { InputError } from '../src/errors.js';
import { formatInstant, formatTime, instantOf, momentAt, overlaps, parseInstant, parseTime } from '../src/time.js';
import { formatOffset, parseOffset, Zones } from '../src/zones.js';

test('times of the day', () => {
  const times = { '14:30': 870, '9:05': 545, '9am': 540, '12am': 0, '12pm': 720, '1:15pm': 795, '24:00': 1440 };
  for (const [text, minute] of Object.entries(times)) assert.equal(parseTime(text), minute, text);
  assert.equal(formatTime(545), '09:05');
  for (const text of ['9', '25:00', '24:01', '9:60', '13pm', '']) assert.throws(() => parseTime(text), InputError, text);
});

test('one instant on two clocks', () => {
  const instant = instantOf(parseDay('2024-03-05'), 60, 120);
  assert.equal(formatInstant(instant, 0), '2024-03-04 23:00');
  assert.deepEqual(momentAt(instant, 120), { day: parseDay('2024-03-05'), minute: 60, offset: 120 });
  assert.equal(parseInstant('2024-03-05T01:00', 120), instant);
});

test('edges do not overlap', () => {
  assert.equal(overlaps({ start: 0, end: 5 }, { start: 5, end: 9 }), false);
  assert.equal(overlaps({ start: 0, end: 6 }, { start: 5, end: 9 }), true);
});

test('lengths of time', () => {
  assert.deepEqual(['1h30m', '90m', '2d', '1w', '1.5h'].map(parseDuration), [90, 90, 2880, 10080, 90]);
  assert.deepEqual([0, 90, 1440, 1501, -15].map(formatDuration), ['0m', '1h 30m', '1d', '1d 1h 1m', '-15m']);
  for (const text of ['', '5', 'h', '1x', '1h 30m', '0.001h']) assert.throws(() => parseDuration(text), InputError, text);
});

test('lengths of time in calendar files', () => {
  const lengths = { PT1H30M: 90, P1D: 1440, P2W: 20160, '-PT15M': -15, P1DT2H: 1560, PT0M: 0 };
  for (const [text, minutes] of Object.entries(lengths)) assert.equal(parseIsoDuration(text), minutes, text);
  for (const minutes of [0, 15, 90, 1440, 1560, -15]) assert.equal(parseIsoDuration(isoDuration(minutes)), minutes);
  for (const text of ['P', 'PT', '1H', 'P1H']) assert.throws(() => parseIsoDuration(text), InputError, text);
});

test('zones by offset and by name', () => {
  const zones = new Zones('+02:00', { Sydney: '+11:00', mars: '-03:30' });
  assert.deepEqual(['home', 'sydney', 'mars', '+01:00', 'Z'].map((zone) => zones.offset(zone)), [120, 660, -210, 60, 0]);
  assert.equal(zones.fixed('mars'), '-03:30');
  assert.equal(zones.has('venus'), false);
  assert.equal(formatOffset(parseOffset('-0330')), '-03:30');
  assert.throws(() => new Zones('+15:00'), InputError);
});
