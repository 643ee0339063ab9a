import { flags } from './flags.js';

export function helpText() {
  const lines = flags.map((flag) => {
    const left = `-${flag.short}, --${flag.name}${flag.takes ? ` ${flag.takes.toUpperCase()}` : ''}`;
    return `  ${left.padEnd(24)}${flag.text}`;
  });
  return ['usage: @@TOOL@@ [options] FILE…', '', ...lines].join('\n');
}
