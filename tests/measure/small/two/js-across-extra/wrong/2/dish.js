/** Something on the menu; prices are in cents. */
export function dish(name, price, @@FIELD@@ = 0) {
  if (price < 0) throw new RangeError(`${name} costs less than nothing`);
  return { name, price, @@FIELD@@ };
}
