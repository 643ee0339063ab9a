import assert from 'node:assert/strict';
import test from 'node:test';
import { planner, task } from './helpers/planner.js';
import { loadStore, saveStore } from './src/store/file.js';
import { Store } from './src/store/store.js';
import { complete } from './src/tasks.js';
import { parseDay } from './src/dates.js';
import { InputError } from './src/errors.js';

const TODAY = parseDay('2024-03-05');

/** A store with two tasks, one that comes again, after so many changes of a third. */
function used(changes) {
  const store = new Store();
  store.add([task('@@ONCE@@', { due: '2024-03-06' })]);
  store.add([task('Water plants', { due: '2024-03-05', rule: 'FREQ=WEEKLY' })]);
  store.add([task('Diary')]);
  for (let at = 0; at < changes; at += 1) store.replace([task(`Diary ${at}`, { id: 't3' })]);
  return store;
}

function done(store, id) {
  const result = complete(store.task(id), TODAY);
  return store.replaceAndAdd([result.done], result.next === null ? [] : [result.next], 'done');
}

const open = (store) => store.tasks().filter((each) => each.done === null).map((each) => each.id).sort();

/** How many changes can be taken back. */
function undoable(store) {
  let count = 0;
  for (;;) {
    try {
      store.undo();
    } catch (error) {
      assert.ok(error instanceof InputError);
      return count;
    }
    count += 1;
  }
}

test('done and taken back in a planner of many changes', () => {
  for (const changes of [@@KEPT@@ - 3, @@KEPT@@, 130, 700]) {
    const store = used(changes);
    done(store, 't1');
    assert.deepEqual(open(store), ['t2', 't3']);
    const step = store.undo();
    assert.deepEqual([step.label, step.changes.length], ['done', 1], `${changes} changes`);
    assert.deepEqual(open(store), ['t1', 't2', 't3']);
  }
});

test('one that comes again is taken back with its next', () => {
  for (const changes of [@@KEPT@@ - 4, @@KEPT@@ - 3, @@KEPT@@, 700]) {
    const store = used(changes);
    const [next] = done(store, 't2');
    assert.equal(next.id, 't4');
    assert.deepEqual(open(store), ['t1', 't3', 't4']);
    assert.deepEqual(store.undo().changes.length, 2, `${changes} changes`);
    assert.deepEqual(open(store), ['t1', 't2', 't3']);
    assert.equal(store.task('t3').title, `Diary ${changes - 1}`);
    store.undo();
    assert.equal(store.task('t3').title, `Diary ${changes - 2}`);
  }
});

test('a small planner is as before', () => {
  const store = used(0);
  done(store, 't2');
  assert.equal(store.lastChange().changes.length, 2);
  assert.equal(undoable(store), 4);
  assert.deepEqual(store.tasks(), []);
});

test('as many changes as before can be taken back', () => {
  assert.equal(undoable(used(@@KEPT@@ + 20)), @@KEPT@@);
  assert.equal(undoable(used(@@KEPT@@ - 10)), @@KEPT@@ - 7);
});

test('as many changes with some that were done', () => {
  const store = used(@@KEPT@@ + 20);
  done(store, 't1');
  assert.equal(undoable(store), @@KEPT@@);
  const other = used(@@KEPT@@ + 20);
  done(other, 't2');
  done(other, 't4');
  assert.equal(other.plain().history.length, @@KEPT@@);
  assert.equal(undoable(other), @@KEPT@@);
});

test('the file keeps what can be taken back', (t) => {
  const { file } = planner(t);
  const store = used(700);
  done(store, 't2');
  saveStore(store, file('planner.json'));
  const again = loadStore(file('planner.json'));
  again.undo();
  assert.deepEqual(open(again), ['t1', 't2', 't3']);
});

test('on the command line', (t) => {
  const { run, file } = planner(t);
  saveStore(used(120), file('planner.json'));
  assert.equal(run('done', 't2').out, 't2: done\nt4: Water plants, due 2024-03-12\n');
  assert.equal(run('done', 't1').out, 't1: done\n');
  assert.equal(run('undo').out, 'undone: done t1\n');
  assert.equal(run('undo').out, 'undone: done t2, t4\n');
  assert.ok(run('tasks').out.includes('@@ONCE@@'));
  assert.equal(run('undo').out, 'undone: edit t3\n');
});
