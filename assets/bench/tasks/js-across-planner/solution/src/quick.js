/**
 * One line to an event or a task:
 *
 *     Lunch with Ida tomorrow 12:30 for 1h #friends remind 15m
 *     Yoga every week on tue,thu 18:00-19:30 until 2024-12-20
 *     Call Sydney 2024-03-08 9:00 @+11:00
 *     todo Tax return due 2024-05-31 !2 #money ~3h
 *
 * Words that mean nothing special are the title. What is to be done begins with `todo`.
 */
import { addMonths, parseDay, weekday, WEEKDAYS } from './dates.js';
import { parseDuration } from './durations.js';
import { InputError } from './errors.js';
import { makeEvent, makeTask } from './model.js';
import { makeRule } from './recurrence/rule.js';
import { DAY, parseTime } from './time.js';
import { HOME } from './zones.js';

const TIME = /^\d{1,2}(:\d{2})?(am|pm)?$/i;
const TIMES = /^(\d{1,2}(?::\d{2})?(?:am|pm)?)-(\d{1,2}(?::\d{2})?(?:am|pm)?)$/i;
const FREQUENCY = { day: 'DAILY', week: 'WEEKLY', month: 'MONTHLY', year: 'YEARLY' };
const SINGLE = { daily: 'DAILY', weekly: 'WEEKLY', monthly: 'MONTHLY', yearly: 'YEARLY' };

/** Reads a line. `today` is the day at home, `zones` know the names of zones. */
export function quickAdd(line, today, zones) {
  const words = line.trim().split(/\s+/).filter(Boolean);
  const isTask = words[0]?.toLowerCase() === 'todo';
  if (isTask) words.shift();
  const draft = new Draft(today);
  while (words.length > 0) {
    const used = READERS.map((reader) => reader(words, draft)).find((count) => count > 0) ?? 0;
    if (used > 0) words.splice(0, used);
    else draft.title.push(words.shift());
  }
  return isTask ? taskOf(draft) : eventOf(draft, zones);
}

class Draft {
  constructor(today) {
    this.today = today;
    this.title = [];
    this.day = null;
    this.minute = null;
    this.end = null;
    this.length = null;
    this.zone = HOME;
    this.rule = null;
    this.tags = [];
    this.reminders = [];
    this.@@WORD@@ = 0;
    this.priority = 0;
    this.estimate = null;
    this.after = [];
  }
}

/** Each looks at the first words, takes what it knows, and says how many words that were. */
const READERS = [readTag, readPriority, readZone, readDayWord, readIn, readTimes, readFor, readRemind, read@@NAME@@, readEvery, readUntil, readTaskWords];

