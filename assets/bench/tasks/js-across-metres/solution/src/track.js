import { distanceMetres } from './geo.js';

/** The ways from each point of a track to the next one. */
export function legs(points) {
  return points.slice(1).map((to, index) => {
    const from = points[index];
    return { from, to, metres: distanceMetres(from, to), seconds: to.at - from.at };
  });
}

export function lengthMetres(points) {
  return legs(points).reduce((sum, leg) => sum + leg.metres, 0);
}
