import { byTable, unseated } from './seats.js';

/** The lines of the plan that hangs at the door. */
export function plan(guests) {
  const lines = [];
  for (const [number, names] of byTable(guests)) {
    lines.push(`Table ${number}: ${names.join(', ')}`);
  }
  const rest = unseated(guests);
  if (rest.length > 0) lines.push(`No table: ${rest.join(', ')}`);
  return lines;
}
