import type { Order } from './types.js';

/** What is to be paid, in cents. */
export function total(order: Order): number {
  const goods = order.lines.reduce((sum, line) => sum + line.count * line.cents, 0);
  return Math.max(0, order.@@KIND@@s.reduce((sum, { cents }) => sum - cents, goods));
}
