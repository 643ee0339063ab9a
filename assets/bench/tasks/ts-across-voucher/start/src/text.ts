import { never, type OrderEvent } from './types.js';

const above0 = (word: string | undefined): number | undefined =>
  word !== undefined && /^[1-9]\d*$/.test(word) ? Number(word) : undefined;

/** Reads an event; throws if the line is none. */
export function parseEvent(line: string): OrderEvent {
  const [kind, ...rest] = line.trim().split(/\s+/);
  if (kind === 'note' && rest.length > 0) return { kind, text: rest.join(' ') };
  if (kind === 'add' && rest.length === 3) {
    const [count, item, cents] = [above0(rest[0]), rest[1]!, above0(rest[2])];
    if (count !== undefined && cents !== undefined) return { kind, count, item, cents };
  }
  if (kind === 'remove' && rest.length === 2) {
    const [count, item] = [above0(rest[0]), rest[1]!];
    if (count !== undefined) return { kind, count, item };
  }
  throw new Error(`cannot read: ${line}`);
}

/** The line of an event; `parseEvent` reads it back. */
export function formatEvent(event: OrderEvent): string {
  switch (event.kind) {
    case 'add':
      return `add ${event.count} ${event.item} ${event.cents}`;
    case 'remove':
      return `remove ${event.count} ${event.item}`;
    case 'note':
      return `note ${event.text}`;
    default:
      return never(event);
  }
}
