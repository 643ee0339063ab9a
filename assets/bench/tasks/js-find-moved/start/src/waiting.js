import { slotKey } from './slot.js';

/** Those who want a time that is taken; the first of them is told when it is free. */
export function createWaitingList(bus) {
  const waiting = new Map();

  bus.on('freed', ({ slot }) => {
    const names = waiting.get(slotKey(slot)) ?? [];
    const name = names.shift();
    if (name !== undefined) bus.emit('offered', { name, slot });
  });

  return {
    add(name, day, time) {
      const key = slotKey({ day, time });
      waiting.set(key, [...(waiting.get(key) ?? []), name]);
    },
    count: (day, time) => (waiting.get(slotKey({ day, time })) ?? []).length,
  };
}
