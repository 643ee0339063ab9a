/**
 * Lengths of time in minutes.
 */
import { InputError } from './errors.js';

const UNITS = { w: 10_080, d: 1440, h: 60, m: 1 };

/** `1h30m`, `90m`, `2d`, `1w`, `1.5h`. */
export function parseDuration(text) {
  const pieces = [...text.matchAll(/(\d+(?:\.\d+)?)([wdhm])/g)];
  if (pieces.length === 0 || pieces.map((piece) => piece[0]).join('') !== text) {
    throw new InputError(`'${text}' is no length of time like 1h30m`);
  }
  const minutes = pieces.reduce((sum, [, number, unit]) => sum + Number(number) * UNITS[unit], 0);
  if (!Number.isInteger(minutes)) throw new InputError(`'${text}' is no whole number of minutes`);
  return minutes;
}

/** `1d 2h 30m`; nothing is `0m`. */
export function formatDuration(minutes) {
  const sign = minutes < 0 ? '-' : '';
  let rest = Math.abs(minutes);
  const parts = [];
  for (const unit of ['d', 'h', 'm']) {
    const count = Math.floor(rest / UNITS[unit]);
    rest -= count * UNITS[unit];
    if (count > 0) parts.push(`${count}${unit}`);
  }
  return sign + (parts.join(' ') || '0m');
}

/** `PT1H30M`, `P1D`, `-PT15M`, `P2W`; seconds are dropped. */
export function parseIsoDuration(text) {
  const match = /^([+-])?P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(text);
  if (!match || /[PT]$/.test(text)) throw new InputError(`'${text}' is no duration like PT1H30M`);
  const [weeks, days, hours, minutes] = match.slice(2, 6).map((number) => Number(number ?? 0));
  const total = weeks * UNITS.w + days * UNITS.d + hours * UNITS.h + minutes;
  return match[1] === '-' ? -total : total;
}

export function isoDuration(minutes) {
  const sign = minutes < 0 ? '-' : '';
  const rest = Math.abs(minutes);
  const days = Math.floor(rest / UNITS.d);
  const hours = Math.floor((rest % UNITS.d) / UNITS.h);
  const left = rest % UNITS.h;
  const clock = (hours ? `${hours}H` : '') + (left ? `${left}M` : '');
  if (!days && !clock) return 'PT0M';
  return `${sign}P${days ? `${days}D` : ''}${clock ? `T${clock}` : ''}`;
}
