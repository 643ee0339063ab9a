/**
 * The store in a JSON file. It is written beside its place and then renamed, so that nothing is lost when the power
 * goes.
 */
import fs from 'node:fs';
import path from 'node:path';
import { formatDay, parseDay } from '../dates.js';
import { FileError } from '../errors.js';
import { makeEvent, makeTask } from '../model.js';
import { formatRule, parseRule } from '../recurrence/rule.js';
import { Store } from './store.js';

const VERSION = 2;

/** Fields that hold days, which are written as text. */
const DAYS = { event: ['day'], task: ['due', 'done'] };

export function loadStore(file) {
  let text;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return new Store();
    throw new FileError(`cannot read ${file}: ${error.message}`);
  }
  try {
    return storeOf(JSON.parse(text));
  } catch (error) {
    throw new FileError(`${file}: ${error.message}`);
  }
}

export function saveStore(store, file) {
  const text = `${JSON.stringify(dataOf(store), null, 2)}\n`;
  const beside = path.join(path.dirname(file), `.${path.basename(file)}.new`);
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(beside, text);
    fs.renameSync(beside, file);
  } catch (error) {
    throw new FileError(`cannot write ${file}: ${error.message}`);
  }
}

/** What is written of a store. */
export function dataOf(store) {
  const { events, tasks, counters, history } = store.plain();
  return {
    version: VERSION,
    counters,
    events: events.map(written),
    tasks: tasks.map(written),
    history: history.map(({ label, changes }) => ({
      label,
      changes: changes.map(({ before, after }) => ({ before: before && written(before), after: after && written(after) })),
    })),
  };
}

/** A store of what was written. */
export function storeOf(data) {
  if (data.version !== VERSION) throw new FileError(`this is version ${data.version}, not ${VERSION}`);
  return Store.from({
    counters: data.counters,
    events: data.events.map(read),
    tasks: data.tasks.map(read),
    history: data.history.map(({ label, changes }) => ({
      label,
      changes: changes.map(({ before, after }) => ({ before: before && read(before), after: after && read(after) })),
    })),
  });
}

/** An event or task as plain data. Empty fields are left out. */
function written(item) {
  const data = {};
  for (const [name, value] of Object.entries(item)) {
    if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) continue;
    data[name] = value;
  }
  if ('day' in item) data.moved = mapped(item.moved, (change) => ({ ...change, day: formatDay(change.day) }));
  for (const name of DAYS['day' in item ? 'event' : 'task']) {
    if (data[name] !== undefined) data[name] = formatDay(data[name]);
  }
  if (item.rule) data.rule = formatRule(item.rule);
  return data;
}

function read(data) {
  const isEvent = 'day' in data;
  const item = { ...data };
  for (const name of DAYS[isEvent ? 'event' : 'task']) {
    if (item[name] !== undefined) item[name] = parseDay(item[name]);
  }
  if (item.rule) item.rule = parseRule(item.rule);
  if (!isEvent) return makeTask(item);
  return makeEvent({ ...item, moved: mapped(item.moved ?? {}, (change) => ({ ...change, day: parseDay(change.day) })) });
}

function mapped(object, change) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}
