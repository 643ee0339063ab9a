/** What one dish looks like on the bill. */
export function line(dish) {
  const more = dish.@@FIELD@@ > 0 ? ` (+@@FIELD@@ ${dish.@@FIELD@@})` : '';
  return `${dish.name} ${dish.price}${more}`;
}

/** What all of them cost. */
export function total(dishes) {
  let sum = 0;
  for (const dish of dishes) sum += dish.price + dish.@@FIELD@@;
  return sum;
}

/** The whole bill. */
export function bill(dishes) {
  return [...dishes.map(line), `total ${total(dishes)}`].join('\n');
}
