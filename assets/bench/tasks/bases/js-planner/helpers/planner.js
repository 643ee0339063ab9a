/**
 * Helps tests: days by their text, items with usual fields, and commands in a temporary folder.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { main } from '../src/cli/main.js';
import { formatDay, parseDay } from '../src/dates.js';
import { makeEvent, makeTask } from '../src/model.js';
import { parseRule } from '../src/recurrence/rule.js';
import { formatInstant, parseTime } from '../src/time.js';

export const day = parseDay;

/** An event from texts: `event('Yoga', '2024-03-05', '18:00', { rule: 'FREQ=DAILY' })`. */
export function event(title, date, time = null, { rule = null, ...more } = {}) {
  return makeEvent({
    title,
    day: parseDay(date),
    minute: time === null ? null : parseTime(time),
    rule: rule === null ? null : parseRule(rule),
    ...more,
  });
}

export function task(title, { due = null, rule = null, done = null, ...more } = {}) {
  return makeTask({
    title,
    due: due === null ? null : parseDay(due),
    done: done === null ? null : parseDay(done),
    rule: rule === null ? null : parseRule(rule),
    ...more,
  });
}

export const texts = (days) => [...days].map(formatDay);

/** `2024-03-05 18:00 Yoga` for each occurrence. */
export const shown = (occurrences, viewer = 0) =>
  occurrences.map((each) => `${formatInstant(each.start, viewer)} ${each.event.title}`);

/** A planner of its own in a temporary folder, which the test takes away at its end. */
export function planner(t, config = {}) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'planner-'));
  t.after(() => fs.rmSync(folder, { recursive: true, force: true }));
  const configure = (fields) => fs.writeFileSync(path.join(folder, 'config.json'), JSON.stringify(fields));
  configure(config);
  const run = (...words) => {
    const said = { out: '', err: '' };
    const io = {
      out: (text) => {
        said.out += text;
      },
      err: (text) => {
        said.err += text;
      },
      env: { PLANNER_HOME: folder },
      now: () => new Date(Date.UTC(2024, 2, 5, 10, 0)),
    };
    return { code: main(words, io), ...said };
  };
  return { folder, run, configure, file: (name) => path.join(folder, name) };
}
