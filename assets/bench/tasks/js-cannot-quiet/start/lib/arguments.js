import { flagFor } from './flags.js';

/** Splits the command line into options and files. */
export function parseArguments(words) {
  const options = {};
  const files = [];
  const rest = [...words];
  while (rest.length > 0) {
    const word = rest.shift();
    if (!word.startsWith('-') || word === '-') {
      files.push(word);
      continue;
    }
    const flag = flagFor(word);
    if (!flag) return { options, files, problem: `unknown option ${word}` };
    if (!flag.takes) {
      options[flag.name] = true;
      continue;
    }
    const value = rest.shift();
    if (value === undefined) return { options, files, problem: `${word} needs a ${flag.takes}` };
    if (flag.takes === 'number' && !/^\d+$/.test(value)) {
      return { options, files, problem: `${word}: ${value} is no number` };
    }
    options[flag.name] = flag.takes === 'number' ? Number(value) : value;
  }
  return { options, files };
}
