import { money } from './money.js';
import { total } from './total.js';
import type { Order } from './types.js';

const WIDTH = 32;

function row(left: string, right: string): string {
  return left.padEnd(WIDTH - right.length) + right;
}

/** The lines of the receipt. */
export function receipt(order: Order): string[] {
  const goods = order.lines.map((line) => row(`${line.count} ${line.item}`, money(line.count * line.cents)));
  const off = order.@@KIND@@s.map(({ code, cents }) => row(`@@KIND@@ ${code}`, money(-cents)));
  const notes = order.notes.map((note) => `* ${note}`);
  return [...goods, ...off, row('total', money(total(order))), ...notes];
}
