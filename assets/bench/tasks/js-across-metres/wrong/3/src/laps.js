import { legs } from './track.js';

/**
 * Cuts a track into laps. A lap ends with the leg in which it gets `everyMetres`
 * or longer; the last one may be shorter.
 */
export function laps(points, { everyMetres = 1000 } = {}) {
  const done = [];
  let lap = { metres: 0, seconds: 0 };
  for (const leg of legs(points)) {
    lap.metres += leg.metres;
    lap.seconds += leg.seconds;
    if (lap.metres >= everyMetres) {
      done.push(lap);
      lap = { metres: 0, seconds: 0 };
    }
  }
  if (lap.metres > 0) done.push(lap);
  return done;
}
