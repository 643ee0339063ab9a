import { legs } from './track.js';

/**
 * Cuts a track into laps. A lap ends with the leg in which it gets `everyKm` or
 * longer; the last one may be shorter.
 */
export function laps(points, { everyKm = 1 } = {}) {
  const done = [];
  let lap = { km: 0, seconds: 0 };
  for (const leg of legs(points)) {
    lap.km += leg.km;
    lap.seconds += leg.seconds;
    if (lap.km >= everyKm) {
      done.push(lap);
      lap = { km: 0, seconds: 0 };
    }
  }
  if (lap.km > 0) done.push(lap);
  return done;
}
