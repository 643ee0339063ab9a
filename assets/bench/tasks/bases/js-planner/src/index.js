/**
 * What other programs use of the planner.
 */
export { PlannerError, InputError, NotFoundError, FileError } from './errors.js';
export { parseDay, formatDay, weekday, addMonths, isoWeek } from './dates.js';
export { parseTime, formatTime, instantOf, momentAt } from './time.js';
export { parseDuration, formatDuration } from './durations.js';
export { Zones } from './zones.js';
export { makeEvent, makeTask } from './model.js';
export { parseRule, formatRule } from './recurrence/rule.js';
export { expand } from './recurrence/expand.js';
export { describeRule } from './recurrence/describe.js';
export { Store } from './store/store.js';
export { readIcs } from './ics/reader.js';
export { writeIcs } from './ics/writer.js';
export { occurrencesIn } from './occurrences.js';
export { findConflicts } from './conflicts.js';
export { freeSlots } from './free.js';
export { search } from './search/search.js';
export { quickAdd } from './quick.js';
