/** Guests by table: a Map from the number to the names, in order of the numbers. */
export function byTable(guests) {
  const seated = guests.filter((guest) => guest.table !== undefined);
  const numbers = [...new Set(seated.map((guest) => guest.table))].sort();
  const tables = new Map();
  for (const number of numbers) {
    const names = seated.filter((guest) => guest.table === number).map((guest) => guest.name);
    tables.set(number, names.sort());
  }
  return tables;
}

/** The names of those who have no table yet. */
export function unseated(guests) {
  return guests.filter((guest) => guest.table === undefined).map((guest) => guest.name);
}
