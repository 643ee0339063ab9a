/**
 * Words of a search to terms.
 *
 *     ida "annual report"        in title or notes, anywhere
 *     #work, tag:work            tags
 *     title:…  notes:…           there only
 *     is:event is:task is:open is:done is:late is:blocked is:repeating
 *     before:2024-03-05  after:2024-03-05
 *     -word  -#work  -is:done    not
 */
import { parseDay } from '../dates.js';
import { InputError } from '../errors.js';

export const STATES = ['event', 'task', 'open', 'done', 'late', 'blocked', 'repeating'];

const FIELDS = ['title', 'notes', 'tag', 'is', 'before', 'after'];

/** Terms are `{ field, value, negated }`; the field `any` looks in title and notes. */
export function parseSearch(text) {
  const terms = [];
  const pattern = /(-?)(?:(\w+):)?(?:"([^"]*)"|(\S+))/g;
  for (const [whole, minus, field, quoted, word] of text.matchAll(pattern)) {
    const value = quoted ?? word ?? '';
    if (field !== undefined && !FIELDS.includes(field)) {
      // An unknown field is text with a colon in it, as `10:30`.
      terms.push(term('any', whole.replace(/^-/, '').replaceAll('"', ''), minus));
    } else {
      terms.push(term(field ?? 'any', value, minus));
    }
  }
  if (terms.length === 0) throw new InputError('there is nothing to search for');
  return terms;
}

function term(field, text, minus) {
  const negated = minus === '-';
  if (field === 'any' && /^#./.test(text)) return { field: 'tag', value: text.slice(1).toLowerCase(), negated };
  if (field === 'is' && !STATES.includes(text)) {
    throw new InputError(`'is:${text}' is unknown; there are ${STATES.join(', ')}`);
  }
  if (field === 'before' || field === 'after') return { field, value: parseDay(text), negated };
  return { field, value: plain(text), negated };
}

/** For comparing: in small letters and without accents. */
export function plain(text) {
  return text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
}
