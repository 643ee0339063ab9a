/**
 * Zones are fixed offsets from Greenwich, in minutes, written `+02:00`. They may have names; `home` is where the user
 * is. There is no daylight saving time: whoever needs it, changes `home` twice a year.
 */
import { two } from './dates.js';
import { InputError } from './errors.js';

export const HOME = 'home';

/** `+02:00`, `-0330`, `Z`. */
export function parseOffset(text) {
  if (text === 'Z' || text === 'UTC') return 0;
  const match = /^([+-])(\d{2}):?(\d{2})$/.exec(text);
  if (!match || Number(match[2]) > 14 || Number(match[3]) > 59) {
    throw new InputError(`'${text}' is no offset like +02:00`);
  }
  const minutes = Number(match[2]) * 60 + Number(match[3]);
  return match[1] === '-' ? -minutes : minutes;
}

export function formatOffset(offset) {
  const size = Math.abs(offset);
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

export class Zones {
  #names = new Map();

  /** `names` are zones by name, with their offsets as text. */
  constructor(home = '+00:00', names = {}) {
    for (const [name, offset] of Object.entries(names)) {
      if (name === HOME) throw new InputError(`'${HOME}' is no name for another zone`);
      this.#names.set(name.toLowerCase(), parseOffset(offset));
    }
    this.home = this.offset(home);
  }

  /** The offset of a name, of a written offset, or of `home`. */
  offset(zone) {
    if (zone === HOME) return this.home;
    const named = this.#names.get(zone.toLowerCase());
    return named ?? parseOffset(zone);
  }

  has(zone) {
    try {
      this.offset(zone);
      return true;
    } catch {
      return false;
    }
  }

  /** What is kept of a zone in an event: its offset, so that it stays where it is when names or `home` change. */
  fixed(zone) {
    return formatOffset(this.offset(zone));
  }
}
