/**
 * Commands that look and change nothing.
 */
import { conflictText, slotText } from './texts.js';
import { count } from './context.js';
import { addMonths, monthStart, parseDay, spokenDay } from '../dates.js';
import { findConflicts } from '../conflicts.js';
import { parseDuration } from '../durations.js';
import { InputError } from '../errors.js';
import { freeSlots } from '../free.js';
import { spanOfDays } from '../occurrences.js';
import { reminderText, remindersIn } from '../reminders.js';
import { search } from '../search/search.js';
import { agenda } from '../text/agenda.js';
import { details } from '../text/details.js';
import { monthGrid } from '../text/month.js';
import { taskList } from '../text/tasklist.js';
import { weekGrid } from '../text/week.js';
import { columns, lines } from '../text/wrap.js';
import { isEvent } from '../model.js';
import { formatInstant, parseTime } from '../time.js';

const DAYS = { from: 'text', to: 'text', days: 'text' };

export const VIEWS = {
  agenda: {
    help: 'agenda [--from DAY] [--to DAY | --days N]   what takes place and is due',
    options: DAYS,
    run(context, options, words) {
      none(words);
      const { today, viewer, config } = context;
      return agenda(context.store, { ...context.days(options, 7), today, viewer, width: config.width });
    },
  },

  month: {
    help: 'month [MONTH]                               a month as a grid',
    options: {},
    run(context, options, words) {
      const day = monthOf(context, words[0]);
      return monthGrid(context.store, day, { today: context.today, viewer: context.viewer, first: context.config.weekStart });
    },
  },

  week: {
    help: 'week [DAY] [--hours 7:00-20:00]             a week by hours',
    options: { hours: 'text' },
    run(context, options, words) {
      const day = words[0] === undefined ? context.today : context.day(words[0]);
      const hours = {};
      if (options.hours !== undefined) {
        const [start, end] = options.hours.split('-').map((text) => parseTime(text) / 60);
        if (!Number.isInteger(start) || !Number.isInteger(end) || end <= start) throw new InputError("'--hours' are whole hours");
        Object.assign(hours, { start, end });
      }
      return weekGrid(context.store, day, { viewer: context.viewer, first: context.config.weekStart, ...hours });
    },
  },

  show: {
    help: 'show ID                                     everything about one thing',
    options: {},
    run(context, options, words) {
      const item = context.store.get(single(words, 'an id'));
      return details(item, context.store, { today: context.today, width: context.config.width });
    },
  },

  tasks: {
    help: 'tasks [--limit N]                           open tasks, the most pressing first',
    options: { limit: 'text' },
    run(context, options, words) {
      none(words);
      const limit = options.limit === undefined ? Infinity : count(options.limit, '--limit');
      return taskList(context.store, { today: context.today, width: context.config.width, limit });
    },
  },

  search: {
    help: 'search TERMS                                words, #tags, is:late, before:DAY, -not',
    options: {},
    run(context, options, words) {
      const found = search(context.store, words.join(' '), context.today);
      if (found.length === 0) return 'nothing\n';
      const day = (item) => (isEvent(item) ? item.day : item.due);
      return lines(columns(found.map((item) => [item.id, day(item) === null ? '' : spokenDay(day(item), context.today), item.title])));
    },
  },

  conflicts: {
    help: 'conflicts [--from DAY] [--to DAY | --days N] what takes place at the same time',
    options: DAYS,
    run(context, options, words) {
      none(words);
      const { from, to } = context.days(options, 30);
      const pairs = findConflicts(context.store.events(), spanOfDays(from, to, context.viewer), context.viewer);
      return pairs.length === 0 ? 'no conflicts\n' : lines(pairs.map((pair) => conflictText(pair, context)));
    },
  },

  free: {
    help: 'free LENGTH [--from DAY] [--to DAY | --days N] free time in working hours',
    options: DAYS,
    run(context, options, words) {
      const least = parseDuration(single(words, 'a length of time'));
      const wanted = { ...context.days(options, 7), least, hours: context.config.hours };
      const slots = freeSlots(context.store.events(), wanted, context.viewer);
      return slots.length === 0 ? 'no free time\n' : lines(slots.map((slot) => slotText(slot, context)));
    },
  },

  remind: {
    help: 'remind [LENGTH]                             reminders from now on, for an hour or so long',
    options: {},
    run(context, options, words) {
      const minutes = words[0] === undefined ? 60 : parseDuration(words[0]);
      const found = remindersIn(context.store.events(), { start: context.now, end: context.now + minutes }, context.viewer);
      return lines(found.map((each) => `${formatInstant(each.at, context.viewer)}  ${reminderText(each)}`));
    },
  },
};

/** The first day of a month: `2024-03`, `next`, `last`, or that of today. */
function monthOf(context, word) {
  const now = monthStart(context.today);
  if (word === undefined) return now;
  if (word === 'next') return addMonths(now, 1);
  if (word === 'last') return addMonths(now, -1);
  return /^\d{4}-\d{2}$/.test(word) ? parseDay(`${word}-01`) : monthStart(context.day(word));
}

export function single(words, what) {
  if (words.length !== 1) throw new InputError(`${what} is needed here`);
  return words[0];
}

export function none(words) {
  if (words.length > 0) throw new InputError(`'${words[0]}' is not expected here`);
}
