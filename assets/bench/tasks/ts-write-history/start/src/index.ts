export { @@CLASS@@ } from './history.js';
export type { Options } from './history.js';
