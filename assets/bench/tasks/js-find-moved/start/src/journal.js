import { slotText } from './slot.js';

/** Notes everything that was done at the desk. */
export function createJournal(bus) {
  const lines = [];
  const note = (booking, words) => lines.push(`#${booking.number} ${booking.name}: ${words}`);

  bus.on('booked', ({ booking }) => note(booking, `booked ${slotText(booking.slot)}`));
  bus.on('moved', ({ booking, from, to }) => note(booking, `moved from ${slotText(from)} to ${slotText(to)}`));
  bus.on('cancelled', ({ booking }) => note(booking, `cancelled ${slotText(booking.slot)}`));

  return { lines: () => [...lines] };
}
