/**
 * Finds events and tasks.
 */
import { isEvent } from '../model.js';
import { isBlocked, isOpen } from '../tasks.js';
import { parseSearch, plain } from './terms.js';

/** What fits all terms, best first: words at the beginning of a title count most. */
export function search(store, text, today) {
  const terms = parseSearch(text);
  const context = { today, tasks: store.tasks() };
  const found = [...store.events(), ...store.tasks()].filter((item) => terms.every((term) => fits(item, term, context)));
  const scores = new Map(found.map((item) => [item.id, score(item, terms)]));
  return found.sort(
    (left, right) => scores.get(right.id) - scores.get(left.id) || dayOf(left) - dayOf(right) || left.title.localeCompare(right.title),
  );
}

function fits(item, term, context) {
  return CHECKS[term.field](item, term.value, context) !== term.negated;
}

const CHECKS = {
  any: (item, value) => plain(item.title).includes(value) || plain(item.notes).includes(value),
  title: (item, value) => plain(item.title).includes(value),
  notes: (item, value) => plain(item.notes).includes(value),
  tag: (item, value) => item.tags.includes(value),
  is: (item, value, context) => STATE_CHECKS[value](item, context),
  before: (item, value) => dayOf(item) < value,
  after: (item, value) => Number.isFinite(dayOf(item)) && dayOf(item) > value,
};

const STATE_CHECKS = {
  event: (item) => isEvent(item),
  task: (item) => !isEvent(item),
  open: (item) => !isEvent(item) && isOpen(item),
  done: (item) => !isEvent(item) && !isOpen(item),
  late: (item, { today }) => !isEvent(item) && isOpen(item) && item.due !== null && item.due < today,
  blocked: (item, { tasks }) => !isEvent(item) && isOpen(item) && isBlocked(item, tasks),
  repeating: (item) => item.rule !== null,
};

/** The first day of an event, the day of a task; tasks without one come last. */
function dayOf(item) {
  return isEvent(item) ? item.day : (item.due ?? Infinity);
}

function score(item, terms) {
  const title = plain(item.title);
  let points = 0;
  for (const { field, value, negated } of terms) {
    if (negated || !['any', 'title'].includes(field)) continue;
    if (title.startsWith(value)) points += 3;
    else if (title.split(' ').some((word) => word.startsWith(value))) points += 2;
    else if (title.includes(value)) points += 1;
  }
  return points;
}
