/**
 * Commands that change something.
 */
import fs from 'node:fs';
import { conflictText } from './texts.js';
import { none, single } from './views.js';
import { conflictsWith } from '../conflicts.js';
import { formatDay, spokenDay } from '../dates.js';
import { parseDuration } from '../durations.js';
import { FileError, InputError } from '../errors.js';
import { readIcs } from '../ics/reader.js';
import { writeIcs } from '../ics/writer.js';
import { isAllDay, isEvent, makeEvent, makeTask } from '../model.js';
import { quickAdd } from '../quick.js';
import { parseRule } from '../recurrence/rule.js';
import { search } from '../search/search.js';
import { complete } from '../tasks.js';
import { instantOf, momentAt, parseTime } from '../time.js';
import { lines } from '../text/wrap.js';
import { parseOffset } from '../zones.js';

export const CHANGES = {
  add: {
    help: 'add TEXT                                    an event, or a task with "todo" before it',
    options: { notes: 'text', rule: 'text' },
    run(context, options, words) {
      let item = quickAdd(words.join(' '), context.today, context.config.zones);
      const more = {};
      if (options.notes !== undefined) more.notes = options.notes;
      if (options.rule !== undefined) more.rule = parseRule(options.rule);
      item = remade(item, more);
      const [made] = context.store.add([item]);
      const text = [`${made.id}: ${made.title}`];
      if (isEvent(made)) text.push(...warnings(made, context));
      return lines(text);
    },
  },

  edit: {
    help: 'edit ID [--title …] [--notes …] [--tag …] [--day DAY] [--time TIME] [--length …] [--@@WORD@@ …] [--status …] [--priority N]',
    options: { title: 'text', notes: 'text', tag: 'list', day: 'text', time: 'text', length: 'text', @@WORD@@: 'text', status: 'text', priority: 'text', rule: 'text' },
    run(context, options, words) {
      const item = context.store.get(single(words, 'an id'));
      const [changed] = context.store.replace([remade(item, edited(item, options, context))]);
      return lines([`${changed.id}: ${changed.title}`, ...(isEvent(changed) ? warnings(changed, context) : [])]);
    },
  },

  skip: {
    help: 'skip ID DAY                                 an occurrence does not take place',
    options: {},
    run(context, options, words) {
      const [event, occurrence] = chosen(context, words, 2);
      context.store.skip(event.id, occurrence.key);
      return `${event.id}: not on ${spokenDay(momentAt(occurrence.start, context.viewer).day, context.today)}\n`;
    },
  },

  move: {
    help: 'move ID DAY NEWDAY [TIME]                   an occurrence takes place at another time',
    options: {},
    run(context, options, words) {
      const [event, occurrence] = chosen(context, words.slice(0, 2), 2);
      if (words.length < 3 || words.length > 4) throw new InputError('move is followed by an id, a day, the new day and a time');
      const day = context.day(words[2]);
      context.store.move(event.id, occurrence.key, target(event, occurrence, day, words[3], context));
      return `${event.id}: moved to ${spokenDay(day, context.today)}\n`;
    },
  },

  done: {
    help: 'done ID                                     a task is done',
    options: {},
    run(context, options, words) {
      const task = context.store.task(single(words, 'an id'));
      const { done, next } = complete(task, context.today);
      const [made] = context.store.replaceAndAdd([done], next === null ? [] : [next], 'done');
      return lines([`${done.id}: done`, ...(made ? [`${made.id}: ${made.title}, due ${formatDay(made.due)}`] : [])]);
    },
  },

  remove: {
    help: 'remove ID…                                  takes events and tasks away',
    options: {},
    run(context, options, words) {
      if (words.length === 0) throw new InputError('an id is needed here');
      return lines(context.store.remove(words).map((item) => `${item.id}: removed '${item.title}'`));
    },
  },

  undo: {
    help: 'undo                                        takes the last change back',
    options: {},
    run(context, options, words) {
      none(words);
      const { label, changes } = context.store.undo();
      return `undone: ${label} ${changes.map(({ before, after }) => (after ?? before).id).join(', ')}\n`;
    },
  },

  import: {
    help: 'import FILE                                 events and tasks of a calendar file',
    options: {},
    run(context, options, words) {
      const { events, tasks, warnings: found } = readIcs(readText(single(words, 'a file')), context.viewer);
      if (events.length + tasks.length > 0) context.store.add([...events, ...tasks], 'import');
      return lines([`${events.length} events, ${tasks.length} tasks`, ...found.map((warning) => `note: ${warning}`)]);
    },
  },

  export: {
    help: 'export [TERMS]                              a calendar file of all, or of what a search finds',
    options: {},
    run(context, options, words) {
      const { store } = context;
      if (words.length === 0) return writeIcs(store.events(), store.tasks());
      const found = search(store, words.join(' '), context.today);
      return writeIcs(found.filter(isEvent), found.filter((item) => !isEvent(item)));
    },
  },
};

function remade(item, fields) {
  return isEvent(item) ? makeEvent({ ...item, ...fields }) : makeTask({ ...item, ...fields });
}

/** Fields from the options of `edit`. Times are those of the zone of the event. */
function edited(item, options, context) {
  const fields = {};
  if (options.title !== undefined) fields.title = options.title;
  if (options.notes !== undefined) fields.notes = options.notes;
  if (options.tag !== undefined) fields.tags = options.tag;
  if (options.rule !== undefined) fields.rule = options.rule === '' ? null : parseRule(options.rule);
  if (options.day !== undefined) fields[isEvent(item) ? 'day' : 'due'] = context.day(options.day);
  if (options.time !== undefined) fields[isEvent(item) ? 'minute' : 'dueMinute'] = parseTime(options.time);
  if (options.length !== undefined) fields[isEvent(item) ? 'length' : 'estimate'] = parseDuration(options.length);
  if (options.@@WORD@@ !== undefined) fields.@@WORD@@ = parseDuration(options.@@WORD@@);
  if (options.status !== undefined) fields.status = options.status;
  if (options.priority !== undefined) fields.priority = Number(options.priority);
  if (Object.keys(fields).length === 0) throw new InputError('there is nothing to change');
  return fields;
}

function warnings(event, context) {
  return conflictsWith(event, context.store.events(), context.viewer).map((pair) => `conflict: ${conflictText(pair, context)}`);
}

/** The event and the occurrence that an id and a day name. */
function chosen(context, words, expected) {
  if (words.length !== expected) throw new InputError('an id and a day are needed here');
  const event = context.store.event(words[0]);
  return [event, context.occurrenceOn(event, context.day(words[1]))];
}

/** Where an occurrence is moved to, in the zone of its event. Without a time, that of the viewer's clock stays. */
function target(event, occurrence, day, time, context) {
  if (isAllDay(event)) {
    if (time !== undefined) throw new InputError('an event of whole days has no time');
    return { day, minute: null };
  }
  const minute = time === undefined ? momentAt(occurrence.start, context.viewer).minute : parseTime(time);
  const moment = momentAt(instantOf(day, minute, context.viewer), parseOffset(event.zone));
  return { day: moment.day, minute: moment.minute };
}

function readText(path) {
  try {
    return fs.readFileSync(path, 'utf8');
  } catch (error) {
    throw new FileError(`cannot read ${path}: ${error.message}`);
  }
}
