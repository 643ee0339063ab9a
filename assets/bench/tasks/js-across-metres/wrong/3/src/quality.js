import { legs } from './track.js';

/** Legs so long that the receiver must have lost its way. */
export function @@JUMPS@@(points, { limitMetres = @@JUMP@@00 } = {}) {
  return legs(points).filter((leg) => leg.metres > limitMetres);
}
