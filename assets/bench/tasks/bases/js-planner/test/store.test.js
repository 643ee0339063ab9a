import assert from 'node:assert/strict';
import fs from 'node:fs';
import test from 'node:test';
import { day, event, planner, task } from '../helpers/planner.js';
import { FileError, InputError, NotFoundError } from '../src/errors.js';
import { loadStore, saveStore } from '../src/store/file.js';
import { Store } from '../src/store/store.js';

test('ids are given in order and never again', () => {
  const store = new Store();
  const [first, second, third] = store.add([event('A', '2024-03-05'), task('B'), event('C', '2024-03-05')]);
  assert.deepEqual([first.id, second.id, third.id], ['e1', 't1', 'e2']);
  store.remove(['e2']);
  assert.equal(store.add([event('D', '2024-03-05')])[0].id, 'e3');
  assert.throws(() => store.get('e2'), NotFoundError);
  assert.throws(() => store.task('e1'), InputError);
});

test('changes are taken back one by one', () => {
  const store = new Store();
  const [made] = store.add([task('Tax')]);
  store.replaceAndAdd([task('Tax return', { id: made.id })], [task('Next')], 'done');
  assert.equal(store.tasks().length, 2);
  assert.equal(store.undo().label, 'done');
  assert.deepEqual(store.tasks().map((each) => each.title), ['Tax']);
  store.undo();
  assert.deepEqual(store.tasks(), []);
  assert.throws(() => store.undo(), InputError);
});

test('occurrences are skipped and moved', () => {
  const store = new Store();
  store.add([event('Yoga', '2024-03-05', '18:00', { rule: 'FREQ=WEEKLY' })]);
  store.move('e1', '2024-03-12T18:00', { day: day('2024-03-13'), minute: 1080 });
  store.skip('e1', '2024-03-12T18:00');
  assert.deepEqual([store.event('e1').skipped, store.event('e1').moved], [['2024-03-12T18:00'], {}]);
  store.move('e1', '2024-03-12T18:00', { day: day('2024-03-14'), minute: 1080 });
  assert.deepEqual([store.event('e1').skipped, Object.keys(store.event('e1').moved)], [[], ['2024-03-12T18:00']]);
  assert.throws(() => store.skip('e1', '2024-03-13T18:00'), NotFoundError);
});

test('tasks wait for tasks that are there, and not in circles', () => {
  const store = new Store();
  store.add([task('A'), task('B')]);
  store.replace([task('A', { id: 't1', after: ['t2'] })]);
  assert.throws(() => store.replace([task('B', { id: 't2', after: ['t1'] })]), InputError);
  assert.throws(() => store.add([task('C', { after: ['t9'] })]), NotFoundError);
});

test('a store is the same after it was written and read', (t) => {
  const { file } = planner(t);
  const store = new Store();
  store.add([
    event('Yoga', '2024-03-05', '18:00', { rule: 'FREQ=WEEKLY;BYDAY=TU', zone: '+02:00', tags: ['sport'], reminders: [15], notes: 'mat' }),
    task('Tax', { due: '2024-05-31', dueMinute: 600, priority: 2, estimate: 180 }),
    event('Fair', '2024-03-05', null, { status: 'tentative' }),
  ]);
  store.move('e1', '2024-03-12T18:00', { day: day('2024-03-13'), minute: 1080 });
  saveStore(store, file('deep/planner.json'));
  const again = loadStore(file('deep/planner.json'));
  assert.deepEqual(again.plain(), store.plain());
  again.undo();
  assert.deepEqual(again.event('e1').moved, {});
});

test('files that are no store', (t) => {
  const { file } = planner(t);
  assert.deepEqual(loadStore(file('none.json')).events(), []);
  for (const text of ['{', '{"version":1}', '{"version":2,"events":[{"day":"2024-03-05"}],"tasks":[],"history":[]}']) {
    fs.writeFileSync(file('bad.json'), text);
    assert.throws(() => loadStore(file('bad.json')), FileError, text);
  }
});
