import assert from 'node:assert/strict';
import test from 'node:test';
import { day, event, task } from '../helpers/planner.js';
import { InputError } from '../src/errors.js';
import { search } from '../src/search/search.js';
import { parseSearch } from '../src/search/terms.js';
import { Store } from '../src/store/store.js';

const store = new Store();
store.add([
  event('Café with Ida', '2024-03-10', '15:00', { tags: ['friends'] }),
  event('Annual report', '2024-03-01', '09:00', { notes: 'with Ida and Max', rule: 'FREQ=YEARLY' }),
  task('Report to Max', { due: '2024-03-01', tags: ['work'] }),
  task('Buy paint', { done: '2024-02-01' }),
  task('Paint wall'),
]);
store.add([task('Second coat', { after: ['t3'] })]);
const find = (text) => search(store, text, day('2024-03-05')).map((item) => item.id);

test('words in titles and notes', () => {
  assert.deepEqual(find('ida'), ['e1', 'e2']);
  assert.deepEqual(find('cafe'), ['e1']);
  assert.deepEqual(find('report'), ['t1', 'e2']);
  assert.deepEqual(find('"ida and"'), ['e2']);
  assert.deepEqual(find('title:ida'), ['e1']);
});

test('tags, states and days', () => {
  assert.deepEqual(find('#work'), ['t1']);
  assert.deepEqual(find('is:late'), ['t1']);
  assert.deepEqual(find('is:blocked'), ['t4']);
  assert.deepEqual(find('is:repeating'), ['e2']);
  assert.deepEqual(find('is:event before:2024-03-05'), ['e2']);
  assert.deepEqual(find('after:2024-03-01'), ['e1']);
});

test('what is not wanted', () => {
  assert.deepEqual(find('paint -is:done'), ['t3']);
  assert.deepEqual(find('ida -"annual report"'), ['e1']);
});

test('terms', () => {
  assert.deepEqual(parseSearch('at 10:30 -#Work')[1], { field: 'any', value: '10:30', negated: false });
  assert.deepEqual(parseSearch('-#Work'), [{ field: 'tag', value: 'work', negated: true }]);
  for (const text of ['', 'is:happy', 'before:soon']) assert.throws(() => parseSearch(text), InputError, text);
});
