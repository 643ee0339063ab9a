/**
 * Writes calendar files. Each zone in use gets a VTIMEZONE with a fixed offset.
 */
import { isoDuration } from '../durations.js';
import { dayOfKey, isAllDay } from '../model.js';
import { formatRule } from '../recurrence/rule.js';
import { parseOffset } from '../zones.js';
import { formatLine } from './lines.js';
import { escapeText, icsDay, icsTime } from './values.js';

/** The text of a calendar with these events and tasks. */
export function writeIcs(events, tasks = []) {
  const zones = new Set(events.filter((event) => !isAllDay(event)).map((event) => event.zone));
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//planner//planner//EN',
    ...[...zones].sort().flatMap(zoneLines),
    ...events.flatMap(eventLines),
    ...tasks.flatMap(taskLines),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${line}\r\n`).join('');
}

function zoneLines(zone) {
  const offset = zone.replace(':', '');
  return [
    'BEGIN:VTIMEZONE',
    formatLine('TZID', tzid(zone)),
    'BEGIN:STANDARD',
    'DTSTART:19700101T000000',
    `TZOFFSETFROM:${offset}`,
    `TZOFFSETTO:${offset}`,
    'END:STANDARD',
    'END:VTIMEZONE',
  ];
}

function tzid(zone) {
  return parseOffset(zone) === 0 ? 'UTC' : `UTC${zone}`;
}

/** A day or time of an event, in its zone. */
function timeLine(name, event, day, minute) {
  if (isAllDay(event)) return formatLine(name, icsDay(day), { VALUE: 'DATE' });
  return formatLine(name, icsTime(day, minute), { TZID: tzid(event.zone) });
}

function eventLines(event) {
  const lines = [
    'BEGIN:VEVENT',
    formatLine('UID', `${event.id}@planner`),
    formatLine('SUMMARY', escapeText(event.title)),
    timeLine('DTSTART', event, event.day, event.minute),
    formatLine('DURATION', isoDuration(event.length)),
  ];
  if (event.@@WORD@@ > 0) lines.push(formatLine('X-PLANNER-BEFORE', isoDuration(event.@@WORD@@)));
  if (event.notes) lines.push(formatLine('DESCRIPTION', escapeText(event.notes)));
  if (event.rule) lines.push(formatLine('RRULE', formatRule(event.rule)));
  for (const key of event.skipped) lines.push(timeLine('EXDATE', event, dayOfKey(key), event.minute));
  if (event.tags.length > 0) lines.push(formatLine('CATEGORIES', event.tags.map(escapeText).join(',')));
  if (event.status !== 'confirmed') lines.push(`STATUS:${event.status.toUpperCase()}`);
  lines.push(...event.reminders.flatMap(alarmLines), 'END:VEVENT');
  for (const [key, change] of Object.entries(event.moved)) lines.push(...changeLines(event, key, change));
  return lines;
}

/** A moved occurrence is an event of its own with the same name. */
function changeLines(event, key, change) {
  return [
    'BEGIN:VEVENT',
    formatLine('UID', `${event.id}@planner`),
    timeLine('RECURRENCE-ID', event, dayOfKey(key), event.minute),
    formatLine('SUMMARY', escapeText(event.title)),
    timeLine('DTSTART', event, change.day, change.minute),
    formatLine('DURATION', isoDuration(change.length ?? event.length)),
    'END:VEVENT',
  ];
}

function alarmLines(minutes) {
  return ['BEGIN:VALARM', 'ACTION:DISPLAY', `TRIGGER:${isoDuration(-minutes)}`, 'END:VALARM'];
}

function taskLines(task) {
  const lines = ['BEGIN:VTODO', formatLine('UID', `${task.id}@planner`), formatLine('SUMMARY', escapeText(task.title))];
  if (task.notes) lines.push(formatLine('DESCRIPTION', escapeText(task.notes)));
  if (task.due !== null) {
    lines.push(task.dueMinute === null ? `DUE;VALUE=DATE:${icsDay(task.due)}` : `DUE:${icsTime(task.due, task.dueMinute)}`);
  }
  if (task.priority > 0) lines.push(`PRIORITY:${task.priority}`);
  if (task.rule) lines.push(formatLine('RRULE', formatRule(task.rule)));
  if (task.tags.length > 0) lines.push(formatLine('CATEGORIES', task.tags.map(escapeText).join(',')));
  if (task.done !== null) lines.push('STATUS:COMPLETED', `COMPLETED:${icsTime(task.done, 0)}Z`);
  lines.push('END:VTODO');
  return lines;
}
