import { legs, lengthKm } from './track.js';
import { laps } from './laps.js';

/** One line per leg, for spreadsheets. */
export function toCsv(points) {
  const rows = legs(points).map((leg) => `${leg.from.at},${leg.km.toFixed(3)},${leg.seconds}`);
  return ['at,km,seconds', ...rows].join('\n');
}

/** For other programs. */
export function toJson(points, options) {
  return JSON.stringify({ km: lengthKm(points), laps: laps(points, options) });
}
