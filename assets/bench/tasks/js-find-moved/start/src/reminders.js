import { slotText } from './slot.js';

/** Who has to be reminded on the day before. */
export function createReminders(desk) {
  return {
    on(day) {
      return desk
        .all()
        .filter((booking) => booking.slot.day === day)
        .sort((a, b) => (a.slot.time < b.slot.time ? -1 : 1))
        .map((booking) => `${booking.name}: ${slotText(booking.slot)}, ${booking.thing}`);
    },
  };
}
