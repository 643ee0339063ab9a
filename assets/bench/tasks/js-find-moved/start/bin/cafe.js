#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { createCafe } from '../src/index.js';

const [file, command, ...rest] = process.argv.slice(2);
if (!file || !command) {
  console.error('usage: cafe.js FILE list|free DAY|journal');
  process.exit(2);
}

const cafe = createCafe();
cafe.restore(JSON.parse(readFileSync(file, 'utf8')));

if (command === 'list') {
  for (const line of cafe.list()) console.log(line);
} else if (command === 'free') {
  console.log(cafe.freeTimes(rest[0]).join(' '));
} else if (command === 'journal') {
  console.log(cafe.journal.lines().join('\n'));
} else {
  console.error(`cafe.js: unknown command ${command}`);
  process.exit(2);
}
