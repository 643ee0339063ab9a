#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { parseArguments } from '../lib/arguments.js';
import { helpText } from '../lib/help.js';
import { countWords } from '../lib/count.js';
import { report } from '../lib/report.js';

const { options, files, problem } = parseArguments(process.argv.slice(2));

if (problem) {
  console.error(`@@TOOL@@: ${problem}`);
  process.exitCode = 2;
} else if (options.help || files.length === 0) {
  console.log(helpText());
} else {
  const counts = files.map((file) => ({ file, words: countWords(readFileSync(file, 'utf8')) }));
  for (const line of report(counts, options)) console.log(line);
}
