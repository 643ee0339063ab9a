/**
 * The words shown beside a train on the platform board.
 *
 *   0    "on time"
 *   7    "7 min @@LATE@@"
 *   65   "1 h 05 min @@LATE@@"
 *  -3    "3 min early"
 *
 * @param {number} minutes whole minutes behind the timetable
 * @returns {string}
 */
export function @@FN@@(minutes) {
  if (minutes === 0) return 'on time';
  if (minutes < 0) return `${-minutes} min early`;

  if (minutes > 60) {
    const hours = Math.floor(minutes / 60);
    const rest = minutes % 60;
    return `${hours} h ${rest} min @@LATE@@`;
  }
  return `${minutes} min @@LATE@@`;
}
