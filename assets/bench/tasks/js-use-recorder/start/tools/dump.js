import { readFileSync } from 'node:fs';
import { unpack } from '../src/unpack.js';

const file = process.argv[2];
if (!file) {
  console.error('usage: node tools/dump.js FILE');
  process.exit(2);
}
const { log, legend } = unpack(readFileSync(file, 'utf8'));
console.log(log);
console.log('legend:');
console.log(legend);
