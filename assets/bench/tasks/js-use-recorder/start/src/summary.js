/**
 * Sums up the log of a recorder.
 *
 * @param {string} log the text of the log, as `unpack` gives it
 * @returns {{
 *   rooms: Object<string, { readings: number, @@LOW@@: number, mean: number }>,
 *   @@OPEN@@: Object<string, number>,
 * }}
 *   `rooms` by the number of the room: how many readings there were, the lowest
 *   of them and their mean, both in degrees Celsius, rounded to one decimal.
 *   `@@OPEN@@` by the number of the door: how many minutes it was open
 *   altogether. Rooms and doors that do not occur in the log are left out.
 */
export function @@FN@@(log) {
  throw new Error('not written yet');
}
