/** Hours a week from which on somebody works too much. */
export const MOST_HOURS = @@CAP@@;

/**
 * Sums up the shifts of one week.
 *
 * Each entry is one shift: `{ @@WHO@@: 'Ada', hours: 7.5 }`. Entries whose hours
 * are 0 or less are ignored. The result has one object per person:
 *
 *   { @@WHO@@: 'Ada', hours: 15, shifts: 2, tooMuch: false }
 *
 * `hours` is the sum, `shifts` the number of shifts counted, and `tooMuch` is
 * true if the sum is greater than MOST_HOURS. Whoever has the most hours comes
 * first; with equal hours the names are in alphabetical order (A before B).
 * The entries given are not changed.
 *
 * @param {Array<{ @@WHO@@: string, hours: number }>} entries
 */
export function @@FN@@(entries) {
  const people = {};
  for (const entry of entries) {
    if (entry.hours <= 0) continue;
    const row = people[entry.@@WHO@@];
    if (row) {
      row.hours += entry.hours;
      row.shifts += 1;
      row.tooMuch = row.hours > MOST_HOURS;
    } else {
      people[entry.@@WHO@@] = Object.assign(entry, { shifts: 1, tooMuch: entry.hours > MOST_HOURS });
    }
  }
  return Object.values(people).sort((a, b) => b.hours - a.hours || a.@@WHO@@.localeCompare(b.@@WHO@@));
}
