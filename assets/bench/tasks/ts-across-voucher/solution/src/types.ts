export interface AddEvent {
  kind: 'add';
  count: number;
  item: string;
  cents: number;
}

export interface RemoveEvent {
  kind: 'remove';
  count: number;
  item: string;
}

export interface NoteEvent {
  kind: 'note';
  text: string;
}

export interface DiscountEvent {
  kind: '@@KIND@@';
  code: string;
  cents: number;
}

export type OrderEvent = AddEvent | RemoveEvent | NoteEvent | DiscountEvent;

export interface Line {
  item: string;
  count: number;
  cents: number;
}

export interface Discount {
  code: string;
  cents: number;
}

export interface Order {
  lines: Line[];
  @@KIND@@s: Discount[];
  notes: string[];
}

/** For `default:` branches: the compiler complains if a kind was forgotten. */
export function never(event: never): never {
  throw new Error(`unknown event ${JSON.stringify(event)}`);
}
