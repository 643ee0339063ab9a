/**
 * The lines of calendar files (RFC 5545, section 3.1): folded at 75 octets, each a name with parameters and a value.
 */
import { InputError } from '../errors.js';

const LIMIT = 75;

/** Logical lines with the number of their first line, from 1. What begins with a space goes on the line before. */
export function unfold(text) {
  const lines = [];
  text.split(/\r\n|\n|\r/).forEach((line, index) => {
    if (/^[ \t]/.test(line) && lines.length > 0) lines.at(-1).text += line.slice(1);
    else if (line !== '') lines.push({ text: line, number: index + 1 });
  });
  return lines;
}

/** A logical line in pieces of at most 75 octets. Characters stay whole. */
export function fold(line) {
  const pieces = [];
  let piece = '';
  let size = 0;
  for (const character of line) {
    const octets = Buffer.byteLength(character);
    if (size + octets > LIMIT) {
      pieces.push(piece);
      piece = ' ';
      size = 1;
    }
    piece += character;
    size += octets;
  }
  pieces.push(piece);
  return pieces.join('\r\n');
}

/** `NAME;PARAM=value;OTHER="quoted":value`. Names are in capitals. */
export function parseLine({ text, number }) {
  const head = /^([A-Za-z0-9-]+)/.exec(text);
  if (!head) throw new InputError(`line ${number}: there is no name`);
  const params = {};
  let at = head[0].length;
  while (text[at] === ';') {
    const match = /^;([A-Za-z0-9-]+)=("[^"]*"|[^";:]*)/.exec(text.slice(at));
    if (!match) throw new InputError(`line ${number}: a parameter makes no sense`);
    params[match[1].toUpperCase()] = match[2].replace(/^"|"$/g, '');
    at += match[0].length;
  }
  if (text[at] !== ':') throw new InputError(`line ${number}: there is no value`);
  return { name: head[0].toUpperCase(), params, value: text.slice(at + 1), number };
}

export function formatLine(name, value, params = {}) {
  const written = Object.entries(params).map(([key, text]) => `;${key}=${/[;:,]/.test(text) ? `"${text}"` : text}`);
  return fold(`${name}${written.join('')}:${value}`);
}
