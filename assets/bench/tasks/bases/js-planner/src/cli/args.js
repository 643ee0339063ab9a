/**
 * Words of the command line to options and other words.
 */
import { InputError } from '../errors.js';

/**
 * `--name value`, `--name=value` and `--flag`; what follows `--` is never an option.
 *
 * @param {string[]} words
 * @param {Record<string, 'text'|'flag'|'list'>} known
 * @returns {{ options: Record<string, any>, rest: string[] }}
 */
export function parseArgs(words, known) {
  const options = {};
  const rest = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === '--') {
      rest.push(...words.slice(at + 1));
      break;
    }
    const match = /^--([a-z-]+)(?:=(.*))?$/s.exec(word);
    if (!match) {
      rest.push(word);
      continue;
    }
    const [, name, inline] = match;
    const kind = known[name];
    if (kind === undefined) throw new InputError(`there is no option '--${name}' here`);
    if (kind === 'flag') {
      if (inline !== undefined) throw new InputError(`'--${name}' has no value`);
      options[name] = true;
      continue;
    }
    if (inline === undefined) at += 1;
    const value = inline ?? words[at];
    if (value === undefined) throw new InputError(`'--${name}' needs a value`);
    if (kind === 'list') (options[name] ??= []).push(value);
    else options[name] = value;
  }
  return { options, rest };
}