function readTag(words, draft) {
  if (!/^#[\p{L}\p{N}_-]+$/u.test(words[0])) return 0;
  draft.tags.push(words[0].slice(1));
  return 1;
}

function readPriority(words, draft) {
  const match = /^!([1-9])$/.exec(words[0]);
  if (!match) return 0;
  draft.priority = Number(match[1]);
  return 1;
}

function readZone(words, draft) {
  if (!/^@\S+$/.test(words[0])) return 0;
  draft.zone = words[0].slice(1);
  return 1;
}

/** `today`, `tomorrow`, `fri`, `next fri`, `2024-03-05`; `on` and `due` may stand before them. */
function readDayWord(words, draft) {
  const skip = ['on', 'due'].includes(words[0].toLowerCase()) ? 1 : 0;
  const word = words[skip]?.toLowerCase();
  if (word === undefined) return 0;
  if (word === 'next' && words[skip + 1] !== undefined) {
    const index = weekdayIndex(words[skip + 1]);
    if (index === null) return 0;
    draft.day = comingWeekday(draft.today, index) + 7;
    return skip + 2;
  }
  const day = dayWord(word, draft.today);
  if (day === null) return 0;
  draft.day = day;
  return skip + 1;
}

/** A day that is told in one word, or null. */
export function dayWord(word, today) {
  if (word === 'today') return today;
  if (word === 'tomorrow') return today + 1;
  if (/^\d{4}-\d{2}-\d{2}$/.test(word)) return parseDay(word);
  const index = weekdayIndex(word);
  return index === null ? null : comingWeekday(today, index);
}

function weekdayIndex(word) {
  if (word.length < 3) return null;
  const index = WEEKDAYS.findIndex((name) => name.toLowerCase().startsWith(word.toLowerCase()));
  return index < 0 ? null : index;
}

/** The next such weekday after today. */
function comingWeekday(today, index) {
  const ahead = (index - weekday(today) + 7) % 7;
  return today + (ahead === 0 ? 7 : ahead);
}

/** `in 3 days`. */
function readIn(words, draft) {
  if (words[0].toLowerCase() !== 'in' || !/^\d+$/.test(words[1] ?? '')) return 0;
  const count = Number(words[1]);
  const unit = (words[2] ?? '').toLowerCase().replace(/s$/, '');
  if (unit === 'day') draft.day = draft.today + count;
  else if (unit === 'week') draft.day = draft.today + 7 * count;
  else if (unit === 'month') draft.day = addMonths(draft.today, count);
  else return 0;
  return 3;
}

/** `14:30`, `9am`, `14:30-16:00`; `at` may stand before it. */
function readTimes(words, draft) {
  const skip = words[0].toLowerCase() === 'at' ? 1 : 0;
  const word = words[skip] ?? '';
  const both = TIMES.exec(word);
  if (both) {
    draft.minute = parseTime(withColon(both[1]));
    draft.end = parseTime(withColon(both[2]));
    return skip + 1;
  }
  if (!TIME.test(word) || (/^\d+$/.test(word) && skip === 0)) return 0;
  draft.minute = parseTime(withColon(word));
  return skip + 1;
}

function withColon(text) {
  return /^\d+$/.test(text) ? `${text}:00` : text;
}

function readFor(words, draft) {
  if (words[0].toLowerCase() !== 'for' || !/^[\d.]+[wdhm]/.test(words[1] ?? '')) return 0;
  draft.length = parseDuration(words[1]);
  return 2;
}

function readRemind(words, draft) {
  if (words[0].toLowerCase() !== 'remind' || !/^\d/.test(words[1] ?? '')) return 0;
  draft.reminders.push(parseDuration(words[1]));
  return 2;
}

/** `@@WORD@@ 20m`: what is taken up before. */
function read@@NAME@@(words, draft) {
  if (words[0].toLowerCase() !== '@@WORD@@' || !/^\d/.test(words[1] ?? '')) return 0;
  draft.@@WORD@@ = parseDuration(words[1]);
  return 2;
}

/** `every day`, `every 2 weeks on mon,thu`, `every month`, `daily`. */
function readEvery(words, draft) {
  const first = words[0].toLowerCase();
  if (first in SINGLE) {
    draft.rule = { ...draft.rule, freq: SINGLE[first] };
    return 1;
  }
  if (first !== 'every') return 0;
  let at = 1;
  let interval = 1;
  if (/^\d+$/.test(words[at] ?? '')) {
    interval = Number(words[at]);
    at += 1;
  }
  const freq = FREQUENCY[(words[at] ?? '').toLowerCase().replace(/s$/, '')];
  if (!freq) return 0;
  draft.rule = { ...draft.rule, freq, interval };
  const days = words[at + 1]?.toLowerCase() === 'on' ? weekdays(words[at + 2]) : null;
  if (days === null) return at + 1;
  draft.rule.byDay = days;
  return at + 3;
}

function weekdays(text = '') {
  const indices = text.split(',').map(weekdayIndex);
  if (indices.includes(null)) return null;
  return indices.map((index) => ({ weekday: index, nth: 0 }));
}

function readUntil(words, draft) {
  if (words[0].toLowerCase() !== 'until' || !/^\d{4}-/.test(words[1] ?? '')) return 0;
  draft.rule = { ...draft.rule, until: parseDay(words[1]) };
  return 2;
}

/** `~3h` is an estimate, `after t3` another task that comes before. */
function readTaskWords(words, draft) {
  if (/^~\d/.test(words[0])) {
    draft.estimate = parseDuration(words[0].slice(1));
    return 1;
  }
  if (words[0].toLowerCase() !== 'after' || !/^t\d+$/.test(words[1] ?? '')) return 0;
  draft.after.push(words[1]);
  return 2;
}

function ruleOf(draft) {
  if (draft.rule === null) return null;
  if (!draft.rule.freq) throw new InputError("'until' needs 'every …'");
  return makeRule(draft.rule);
}

function eventOf(draft, zones) {
  if (draft.estimate !== null || draft.after.length > 0 || draft.priority > 0) {
    throw new InputError("estimates, priorities and 'after' are for tasks; begin with 'todo'");
  }
  const rule = ruleOf(draft);
  return makeEvent({
    title: draft.title.join(' '),
    day: firstDay(draft, rule),
    minute: draft.minute,
    length: lengthOf(draft),
    zone: zones.fixed(draft.zone),
    rule,
    tags: draft.tags,
    reminders: draft.reminders,
    @@WORD@@: draft.@@WORD@@,
  });
}

/** Without a day it is today; with weekdays of a rule, the first one that fits. */
function firstDay(draft, rule) {
  const day = draft.day ?? draft.today;
  if (rule === null || rule.byDay.length === 0) return day;
  const wanted = rule.byDay.map((each) => each.weekday);
  for (let ahead = 0; ahead < 7; ahead += 1) {
    if (wanted.includes(weekday(day + ahead))) return day + ahead;
  }
  return day;
}

function lengthOf(draft) {
  if (draft.end === null) return draft.length;
  if (draft.length !== null) throw new InputError("an end and 'for …' at once");
  const length = draft.end - draft.minute;
  return length > 0 ? length : length + DAY;
}

function taskOf(draft) {
  if (draft.@@WORD@@ > 0) throw new InputError("'@@WORD@@' is for events");
  return makeTask({
    title: draft.title.join(' '),
    due: draft.day,
    dueMinute: draft.minute,
    priority: draft.priority,
    tags: draft.tags,
    rule: ruleOf(draft),
    after: draft.after,
    estimate: draft.estimate,
  });
}
