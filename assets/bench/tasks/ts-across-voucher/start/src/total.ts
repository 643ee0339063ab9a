import type { Order } from './types.js';

/** What is to be paid, in cents. */
export function total(order: Order): number {
  return order.lines.reduce((sum, line) => sum + line.count * line.cents, 0);
}
