import { slotKey } from './slot.js';

/** Knows which times are taken. */
export function createCalendar(bus) {
  const taken = new Map();

  function take(slot, booking) {
    taken.set(slotKey(slot), booking.number);
  }

  function release(slot) {
    if (taken.delete(slotKey(slot))) bus.emit('freed', { slot });
  }

  bus.on('booked', ({ booking }) => take(booking.slot, booking));
  bus.on('restored', ({ booking }) => take(booking.slot, booking));
  bus.on('cancelled', ({ booking }) => release(booking.slot));
  bus.on('moved', ({ booking, from, to }) => {
    take(to, booking);
    release(from);
  });

  return {
    isFree: (slot) => !taken.has(slotKey(slot)),
  };
}
