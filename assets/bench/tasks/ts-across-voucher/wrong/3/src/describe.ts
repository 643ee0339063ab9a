import { money } from './money.js';
import { never, type OrderEvent } from './types.js';

/** An event as the clerk reads it. */
export function describe(event: OrderEvent): string {
  switch (event.kind) {
    case 'add':
      return `${event.count} x ${event.item} at ${money(event.cents)}`;
    case 'remove':
      return `${event.count} x ${event.item} taken back`;
    case 'note':
      return `"${event.text}"`;
    case '@@KIND@@':
      return `@@KIND@@ ${event.code} over ${money(event.cents)}`;
    default:
      return never(event);
  }
}
