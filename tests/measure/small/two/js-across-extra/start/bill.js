/** What one dish looks like on the bill. */
export function line(dish) {
  return `${dish.name} ${dish.price}`;
}

/** What all of them cost. */
export function total(dishes) {
  let sum = 0;
  for (const dish of dishes) sum += dish.price;
  return sum;
}

/** The whole bill. */
export function bill(dishes) {
  return [...dishes.map(line), `total ${total(dishes)}`].join('\n');
}
