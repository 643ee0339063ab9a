import { slotText } from './slot.js';

/** A booking in the list at the desk. */
export function bookingLine(booking) {
  const moved = booking.moves > 0 ? ` (moved ${booking.moves}x)` : '';
  return `#${booking.number} ${slotText(booking.slot)} ${booking.name}, ${booking.thing}${moved}`;
}
