export { parseEvent, formatEvent } from './text.js';
export { emptyOrder, applyEvent, replay } from './order.js';
export { total } from './total.js';
export { describe } from './describe.js';
export { receipt } from './receipt.js';
export { counts } from './counts.js';
export type { Order, OrderEvent, Line } from './types.js';
