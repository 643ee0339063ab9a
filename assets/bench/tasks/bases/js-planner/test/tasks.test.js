import assert from 'node:assert/strict';
import test from 'node:test';
import { day, task } from '../helpers/planner.js';
import { InputError } from '../src/errors.js';
import { formatRule } from '../src/recurrence/rule.js';
import { blockers, complete, sortedTasks, waitsForItself } from '../src/tasks.js';

const TODAY = day('2024-03-05');

test('the most pressing comes first', () => {
  const tasks = [
    task('Some day', { id: 't1' }),
    task('Soon', { id: 't2', due: '2024-03-08' }),
    task('Late', { id: 't3', due: '2024-03-01' }),
    task('Important', { id: 't4', due: '2024-03-12', priority: 1 }),
    task('Waits', { id: 't5', due: '2024-03-05', after: ['t1'] }),
    task('Done', { id: 't6', done: '2024-03-01' }),
  ];
  assert.deepEqual(sortedTasks(tasks, TODAY).map((each) => each.title), ['Late', 'Important', 'Soon', 'Some day', 'Waits']);
  assert.deepEqual(blockers(tasks[4], tasks).map((each) => each.id), ['t1']);
});

test('done once', () => {
  const { done, next } = complete(task('Tax', { id: 't1' }), TODAY);
  assert.equal(done.done, TODAY);
  assert.equal(next, null);
  assert.throws(() => complete(done, TODAY), InputError);
});

test('the next one of a task that comes again', () => {
  const water = task('Water', { id: 't1', due: '2024-03-01', rule: 'FREQ=WEEKLY;COUNT=4' });
  const { next } = complete(water, TODAY);
  assert.equal(next.due, day('2024-03-08'));
  assert.equal(formatRule(next.rule), 'FREQ=WEEKLY;COUNT=3');
  assert.equal(next.id, undefined);
  assert.equal(complete(water, day('2024-05-01')).next, null);
});

test('circles of tasks', () => {
  const first = task('First', { id: 't1', after: ['t2'] });
  const second = task('Second', { id: 't2' });
  assert.equal(waitsForItself(second, ['t1'], [first, second]), true);
  assert.equal(waitsForItself(first, ['t2'], [first, second]), false);
});
