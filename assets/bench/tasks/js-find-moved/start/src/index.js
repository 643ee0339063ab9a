import { createBus } from './bus.js';
import { createCalendar } from './calendar.js';
import { createDesk } from './desk.js';
import { createJournal } from './journal.js';
import { createLetters } from './letters.js';
import { createReminders } from './reminders.js';
import { createWaitingList } from './waiting.js';
import { bookingLine } from './list.js';
import { toJson, fromJson } from './storage.js';
import { timesOf } from './hours.js';

/** Puts the parts together. */
export function createCafe() {
  const bus = createBus();
  const calendar = createCalendar(bus);
  const journal = createJournal(bus);
  const letters = createLetters(bus);
  const waiting = createWaitingList(bus);
  const desk = createDesk(bus, calendar);
  const reminders = createReminders(desk);

  return {
    book: desk.book,
    move: desk.move,
    cancel: desk.cancel,
    find: desk.find,
    journal,
    letters,
    waiting,
    reminders,
    freeTimes: (day) => timesOf(day).filter((time) => calendar.isFree({ day, time })),
    list: () => desk.all().map(bookingLine),
    save: () => toJson(desk.all()),
    restore: (saved) => fromJson(saved).forEach(desk.adopt),
  };
}
