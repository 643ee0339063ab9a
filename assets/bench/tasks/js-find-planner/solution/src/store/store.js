/**
 * All events and tasks, and what was changed lately.
 */
import { InputError, NotFoundError } from '../errors.js';
import { isEvent, makeEvent, makeTask } from '../model.js';
import { takesPlace } from '../occurrences.js';
import { waitsForItself } from '../tasks.js';

/** So many changes can be undone. */
const KEPT = @@KEPT@@;

export class Store {
  #events = new Map();
  #tasks = new Map();
  #counters = { e: 0, t: 0 };
  #@@HISTORY@@ = [];

  /** With what `plain` of another store gave. */
  static from({ events = [], tasks = [], counters = {}, history = [] } = {}) {
    const store = new Store();
    for (const event of events) store.#events.set(event.id, event);
    for (const task of tasks) store.#tasks.set(task.id, task);
    store.#counters = { e: 0, t: 0, ...counters };
    store.#@@HISTORY@@ = [...history];
    return store;
  }

  plain() {
    return {
      events: this.events(),
      tasks: this.tasks(),
      counters: { ...this.#counters },
      history: [...this.#@@HISTORY@@],
    };
  }

  events() {
    return [...this.#events.values()];
  }

  tasks() {
    return [...this.#tasks.values()];
  }

  /** An event or a task. */
  get(id) {
    const item = this.#events.get(id) ?? this.#tasks.get(id);
    if (!item) throw new NotFoundError(`there is no '${id}'`);
    return item;
  }

  event(id) {
    const item = this.get(id);
    if (!isEvent(item)) throw new InputError(`'${id}' is a task`);
    return item;
  }

  task(id) {
    const item = this.get(id);
    if (isEvent(item)) throw new InputError(`'${id}' is an event`);
    return item;
  }

  // -- changes

  /** Adds things that have no id yet. They are undone together. */
  add(items, label = 'add') {
    const made = this.#named(items);
    this.#change(label, made.map((item) => ({ before: null, after: item })));
    return made;
  }

  /** Puts other versions in the place of things with the same ids. */
  replace(items, label = 'edit') {
    this.#change(label, this.#replacements(items));
    return items;
  }

  remove(ids, label = 'remove') {
    const items = ids.map((id) => this.get(id));
    this.#change(label, items.map((item) => ({ before: item, after: null })));
    return items;
  }

  /** Replaces and adds in one step, as when a task is done that comes again. */
  replaceAndAdd(changed, added, label) {
    const replacements = this.#replacements(changed);
    const made = this.#named(added);
    this.#change(label, [...replacements, ...made.map((item) => ({ before: null, after: item }))]);
    return made;
  }

  #named(items) {
    const made = items.map((item) => {
      const letter = isEvent(item) ? 'e' : 't';
      this.#counters[letter] += 1;
      const id = `${letter}${this.#counters[letter]}`;
      return isEvent(item) ? makeEvent({ ...item, id }) : makeTask({ ...item, id });
    });
    made.forEach((item) => this.#checkAfter(item));
    return made;
  }

  #replacements(items) {
    items.forEach((item) => this.#checkAfter(item));
    return items.map((item) => ({ before: this.get(item.id), after: item }));
  }

  /** Takes back the last change, and says which it was. */
  undo() {
    const step = this.#@@HISTORY@@.pop();
    if (!step) throw new InputError('there is nothing to undo');
    for (const { before, after } of [...step.changes].reverse()) this.#put(after, before);
    return step;
  }

  lastChange() {
    return this.#@@HISTORY@@.at(-1) ?? null;
  }

  #change(label, changes) {
    for (const { before, after } of changes) this.#put(before, after);
    this.#@@HISTORY@@.push({ label, changes });
    if (this.#@@HISTORY@@.length > KEPT) this.#@@HISTORY@@.shift();
  }

  #put(before, after) {
    const item = after ?? before;
    const map = isEvent(item) ? this.#events : this.#tasks;
    if (after === null) map.delete(item.id);
    else map.set(item.id, after);
  }

  #checkAfter(item) {
    if (isEvent(item)) return;
    const strange = item.after.find((id) => !this.#tasks.has(id) && id !== item.id);
    if (strange !== undefined) throw new NotFoundError(`there is no task '${strange}' to wait for`);
    if (waitsForItself(item, item.after, this.tasks())) throw new InputError(`'${item.title}' would wait for itself`);
  }

  // -- single occurrences

  /** An occurrence does not take place. */
  skip(id, key) {
    const event = this.#withOccurrence(id, key);
    const { [key]: gone, ...moved } = event.moved;
    return this.replace([makeEvent({ ...event, moved, skipped: [...event.skipped, key] })], 'skip')[0];
  }

  /** An occurrence takes place at another time; `change` has day and minute, in the zone of the event. */
  move(id, key, change) {
    const event = this.#withOccurrence(id, key);
    const moved = { ...event.moved, [key]: change };
    const skipped = event.skipped.filter((each) => each !== key);
    return this.replace([makeEvent({ ...event, moved, skipped })], 'move')[0];
  }

  #withOccurrence(id, key) {
    const event = this.event(id);
    if (!takesPlace(event, key)) throw new NotFoundError(`'${event.title}' has no occurrence ${key}`);
    return event;
  }
}
