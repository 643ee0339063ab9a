import test from 'node:test';
import assert from 'node:assert/strict';
import { parseArguments } from '../lib/arguments.js';

test('options and files', () => {
  assert.deepEqual(parseArguments(['-l', '5', 'a.txt', '--sort', 'name', 'b.txt']), {
    options: { limit: 5, sort: 'name' },
    files: ['a.txt', 'b.txt'],
  });
});

test('unknown options are told', () => {
  assert.equal(parseArguments(['--nope']).problem, 'unknown option --nope');
});
