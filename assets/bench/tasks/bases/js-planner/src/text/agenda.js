/**
 * Days below each other, with what takes place and what is due.
 */
import { spokenDay } from '../dates.js';
import { occurrencesIn, spanOfDays } from '../occurrences.js';
import { isOpen } from '../tasks.js';
import { DAY, formatTime, momentAt } from '../time.js';
import { columns, cut, lines } from './wrap.js';

/** The agenda of days `from` and before `to`. Days without anything are left out. */
export function agenda(store, { from, to, today, viewer, width }) {
  const blocks = [];
  for (let day = from; day < to; day += 1) {
    const rows = rowsOfDay(store, day, viewer);
    if (rows.length === 0) continue;
    const head = spokenDay(day, today) + (day === today ? ' (today)' : '');
    blocks.push([head, ...columns(rows).map((line) => cut(`  ${line}`, width))]);
  }
  if (blocks.length === 0) return 'nothing\n';
  return blocks.map(lines).join('\n');
}

/** Rows of time, id and title: whole days first, then by time, then tasks. */
export function rowsOfDay(store, day, viewer) {
  const span = spanOfDays(day, day + 1, viewer);
  const events = occurrencesIn(store.events(), span, viewer).map((each) => [
    timeText(each, day, viewer),
    each.event.id,
    titleText(each),
  ]);
  const tasks = store
    .tasks()
    .filter((task) => isOpen(task) && task.due === day)
    .sort((left, right) => (left.dueMinute ?? DAY) - (right.dueMinute ?? DAY) || left.title.localeCompare(right.title))
    .map((task) => [task.dueMinute === null ? 'due' : `due ${formatTime(task.dueMinute)}`, task.id, task.title]);
  return [...events, ...tasks];
}

/** `14:30-16:00`; an arrow where it comes from the day before or goes on to the next. */
export function timeText(occurrence, day, viewer) {
  if (occurrence.allDay) return 'all day';
  const start = momentAt(occurrence.start, viewer);
  const end = momentAt(occurrence.end, viewer);
  const from = start.day < day ? '<' : formatTime(start.minute);
  if (occurrence.end === occurrence.start) return from;
  if (end.day > day) return end.day === day + 1 && end.minute === 0 ? `${from}-24:00` : `${from}->`;
  return `${from}-${formatTime(end.minute)}`;
}

function titleText({ event, moved }) {
  const marks = [];
  if (event.status === 'tentative') marks.push('?');
  if (moved) marks.push('(moved)');
  const tags = event.tags.map((tag) => `#${tag}`);
  return [event.title, ...marks, ...tags].join(' ');
}
