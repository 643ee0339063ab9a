import { lengthMetres } from './track.js';
import { laps } from './laps.js';
import { @@JUMPS@@ } from './quality.js';
import { distanceText, paceText } from './text.js';

/** The lines shown after a run. */
export function @@SHEET@@(points) {
  const metres = lengthMetres(points);
  const seconds = points.length > 0 ? points.at(-1).at - points[0].at : 0;
  const lines = [`${distanceText(metres)} in ${Math.round(seconds / 60)} min, ${paceText(metres, seconds)}`];
  laps(points).forEach((lap, index) => {
    lines.push(`lap ${index + 1}: ${distanceText(lap.metres)} ${paceText(lap.metres, lap.seconds)}`);
  });
  const bad = @@JUMPS@@(points);
  if (bad.length > 0) lines.push(`${bad.length} doubtful, the longest ${distanceText(Math.max(...bad.map((leg) => leg.metres)))}`);
  return lines;
}
