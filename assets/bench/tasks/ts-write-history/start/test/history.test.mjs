import test from 'node:test';
import assert from 'node:assert/strict';
import { @@CLASS@@ } from '../dist/index.js';

test('undo and redo', () => {
  const h = new @@CLASS@@('a');
  h.@@PUSH@@('b');
  h.@@PUSH@@('c');
  assert.equal(h.undo(), true);
  assert.equal(h.current, 'b');
  assert.equal(h.redo(), true);
  assert.equal(h.current, 'c');
  assert.equal(h.redo(), false);
});

test('a group', () => {
  const h = new @@CLASS@@(0);
  h.@@PUSH@@(1, 'drag');
  h.@@PUSH@@(2, 'drag');
  assert.equal(h.current, 2);
  h.undo();
  assert.equal(h.current, 0);
  assert.equal(h.canUndo, false);
});
