/**
 * All options. `takes` is the kind of value an option wants; one without it is
 * a switch.
 */
export const flags = [
  { name: 'help', short: 'h', text: 'show this text' },
  { name: 'limit', short: 'l', takes: 'number', text: 'mark files with more words than this' },
  { name: 'sort', short: 's', takes: 'word', text: 'order of the lines: name or words' },
  { name: 'total-only', short: 't', text: 'print nothing but the last line' },
  { name: '@@OPT@@', short: 'Q', text: 'leave the last line away' },
  { name: '@@OPT@@', short: 'Q', text: 'do not print the total line' },
];

export function flagFor(word) {
  if (word.startsWith('--')) return flags.find((flag) => `--${flag.name}` === word);
  return flags.find((flag) => `-${flag.short}` === word);
}
