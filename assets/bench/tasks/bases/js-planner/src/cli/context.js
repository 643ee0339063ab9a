/**
 * What every command gets: the store, the settings, and what time it is.
 */
import path from 'node:path';
import { readConfig } from '../config.js';
import { parseDay } from '../dates.js';
import { InputError } from '../errors.js';
import { occurrencesOf, spanOfDays } from '../occurrences.js';
import { dayWord } from '../quick.js';
import { loadStore, saveStore } from '../store/file.js';
import { instantOfDate, momentAt, parseInstant } from '../time.js';

export class Context {
  constructor({ store, config, now, file = null }) {
    this.store = store;
    this.config = config;
    this.now = now;
    this.file = file;
    this.viewer = config.zones.home;
    this.today = momentAt(now, this.viewer).day;
  }

  save() {
    if (this.file !== null) saveStore(this.store, this.file);
  }

  /** A day as people type it: `2024-03-05`, `today`, `fri`. */
  day(text) {
    const day = dayWord(text.toLowerCase(), this.today);
    return day ?? parseDay(text);
  }

  /** Options that all lists of days have: `--from`, `--to`, `--days`. */
  days(options, usual) {
    const from = options.from === undefined ? this.today : this.day(options.from);
    if (options.to !== undefined) {
      if (options.days !== undefined) throw new InputError("'--to' and '--days' at once");
      const to = this.day(options.to) + 1;
      if (to <= from) throw new InputError("'--to' is before '--from'");
      return { from, to };
    }
    return { from, to: from + count(options.days ?? String(usual), '--days') };
  }

  /** The occurrence of an event on a day, as the viewer sees it. */
  occurrenceOn(event, day) {
    const span = spanOfDays(day, day + 1, this.viewer);
    const found = occurrencesOf(event, span, this.viewer).filter((each) => each.start >= span.start);
    if (found.length === 0) throw new InputError(`'${event.title}' does not begin on that day`);
    return found[0];
  }
}

export function count(text, name) {
  if (!/^\d+$/.test(text) || Number(text) < 1) throw new InputError(`'${name}' is a number of at least 1, not '${text}'`);
  return Number(text);
}

/** From the options before the command: `--file`, `--config`, `--now`. */
export function openContext(options, io) {
  const folder = io.env.PLANNER_HOME ?? path.join(io.env.HOME ?? '.', '.planner');
  const config = readConfig(options.config ?? path.join(folder, 'config.json'));
  const file = options.file ?? path.join(folder, 'planner.json');
  const now = options.now === undefined ? instantOfDate(io.now()) : parseInstant(options.now, config.zones.home);
  return new Context({ store: loadStore(file), config, now, file });
}
