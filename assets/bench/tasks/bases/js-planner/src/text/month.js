/**
 * A month as a grid. Days with something have a mark behind them.
 */
import { addMonths, isoWeek, MONTHS, monthStart, partsOf, two, WEEKDAYS, weekStart } from '../dates.js';
import { rowsOfDay } from './agenda.js';
import { lines } from './wrap.js';

/** The month that `day` lies in. Today stands in brackets; the numbers at the left are those of the weeks. */
export function monthGrid(store, day, { today, viewer, first }) {
  const start = monthStart(day);
  const end = addMonths(start, 1);
  const { year, month } = partsOf(start);
  const heads = Array.from({ length: 7 }, (_, at) => WEEKDAYS[(first + at) % 7].slice(0, 2));
  const rows = [`${MONTHS[month - 1]} ${year}`, `    ${heads.map((head) => ` ${head} `).join('')}`.trimEnd()];
  for (let week = weekStart(start, first); week < end; week += 7) {
    const cells = [];
    for (let at = week; at < week + 7; at += 1) {
      cells.push(at < start || at >= end ? '    ' : cell(at, today, rowsOfDay(store, at, viewer).length));
    }
    // The week in which the Thursday of this row lies.
    const thursday = week + ((3 - first + 7) % 7);
    rows.push(`W${two(isoWeek(thursday).week)} ${cells.join('')}`.trimEnd());
  }
  return lines(rows);
}

function cell(day, today, count) {
  const date = String(partsOf(day).date).padStart(2);
  if (day === today) return `[${date}]`;
  return ` ${date}${count === 0 ? ' ' : count === 1 ? '.' : ':'}`;
}
