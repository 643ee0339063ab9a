import assert from 'node:assert/strict';
import test from 'node:test';
import { day, event, task } from '../helpers/planner.js';
import { Store } from '../src/store/store.js';
import { agenda } from '../src/text/agenda.js';
import { details } from '../src/text/details.js';
import { monthGrid } from '../src/text/month.js';
import { taskList } from '../src/text/tasklist.js';
import { weekGrid } from '../src/text/week.js';
import { columns, cut, wrap } from '../src/text/wrap.js';

const TODAY = day('2024-03-05');

function filled() {
  const store = new Store();
  store.add([
    event('Night train', '2024-03-05', '22:00', { length: 600 }),
    event('Fair', '2024-03-06', null, { tags: ['fun'] }),
    event('Yoga', '2024-03-05', '18:00', { rule: 'FREQ=WEEKLY', reminders: [15], status: 'tentative' }),
    task('Tax', { due: '2024-03-06', priority: 2 }),
    task('Paint'),
  ]);
  return store;
}

test('the agenda', () => {
  const text = agenda(filled(), { from: TODAY, to: TODAY + 3, today: TODAY, viewer: 0, width: 80 });
  assert.equal(text, [
    'Tue 5 March (today)',
    '  18:00-19:00  e3  Yoga ?',
    '  22:00->      e1  Night train',
    '',
    'Wed 6 March',
    '  <-08:00  e1  Night train',
    '  all day  e2  Fair #fun',
    '  due      t1  Tax',
    '',
  ].join('\n'));
  assert.equal(agenda(new Store(), { from: TODAY, to: TODAY + 3, today: TODAY, viewer: 0, width: 80 }), 'nothing\n');
});

test('a month', () => {
  const rows = monthGrid(filled(), TODAY, { today: TODAY, viewer: 0, first: 6 }).split('\n');
  assert.equal(rows[1], '     Su  Mo  Tu  We  Th  Fr  Sa');
  assert.equal(rows[2], 'W09                       1   2');
  assert.equal(rows[3], 'W10   3   4 [ 5]  6:  7   8   9');
});

test('a week', () => {
  const store = filled();
  store.add([event('A', '2024-03-04', '09:00', { length: 90 }), event('B', '2024-03-04', '10:00')]);
  const rows = weekGrid(store, TODAY, { viewer: 0, first: 0, start: 9, end: 11 }).split('\n');
  assert.equal(rows[1].slice(0, 17), '09:00 #####  ....');
  assert.equal(rows[2].slice(0, 17), '10:00 +++++  ....');
});

test('details', () => {
  const store = filled();
  store.skip('e3', '2024-03-12T18:00');
  const text = details(store.get('e3'), store, { today: TODAY, width: 40 });
  for (const line of ['Yoga (e3)', 'When       Tue 5 March 18:00 (+00:00)', 'Repeats    every week', 'Not on     2024-03-12 18:00', 'Reminders  15m']) {
    assert.ok(text.includes(`${line}\n`), line);
  }
  assert.ok(details(store.get('t1'), store, { today: TODAY, width: 40 }).includes('Due       Wed 6 March\n'));
});

test('tasks', () => {
  const store = filled();
  store.replace([task('Paint', { id: 't2', after: ['t1'] })]);
  assert.equal(taskList(store, { today: TODAY, width: 80 }), 't1  !2  tomorrow  Tax\nt2                Paint (waits)\n');
  assert.ok(taskList(store, { today: TODAY, width: 80, limit: 1 }).endsWith('and 1 more\n'));
});

test('text is wrapped and cut', () => {
  assert.deepEqual(wrap('one two three\nfour', 8), ['one two', 'three', 'four']);
  assert.deepEqual(wrap('abcdefghij k', 4), ['abcd', 'efgh', 'ij k']);
  assert.equal(cut('abcdef', 4), 'ab..');
  assert.deepEqual(columns([['a', 'b'], ['ccc', 'd']]), ['a    b', 'ccc  d']);
});
