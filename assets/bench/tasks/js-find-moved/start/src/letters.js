import { money } from './money.js';
import { partsFor } from './things.js';
import { slotText } from './slot.js';

/** Writes letters to the people who booked. */
export function createLetters(bus) {
  const outbox = [];
  const write = (name, text) => outbox.push({ name, text });

  bus.on('booked', ({ booking }) => {
    write(booking.name, `Bring your ${booking.thing} on ${slotText(booking.slot)}. Parts cost about ${money(partsFor(booking.thing))}.`);
  });
  bus.on('moved', ({ booking }) => {
    write(booking.name, `Your new @@WHAT@@ is on ${slotText(booking.slot)}.`);
  });
  bus.on('cancelled', ({ booking }) => {
    write(booking.name, `Your @@WHAT@@ on ${slotText(booking.slot)} is cancelled.`);
  });
  bus.on('offered', ({ name, slot }) => {
    write(name, `${slotText(slot)} is free now.`);
  });

  return {
    /** The letters since the last call. */
    take: () => outbox.splice(0),
  };
}
