/**
 * Reads calendar files. What the planner has no place for is left out, and named in `warnings`.
 */
import { parseIsoDuration } from '../durations.js';
import { InputError } from '../errors.js';
import { makeEvent, makeTask, occurrenceKey } from '../model.js';
import { parseRule } from '../recurrence/rule.js';
import { DAY, instantOf, momentAt } from '../time.js';
import { formatOffset, parseOffset } from '../zones.js';
import { parseComponents } from './components.js';
import { parseIcsTime, splitList, unescapeText } from './values.js';

/** Events and tasks, without ids, of a file. Times without a zone are those of `home`, an offset. */
export function readIcs(text, home = 0) {
  const reader = new Reader(home);
  for (const component of parseComponents(text)) {
    if (component.name !== 'VCALENDAR') throw new InputError(`'${component.name}' instead of a calendar`);
    reader.calendar(component);
  }
  return { events: reader.events, tasks: reader.tasks, warnings: reader.warnings };
}

class Reader {
  constructor(home) {
    this.home = home;
    this.offsets = new Map();
    this.events = [];
    this.tasks = [];
    this.warnings = [];
  }

  calendar(calendar) {
    for (const zone of calendar.named('VTIMEZONE')) this.zone(zone);
    const components = calendar.named('VEVENT');
    const changes = components.filter((component) => component.first('RECURRENCE-ID'));
    for (const component of components) {
      if (changes.includes(component)) continue;
      const uid = component.value('UID');
      const own = changes.filter((change) => change.value('UID') === uid);
      this.attempt(component, () => this.events.push(this.event(component, own)));
    }
    for (const component of calendar.named('VTODO')) {
      this.attempt(component, () => this.tasks.push(this.task(component)));
    }
  }

  /** One component that cannot be read does not stop the others. */
  attempt(component, action) {
    try {
      action();
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      const name = unescapeText(component.value('SUMMARY') ?? component.value('UID') ?? component.name);
      this.warnings.push(`'${name}' is left out: ${error.message}`);
    }
  }

  /** Zones have their standard time only. */
  zone(component) {
    const id = component.value('TZID');
    const parts = [...component.named('STANDARD'), ...component.named('DAYLIGHT')];
    const offset = parts[0]?.value('TZOFFSETTO');
    if (id === undefined || offset === undefined) return;
    this.offsets.set(id, parseOffset(offset));
    if (parts.length > 1) this.warnings.push(`zone '${id}' has daylight saving time, which is ignored`);
  }

  /** Day, minute and offset of a property. */
  moment(property) {
    return this.momentOf(property.value, property.params);
  }

  momentOf(value, params) {
    const { day, minute, utc } = parseIcsTime(value);
    if (minute === null || utc) return { day, minute, offset: 0 };
    return { day, minute, offset: this.offsetOf(params.TZID) };
  }

  offsetOf(id) {
    if (id === undefined) return this.home;
    const known = this.offsets.get(id);
    if (known !== undefined) return known;
    const warning = `zone '${id}' is unknown; its times are taken for those of home`;
    if (!this.warnings.includes(warning)) this.warnings.push(warning);
    return this.home;
  }

  event(component, changes) {
    const begin = component.first('DTSTART');
    if (!begin) throw new InputError('it has no DTSTART');
    const start = this.moment(begin);
    const rule = component.value('RRULE');
    const plain = {
      ...this.common(component),
      day: start.day,
      minute: start.minute,
      zone: formatOffset(start.offset),
      length: this.length(component, start),
      rule: rule === undefined ? null : parseRule(rule),
      reminders: this.reminders(component),
      status: (component.value('STATUS') ?? 'CONFIRMED').toLowerCase(),
    };
    const event = makeEvent(plain);
    const skipped = component.all('EXDATE').flatMap((property) => splitList(property.value).map((value) => this.keyOf(event, value, property.params)));
    const moved = {};
    for (const change of changes) {
      const id = change.first('RECURRENCE-ID');
      const key = this.keyOf(event, id.value, id.params);
      if (change.value('STATUS')?.toUpperCase() === 'CANCELLED') skipped.push(key);
      else moved[key] = this.change(event, change);
    }
    return makeEvent({ ...plain, skipped, moved });
  }

  common(component) {
    return {
      title: unescapeText(component.value('SUMMARY') ?? 'untitled'),
      notes: unescapeText(component.value('DESCRIPTION') ?? ''),
      tags: component
        .all('CATEGORIES')
        .flatMap((property) => splitList(property.value))
        .map((tag) => unescapeText(tag).trim().replace(/\s+/g, '-')),
    };
  }

  length(component, start) {
    const end = component.first('DTEND');
    if (end) {
      const last = this.moment(end);
      const length = absolute(last) - absolute(start);
      if (length < 0) throw new InputError('it ends before it begins');
      return length;
    }
    const duration = component.value('DURATION');
    if (duration !== undefined) return parseIsoDuration(duration);
    return start.minute === null ? DAY : 0;
  }

  /** The name of the occurrence at a time, which may be told in another zone than that of the event. */
  keyOf(event, value, params) {
    const moment = this.momentOf(value, params);
    if (event.minute === null || moment.minute === null) return occurrenceKey(event, moment.day);
    return occurrenceKey(event, momentAt(absolute(moment), parseOffset(event.zone)).day);
  }

  /** What a moved occurrence has, in the zone of its event. */
  change(event, component) {
    const start = this.moment(component.first('DTSTART') ?? component.first('RECURRENCE-ID'));
    const length = this.length(component, start);
    if (event.minute === null) return { day: start.day, minute: null, length };
    const { day, minute } = momentAt(absolute(start), parseOffset(event.zone));
    return { day, minute, length };
  }

  /** Alarms before the beginning; others are left out. */
  reminders(component) {
    const minutes = [];
    for (const alarm of component.named('VALARM')) {
      const trigger = alarm.first('TRIGGER');
      if (!trigger || trigger.params.VALUE === 'DATE-TIME' || trigger.params.RELATED === 'END') continue;
      const before = -parseIsoDuration(trigger.value);
      if (before >= 0) minutes.push(before === 0 ? 0 : before);
    }
    return minutes;
  }

  task(component) {
    const due = component.first('DUE');
    const moment = due ? this.moment(due) : null;
    const done = component.first('COMPLETED');
    const rule = component.value('RRULE');
    const isDone = done !== undefined || component.value('STATUS') === 'COMPLETED';
    return makeTask({
      ...this.common(component),
      due: moment?.day ?? null,
      dueMinute: moment?.minute ?? null,
      priority: Number(component.value('PRIORITY') ?? 0),
      rule: rule === undefined ? null : parseRule(rule),
      done: isDone ? (done ? this.moment(done).day : (moment?.day ?? 0)) : null,
    });
  }
}

function absolute({ day, minute, offset }) {
  return instantOf(day, minute ?? 0, offset);
}
