export { distanceMetres } from './geo.js';
export { legs, lengthMetres } from './track.js';
export { @@JUMPS@@ } from './quality.js';
export { laps } from './laps.js';
export { distanceText, paceText } from './text.js';
export { toCsv, toJson } from './files.js';
export { @@SHEET@@ } from './summary.js';
