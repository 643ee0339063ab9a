import { Refused } from './refused.js';
import { slotAt, slotText } from './slot.js';
import { checkThing } from './things.js';

/** Takes bookings, moves and cancels them. */
export function createDesk(bus, calendar) {
  const bookings = new Map();
  let last = 0;

  function find(number) {
    const booking = bookings.get(number);
    if (!booking) throw new Refused(`there is no booking ${number}`);
    return booking;
  }

  function freeSlot(day, time) {
    const slot = slotAt(day, time);
    if (!calendar.isFree(slot)) throw new Refused(`${slotText(slot)} is taken`);
    return slot;
  }

  function adopt(booking) {
    bookings.set(booking.number, booking);
    last = Math.max(last, booking.number);
    bus.emit('restored', { booking });
  }

  function book(name, thing, day, time) {
    const booking = { number: last + 1, name, thing: checkThing(thing), slot: freeSlot(day, time), moves: 0 };
    last = booking.number;
    bookings.set(booking.number, booking);
    bus.emit('booked', { booking });
    return booking.number;
  }

  function move(number, day, time) {
    const booking = find(number);
    const to = freeSlot(day, time);
    const from = booking.slot;
    booking.slot = to;
    booking.moves += 1;
    bus.emit('moved', { booking, from, to });
  }

  function cancel(number) {
    const booking = find(number);
    bookings.delete(number);
    bus.emit('cancelled', { booking });
  }

  return { find, adopt, book, move, cancel, all: () => [...bookings.values()] };
}
