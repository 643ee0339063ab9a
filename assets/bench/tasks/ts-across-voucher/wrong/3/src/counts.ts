import type { OrderEvent } from './types.js';

/** How many events of each kind there are; kinds without any are 0. */
export function counts(events: OrderEvent[]): Record<OrderEvent['kind'], number> {
  const result = { add: 0, remove: 0, note: 0, @@KIND@@: 0 };
  for (const event of events) result[event.kind] += 1;
  return result;
}
