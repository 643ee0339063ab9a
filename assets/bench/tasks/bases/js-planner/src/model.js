/**
 * Events and tasks. Both are frozen: whoever changes one makes another with the same id.
 */
import { formatDay, parseDay } from './dates.js';
import { InputError } from './errors.js';
import { DAY, formatTime } from './time.js';
import { parseOffset } from './zones.js';

export const STATUSES = ['confirmed', 'tentative', 'cancelled'];

const EVENT_DEFAULTS = {
  notes: '',
  minute: null,
  length: null,
  zone: '+00:00',
  rule: null,
  skipped: [],
  moved: {},
  tags: [],
  reminders: [],
  status: 'confirmed',
};

const TASK_DEFAULTS = {
  notes: '',
  due: null,
  dueMinute: null,
  priority: 0,
  tags: [],
  done: null,
  rule: null,
  after: [],
  estimate: null,
};

/**
 * An event begins on `day` at `minute`, as clocks in its own `zone` show it. Without a minute it takes whole days, and
 * belongs to no zone. `skipped` holds the keys of occurrences that do not take place, `moved` those that take place at
 * another time.
 */
export function makeEvent(fields) {
  const event = { ...EVENT_DEFAULTS, ...fields };
  known(fields, ['id', 'title', 'day', ...Object.keys(EVENT_DEFAULTS)], 'event');
  event.title = title(event.title);
  wholeNumber(event.day, 'day');
  if (event.minute !== null) {
    range(event.minute, 0, DAY - 1, 'minute');
    parseOffset(event.zone);
  }
  event.length ??= event.minute === null ? DAY : 60;
  if (event.minute === null && (event.length % DAY !== 0 || event.length === 0)) {
    throw new InputError('an event of whole days has a length of whole days');
  }
  range(event.length, 0, 366 * DAY, 'length');
  oneOf(event.status, STATUSES, 'status');
  event.tags = tags(event.tags);
  event.reminders = [...new Set(event.reminders)].sort((left, right) => left - right);
  event.reminders.forEach((minutes) => range(minutes, 0, 366 * DAY, 'reminder'));
  event.skipped = Object.freeze([...new Set(event.skipped)].sort());
  event.moved = Object.freeze({ ...event.moved });
  return Object.freeze(event);
}

/** A task is to be done until `due`, which may be null. `after` holds ids of tasks that have to be done before. */
export function makeTask(fields) {
  const task = { ...TASK_DEFAULTS, ...fields };
  known(fields, ['id', 'title', ...Object.keys(TASK_DEFAULTS)], 'task');
  task.title = title(task.title);
  if (task.due !== null) wholeNumber(task.due, 'due');
  if (task.dueMinute !== null) {
    if (task.due === null) throw new InputError('a task with a time needs a day');
    range(task.dueMinute, 0, DAY - 1, 'due minute');
  }
  if (task.rule !== null && task.due === null) throw new InputError('a task that comes again needs a day');
  range(task.priority, 0, 9, 'priority');
  task.tags = tags(task.tags);
  task.after = Object.freeze([...new Set(task.after)].sort());
  return Object.freeze(task);
}

/**
 * The name of one occurrence of an event: the day and time at which it would begin by the rule, in the zone of the
 * event. It stays the same when the occurrence is moved.
 */
export function occurrenceKey(event, day) {
  return event.minute === null ? formatDay(day) : `${formatDay(day)}T${formatTime(event.minute)}`;
}

/** The day in a key. */
export function dayOfKey(key) {
  return parseDay(key.slice(0, 10));
}

export function isEvent(item) {
  return 'day' in item;
}

export function isAllDay(event) {
  return event.minute === null;
}

function title(text) {
  const clean = typeof text === 'string' ? text.replace(/\s+/g, ' ').trim() : '';
  if (!clean) throw new InputError('a title is missing');
  return clean;
}

function tags(names) {
  const clean = names.map((name) => name.toLowerCase());
  const wrong = clean.find((name) => !/^[\p{L}\p{N}_-]+$/u.test(name));
  if (wrong !== undefined) throw new InputError(`'${wrong}' is no tag`);
  return Object.freeze([...new Set(clean)].sort());
}

function known(fields, names, what) {
  const strange = Object.keys(fields).find((name) => !names.includes(name));
  if (strange !== undefined) throw new InputError(`an ${what} has no '${strange}'`.replace('an task', 'a task'));
}

function wholeNumber(value, name) {
  if (!Number.isInteger(value)) throw new InputError(`'${name}' is no whole number`);
}

function range(value, least, most, name) {
  wholeNumber(value, name);
  if (value < least || value > most) throw new InputError(`'${name}' is not from ${least} to ${most}`);
}

function oneOf(value, values, name) {
  if (!values.includes(value)) throw new InputError(`'${value}' is no ${name}; there are ${values.join(', ')}`);
}
