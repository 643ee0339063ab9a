/** Something on the menu; prices are in cents. */
export function dish(name, price) {
  if (price < 0) throw new RangeError(`${name} costs less than nothing`);
  return { name, price };
}
