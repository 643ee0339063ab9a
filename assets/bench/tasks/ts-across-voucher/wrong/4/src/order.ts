import { never, type AddEvent, type Line, type Order, type OrderEvent, type RemoveEvent } from './types.js';
import { parseEvent } from './text.js';

export function emptyOrder(): Order {
  return { lines: [], @@KIND@@s: [], notes: [] };
}

/** The order after an event; the one given stays as it is. */
export function applyEvent(order: Order, event: OrderEvent): Order {
  switch (event.kind) {
    case 'add':
      return { ...order, lines: added(order.lines, event) };
    case 'remove':
      return { ...order, lines: removed(order.lines, event) };
    case 'note':
      return { ...order, notes: [...order.notes, event.text] };
    case '@@KIND@@':
      if (order.@@KIND@@s.some((used) => used.code === event.code)) throw new Error(`${event.code} is used already`);
      order.@@KIND@@s.push({ code: event.code, cents: event.cents });
      return order;
    default:
      return never(event);
  }
}

/** The order that comes from lines of text. */
export function replay(lines: string[]): Order {
  return lines.map(parseEvent).reduce(applyEvent, emptyOrder());
}

function added(lines: Line[], { item, count, cents }: AddEvent): Line[] {
  const same = lines.findIndex((line) => line.item === item && line.cents === cents);
  if (same < 0) return [...lines, { item, count, cents }];
  return lines.map((line, index) => (index === same ? { ...line, count: line.count + count } : line));
}

function removed(lines: Line[], { item, count }: RemoveEvent): Line[] {
  const place = lines.findIndex((line) => line.item === item);
  const line = lines[place];
  if (line === undefined || line.count < count) throw new Error(`there are not ${count} of ${item}`);
  if (line.count === count) return lines.filter((_, index) => index !== place);
  return lines.map((other, index) => (index === place ? { ...other, count: other.count - count } : other));
}
