import { Refused } from './refused.js';
import { timesOf } from './hours.js';

/** A day and a time at which somebody can come. */
export function slotAt(day, time) {
  if (!timesOf(day).includes(time)) throw new Refused(`we are not there ${day} ${time}`);
  return { day, time };
}

/** For maps: slots with the same day and time have the same key. */
export function slotKey(slot) {
  return `${slot.day}/${slot.time}`;
}

export function slotText(slot) {
  return `${slot.day} ${slot.time}`;
}
