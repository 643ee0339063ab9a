import { Refused } from './refused.js';

/** What can be mended here, and how much parts cost on average, in cents. */
const THINGS = {
  toaster: 400,
  lamp: 250,
  bicycle: 900,
  radio: 1200,
  trousers: 100,
  chair: 350,
};

export function checkThing(thing) {
  if (!(thing in THINGS)) throw new Refused(`we do not mend a ${thing}`);
  return thing;
}

export function partsFor(thing) {
  return THINGS[thing];
}
