import { legs } from './track.js';

/** Legs so long that the receiver must have lost its way. */
export function @@JUMPS@@(points, { limitKm = 0.@@JUMP@@ } = {}) {
  return legs(points).filter((leg) => leg.km > limitKm);
}
