/**
 * Which task comes next, and what happens when one is done.
 */
import { InputError } from './errors.js';
import { makeTask } from './model.js';
import { makeRule } from './recurrence/rule.js';
import { nextAfter } from './recurrence/expand.js';

export function isOpen(task) {
  return task.done === null;
}

/** Open tasks that have to be done before this one. */
export function blockers(task, tasks) {
  const byId = new Map([...tasks].map((each) => [each.id, each]));
  return task.after.map((id) => byId.get(id)).filter((other) => other !== undefined && isOpen(other));
}

/** Whether it waits for another one. */
export function isBlocked(task, tasks) {
  return blockers(task, tasks).length > 0;
}

/**
 * How pressing a task is. Days count most: late ones come first, then those of this week; a high priority (1) is worth
 * about a week. What is blocked can wait.
 */
export function urgency(task, tasks, today) {
  if (!isOpen(task)) return -Infinity;
  let points = 0;
  if (task.due !== null) {
    const left = task.due - today;
    if (left < 0) points += 40 + Math.min(-left, 20);
    else if (left <= 14) points += 30 - 2 * left;
  }
  if (task.priority > 0) points += 2 * (10 - task.priority);
  if (isBlocked(task, tasks)) points -= 50;
  return points;
}

/** Open tasks, the most pressing first; equal ones by day, then by title. */
export function sortedTasks(tasks, today) {
  const all = [...tasks];
  const points = new Map(all.map((task) => [task.id, urgency(task, all, today)]));
  return all
    .filter(isOpen)
    .sort(
      (left, right) =>
        points.get(right.id) - points.get(left.id) ||
        (left.due ?? Infinity) - (right.due ?? Infinity) ||
        left.title.localeCompare(right.title),
    );
}

/**
 * What becomes of a task that is done on a day: the task itself, and for one that comes again the next one, which has
 * no id yet.
 */
export function complete(task, day) {
  if (!isOpen(task)) throw new InputError(`'${task.title}' is done already`);
  const done = makeTask({ ...task, done: day });
  if (task.rule === null) return { done, next: null };
  const due = nextAfter(task.rule, task.due, Math.max(task.due, day));
  if (due === null) return { done, next: null };
  const { id, ...rest } = task;
  return { done, next: makeTask({ ...rest, due, rule: remaining(task.rule, task.due, due), after: [] }) };
}

/** The rule from a later day on: what was counted is gone. */
function remaining(rule, from, to) {
  if (rule.count === null) return rule;
  let gone = 0;
  let day = from;
  while (day !== null && day < to) {
    gone += 1;
    day = nextAfter(rule, from, day);
  }
  return makeRule({ ...rule, count: rule.count - gone });
}

/** Whether `task` would wait for itself, if it waited for `ids`. */
export function waitsForItself(task, ids, tasks) {
  const byId = new Map([...tasks].map((each) => [each.id, each]));
  const seen = new Set();
  const open = [...ids];
  while (open.length > 0) {
    const id = open.pop();
    if (id === task.id) return true;
    if (seen.has(id)) continue;
    seen.add(id);
    open.push(...(byId.get(id)?.after ?? []));
  }
  return false;
}
