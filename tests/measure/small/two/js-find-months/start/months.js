/** Sums of one year by month: an array of { month, sum } in the order in which the months come. */
export function byMonth(entries, year) {
  const sums = new Map();
  for (const { date, amount } of entries) {
    const day = new Date(`${date}T00:00:00Z`);
    if (day.getUTCFullYear() !== year) continue;
    const month = day.getUTCMonth();
    sums.set(month, (sums.get(month) ?? 0) + amount);
  }
  return [...sums].map(([month, sum]) => ({ month, sum })).sort((a, b) => a.month - b.month);
}

/** Everything of one year. */
export function total(entries, year) {
  return byMonth(entries, year).reduce((all, { sum }) => all + sum, 0);
}
