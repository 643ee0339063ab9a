/**
 * Settings, from a JSON file.
 *
 *     { "home": "+02:00", "zones": { "sydney": "+11:00" }, "weekStart": "monday", "work": "9:00-17:00", "width": 80 }
 */
import fs from 'node:fs';
import { WEEKDAYS } from './dates.js';
import { FileError, InputError } from './errors.js';
import { parseTime } from './time.js';
import { Zones } from './zones.js';

const KNOWN = ['home', 'zones', 'weekStart', 'work', 'workdays', 'width'];

export function defaultConfig() {
  return makeConfig({});
}

/** Settings from what the file holds. */
export function makeConfig(fields) {
  const strange = Object.keys(fields).find((name) => !KNOWN.includes(name));
  if (strange !== undefined) throw new InputError(`there is no setting '${strange}'`);
  const width = fields.width ?? 80;
  if (!Number.isInteger(width) || width < 40) throw new InputError("'width' is at least 40");
  return {
    zones: new Zones(fields.home ?? '+00:00', fields.zones ?? {}),
    weekStart: weekdayNamed(fields.weekStart ?? 'monday'),
    hours: { ...workHours(fields.work ?? '9:00-17:00'), days: (fields.workdays ?? WEEKDAYS.slice(0, 5)).map(weekdayNamed) },
    width,
  };
}

function weekdayNamed(name) {
  const index = WEEKDAYS.findIndex((each) => each.toLowerCase() === String(name).toLowerCase());
  if (index < 0) throw new InputError(`'${name}' is no day of the week`);
  return index;
}

function workHours(text) {
  const [start, end] = text.split('-').map((piece) => parseTime(piece.trim()));
  if (end === undefined || end <= start) throw new InputError(`'${text}' are no hours like 9:00-17:00`);
  return { start, end };
}

/** The settings in a file; without the file, the usual ones. */
export function readConfig(path) {
  let text;
  try {
    text = fs.readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return defaultConfig();
    throw new FileError(`cannot read ${path}: ${error.message}`);
  }
  try {
    return makeConfig(JSON.parse(text));
  } catch (error) {
    throw new FileError(`${path}: ${error.message}`);
  }
}
