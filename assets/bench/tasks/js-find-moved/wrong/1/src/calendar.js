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
  bus.on('moved', ({ booking, to }) => {
    for (const [key, number] of taken) {
      if (number === booking.number) {
        const [day, time] = key.split('/');
        release({ day, time });
      }
    }
    take(to, booking);
  });

  return {
    isFree: (slot) => !taken.has(slotKey(slot)),
  };
}
