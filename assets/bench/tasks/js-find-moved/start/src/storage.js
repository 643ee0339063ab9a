/** Bookings as they are kept in a file. */
export function toJson(bookings) {
  return bookings.map(({ number, name, thing, slot, moves }) => ({ number, name, thing, at: [slot.day, slot.time], moves }));
}

export function fromJson(saved) {
  return saved.map(({ number, name, thing, at: [day, time], moves }) => ({ number, name, thing, slot: { day, time }, moves }));
}
