/**
 * Everything about one event or task.
 */
import { formatDay, spokenDay } from '../dates.js';
import { formatDuration } from '../durations.js';
import { isAllDay, isEvent } from '../model.js';
import { describeRule } from '../recurrence/describe.js';
import { blockers } from '../tasks.js';
import { DAY, formatTime } from '../time.js';
import { columns, lines, wrap } from './wrap.js';

export function details(item, store, { today, width }) {
  const rows = isEvent(item) ? eventRows(item, today) : taskRows(item, store, today);
  if (item.tags.length > 0) rows.push(['Tags', item.tags.map((tag) => `#${tag}`).join(' ')]);
  const text = [`${item.title} (${item.id})`, ...columns(rows)];
  if (item.notes) text.push('', ...wrap(item.notes, width));
  return lines(text);
}

function eventRows(event, today) {
  const rows = [['When', whenText(event, today)]];
  rows.push(['Length', isAllDay(event) && event.length === DAY ? '1 day' : formatDuration(event.length)]);
  if (event.rule) rows.push(['Repeats', describeRule(event.rule)]);
  if (event.skipped.length > 0) rows.push(['Not on', event.skipped.map(keyText).join(', ')]);
  for (const [key, change] of Object.entries(event.moved)) {
    rows.push(['Moved', `${keyText(key)} to ${formatDay(change.day)}${change.minute === null ? '' : ` ${formatTime(change.minute)}`}`]);
  }
  if (event.status !== 'confirmed') rows.push(['Status', event.status]);
  if (event.reminders.length > 0) rows.push(['Reminders', event.reminders.map(formatDuration).join(', ')]);
  return rows;
}

function whenText(event, today) {
  const day = spokenDay(event.day, today);
  return isAllDay(event) ? day : `${day} ${formatTime(event.minute)} (${event.zone})`;
}

function keyText(key) {
  return key.replace('T', ' ');
}

function taskRows(task, store, today) {
  const rows = [];
  if (task.due !== null) {
    const time = task.dueMinute === null ? '' : ` ${formatTime(task.dueMinute)}`;
    rows.push(['Due', spokenDay(task.due, today) + time]);
  }
  if (task.priority > 0) rows.push(['Priority', String(task.priority)]);
  if (task.estimate !== null) rows.push(['Estimate', formatDuration(task.estimate)]);
  if (task.rule) rows.push(['Repeats', describeRule(task.rule)]);
  const waiting = blockers(task, store.tasks());
  if (waiting.length > 0) rows.push(['Waits for', waiting.map((other) => `${other.title} (${other.id})`).join(', ')]);
  rows.push(['Status', task.done === null ? 'open' : `done on ${formatDay(task.done)}`]);
  return rows;
}
