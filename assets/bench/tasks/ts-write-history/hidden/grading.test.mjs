import test from 'node:test';
import assert from 'node:assert/strict';
import { @@CLASS@@ } from './dist/index.js';

const filled = (...states) => {
  const h = new @@CLASS@@(states[0]);
  for (const state of states.slice(1)) h.@@PUSH@@(state);
  return h;
};

/** The states from the current one back to the oldest. */
const back = (h) => {
  const states = [h.current];
  while (h.undo()) states.push(h.current);
  return states;
};

test('back and forth', () => {
  const h = filled(1, 2, 3);
  assert.deepEqual([h.current, h.canUndo, h.canRedo], [3, true, false]);
  assert.equal(h.undo(), true);
  assert.equal(h.undo(), true);
  assert.equal(h.undo(), false);
  assert.deepEqual([h.current, h.canUndo, h.canRedo], [1, false, true]);
  assert.equal(h.redo(), true);
  assert.equal(h.current, 2);
  assert.equal(h.redo(), true);
  assert.equal(h.redo(), false);
  assert.equal(h.current, 3);
  const state = { x: 1 };
  const other = new @@CLASS@@(undefined);
  other.@@PUSH@@(state);
  other.undo();
  assert.equal(other.current, undefined);
  other.redo();
  assert.equal(other.current, state);
});

test('a new step forgets what was undone', () => {
  const h = filled('a', 'b', 'c', 'd');
  h.undo();
  h.undo();
  h.@@PUSH@@('e');
  assert.equal(h.canRedo, false);
  assert.deepEqual(back(h), ['e', 'b', 'a']);
});

test('steps of one group go together', () => {
  const h = filled('a', 'b');
  h.@@PUSH@@('c', 'move');
  h.@@PUSH@@('d', 'move');
  h.@@PUSH@@('e', 'move');
  h.@@PUSH@@('f', 'turn');
  h.@@PUSH@@('g', 'turn');
  h.@@PUSH@@('h');
  h.@@PUSH@@('i', '');
  h.@@PUSH@@('j', '');
  assert.deepEqual(back(h), ['j', 'h', 'g', 'e', 'b', 'a']);
});

test('groups end', () => {
  const h = filled('a');
  h.@@PUSH@@('b', 'g');
  h.undo();
  h.redo();
  h.@@PUSH@@('c', 'g');
  assert.equal(h.redo(), false);
  h.@@PUSH@@('d', 'g');
  h.save();
  h.@@PUSH@@('e', 'g');
  h.@@PUSH@@('f');
  h.@@PUSH@@('g', 'g');
  h.@@PUSH@@('h', 'g');
  assert.deepEqual(back(h), ['h', 'f', 'e', 'd', 'c', 'b', 'a']);
  assert.equal(h.undo(), false);
  h.redo();
  h.@@PUSH@@('x', 'g');
  h.undo();
  h.@@PUSH@@('y', 'g');
  assert.deepEqual(back(h), ['y', 'b', 'a']);
});

test('the oldest steps are dropped', () => {
  const h = new @@CLASS@@(0, { most: 3 });
  for (let i = 1; i <= 5; i += 1) h.@@PUSH@@(i);
  h.@@PUSH@@(6, 'g');
  h.@@PUSH@@(7, 'g');
  assert.deepEqual(back(h), [7, 5, 4, 3]);
  h.redo();
  h.redo();
  h.@@PUSH@@(8);
  assert.deepEqual(back(h), [8, 5, 4, 3]);
  const usual = new @@CLASS@@(0);
  for (let i = 1; i <= 60; i += 1) usual.@@PUSH@@(i);
  assert.equal(back(usual).length, @@MOST@@ + 1);
  const none = new @@CLASS@@(0, { most: 0 });
  none.@@PUSH@@(1);
  assert.deepEqual([none.current, none.canUndo], [1, false]);
});

test('listeners hear of each change', () => {
  const h = filled('a');
  const heard = [];
  const first = (state) => heard.push(`1${state}`);
  const endFirst = h.onChange(first);
  const endAgain = h.onChange(first);
  h.@@PUSH@@('b');
  assert.deepEqual(heard.splice(0), ['1b', '1b']);
  endAgain();
  endAgain();
  h.@@PUSH@@('c', 'g');
  h.@@PUSH@@('d', 'g');
  h.undo();
  h.redo();
  h.redo();
  h.save();
  assert.deepEqual(heard.splice(0), ['1c', '1d', '1b', '1d']);
  const endSecond = h.onChange((state) => {
    heard.push(`2${state}`);
    endSecond();
  });
  h.onChange((state) => heard.push(`3${state}`));
  h.undo();
  h.undo();
  h.undo();
  assert.deepEqual(heard.splice(0), ['1b', '2b', '3b', '1a', '3a']);
  endFirst();
  h.redo();
  assert.deepEqual(heard.splice(0), ['3b']);
  const endFourth = h.onChange(() => {
    endFourth();
    h.onChange((state) => heard.push(`5${state}`));
  });
  h.undo();
  assert.deepEqual(heard.splice(0), ['3a']);
  h.redo();
  assert.deepEqual(heard.splice(0), ['3b', '5b']);
});

test('the saved mark', () => {
  const h = filled('a');
  assert.equal(h.saved, true);
  h.@@PUSH@@('a');
  assert.equal(h.saved, false);
  h.undo();
  assert.equal(h.saved, true);
  h.redo();
  h.save();
  assert.equal(h.saved, true);
  h.@@PUSH@@('b', 'g');
  h.@@PUSH@@('c', 'g');
  assert.equal(h.saved, false);
  h.undo();
  assert.equal(h.saved, true);
  h.undo();
  assert.equal(h.saved, false);
  h.@@PUSH@@('z');
  assert.equal(h.saved, false);
  h.undo();
  assert.equal(h.saved, false);
  const short = new @@CLASS@@(0, { most: 1 });
  short.@@PUSH@@(1);
  short.@@PUSH@@(2);
  short.undo();
  assert.equal(short.saved, false);
  short.save();
  short.@@PUSH@@(3);
  short.undo();
  assert.equal(short.saved, true);
});
