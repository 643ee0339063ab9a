import { legs, lengthMetres } from './track.js';
import { laps } from './laps.js';

/** One line per leg, for spreadsheets. */
export function toCsv(points) {
  const rows = legs(points).map((leg) => `${leg.from.at},${leg.metres},${leg.seconds}`);
  return ['at,metres,seconds', ...rows].join('\n');
}

/** For other programs. */
export function toJson(points, options) {
  return JSON.stringify({ metres: lengthMetres(points), laps: laps(points, options) });
}
