import { byMonth, total } from './months.js';

/** The lines of the report of one year. */
export function report(entries, year) {
  const lines = byMonth(entries, year).map(({ month, sum }) => `${month}/${year}: ${sum}`);
  return [...lines, `all of ${year}: ${total(entries, year)}`];
}
