/**
 * Values in calendar files: texts, lists, days and times.
 */
import { formatDay, parseDay } from '../dates.js';
import { InputError } from '../errors.js';
import { formatTime } from '../time.js';

export function escapeText(text) {
  return text.replace(/[\\;,]/g, '\\$&').replace(/\n/g, '\\n');
}

export function unescapeText(text) {
  return text.replace(/\\([\\;,nN])/g, (_, letter) => (letter.toLowerCase() === 'n' ? '\n' : letter));
}

/** The parts between commas; commas behind a backslash separate nothing. */
export function splitList(text) {
  const parts = [''];
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\') {
      parts[parts.length - 1] += text.slice(at, at + 2);
      at += 1;
    } else if (text[at] === ',') parts.push('');
    else parts[parts.length - 1] += text[at];
  }
  return parts.filter((part) => part !== '');
}

/** `20240305` is a whole day, `20240305T143000` a time, with `Z` one in Greenwich. Seconds are dropped. */
export function parseIcsTime(text) {
  const match = /^(\d{8})(?:T(\d{2})(\d{2})(?:\d{2})?(Z)?)?$/.exec(text);
  if (!match) throw new InputError(`'${text}' is no day or time`);
  const day = parseDay(match[1]);
  if (match[2] === undefined) return { day, minute: null, utc: false };
  const [hour, minute] = [Number(match[2]), Number(match[3])];
  if (hour > 23 || minute > 59) throw new InputError(`'${text}' is no time`);
  return { day, minute: hour * 60 + minute, utc: match[4] === 'Z' };
}

export function icsDay(day) {
  return formatDay(day).replaceAll('-', '');
}

export function icsTime(day, minute) {
  return `${icsDay(day)}T${formatTime(minute).replace(':', '')}00`;
}
