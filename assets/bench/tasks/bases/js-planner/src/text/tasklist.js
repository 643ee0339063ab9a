/**
 * Open tasks, the most pressing first.
 */
import { spokenDay } from '../dates.js';
import { isBlocked, sortedTasks } from '../tasks.js';
import { columns, cut, lines } from './wrap.js';

export function taskList(store, { today, width, limit = Infinity }) {
  const tasks = sortedTasks(store.tasks(), today);
  if (tasks.length === 0) return 'nothing to do\n';
  const rows = tasks.slice(0, limit).map((task) => [
    task.id,
    task.priority > 0 ? `!${task.priority}` : '',
    task.due === null ? '' : dueText(task.due, today),
    [task.title, ...task.tags.map((tag) => `#${tag}`), ...(isBlocked(task, store.tasks()) ? ['(waits)'] : [])].join(' '),
  ]);
  const rest = tasks.length - rows.length;
  const text = columns(rows).map((line) => cut(line, width));
  if (rest > 0) text.push(`and ${rest} more`);
  return lines(text);
}

function dueText(due, today) {
  if (due < today) return `${today - due}d late`;
  if (due === today) return 'today';
  if (due === today + 1) return 'tomorrow';
  return spokenDay(due, today);
}
