/**
 * A week by hours: which are taken.
 */
import { partsOf, two, WEEKDAYS, weekday, weekStart } from '../dates.js';
import { busySpan, isBusy } from '../conflicts.js';
import { occurrencesIn, spanOfDays } from '../occurrences.js';
import { DAY, instantOf, overlaps } from '../time.js';
import { lines } from './wrap.js';

/** The week that `day` lies in, from hour `start` to hour `end`. `#` is taken, `+` taken twice or more. */
export function weekGrid(store, day, { viewer, first, start = 7, end = 20 }) {
  const from = weekStart(day, first);
  const span = spanOfDays(from, from + 7, viewer);
  const busy = occurrencesIn(store.events(), { ...span, end: span.end + DAY }, viewer).filter(isBusy).map(busySpan);
  const days = Array.from({ length: 7 }, (_, at) => from + at);
  const rows = [`      ${days.map((each) => `${WEEKDAYS[weekday(each)].slice(0, 2)} ${two(partsOf(each).date)}`).join('  ')}`];
  for (let hour = start; hour < end; hour += 1) {
    const cells = days.map((each) => {
      const span = { start: instantOf(each, hour * 60, viewer), end: instantOf(each, hour * 60 + 60, viewer) };
      const count = busy.filter((taken) => overlaps(taken, span)).length;
      return (count === 0 ? '.' : count === 1 ? '#' : '+').repeat(5);
    });
    rows.push(`${two(hour)}:00 ${cells.join('  ')}`);
  }
  return lines(rows);
}
