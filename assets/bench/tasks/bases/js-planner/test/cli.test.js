import assert from 'node:assert/strict';
import fs from 'node:fs';
import test from 'node:test';
import { planner } from '../helpers/planner.js';

/** A planner whose commands all have to end well. */
function good(t, config) {
  const made = planner(t, config);
  return {
    ...made,
    out: (...words) => {
      const { code, out, err } = made.run(...words);
      assert.deepEqual([code, err], [0, ''], words.join(' '));
      return out;
    },
  };
}

test('what is added is kept', (t) => {
  const { out } = good(t);
  assert.equal(out('add', 'Lunch', 'tomorrow', '12:30'), 'e1: Lunch\n');
  assert.equal(out('add', 'todo', 'Tax', 'due', 'fri', '!2'), 't1: Tax\n');
  assert.equal(out('agenda'), 'Wed 6 March\n  12:30-13:30  e1  Lunch\n\nFri 8 March\n  due  t1  Tax\n');
  assert.ok(out('month').includes(' 6. '));
  assert.equal(out('tasks'), 't1  !2  Fri 8 March  Tax\n');
});

test('conflicts are told', (t) => {
  const { out } = good(t);
  out('add', 'Lunch tomorrow 12:30');
  assert.ok(out('add', 'Dentist tomorrow 13:00').includes('conflict: Wed 6 March 12:30-13:30 Lunch / Wed 6 March 13:00-14:00 Dentist'));
  assert.equal(out('conflicts').split('\n').length, 2);
  out('edit', 'e2', '--time', '14:00', '--length=30m');
  assert.equal(out('conflicts'), 'no conflicts\n');
  assert.ok(out('free', '3h', '--from', '2024-03-06', '--days', '1').startsWith('Wed 6 March 09:00-12:30 (3h 30m)'));
});

test('single occurrences', (t) => {
  const { out } = good(t, { home: '+02:00' });
  out('add', 'Yoga every week 18:00');
  assert.equal(out('skip', 'e1', '2024-03-12'), 'e1: not on Tue 12 March\n');
  assert.equal(out('move', 'e1', '2024-03-19', '2024-03-20', '17:00'), 'e1: moved to Wed 20 March\n');
  const text = out('agenda', '--days', '20');
  assert.ok(!text.includes('12 March') && !text.includes('19 March'));
  assert.ok(text.includes('Wed 20 March\n  17:00-18:00  e1  Yoga (moved)'));
  assert.ok(out('show', 'e1').includes('2024-03-19 18:00 to 2024-03-20 17:00'));
});

test('tasks that come again', (t) => {
  const { out } = good(t);
  out('add', 'todo Water plants every week due 2024-03-05');
  assert.equal(out('done', 't1'), 't1: done\nt2: Water plants, due 2024-03-12\n');
  assert.equal(out('undo'), 'undone: done t1, t2\n');
  assert.ok(out('tasks').startsWith('t1'));
});

test('search, removal and undo', (t) => {
  const { out } = good(t);
  out('add', 'Fair #fun sat');
  assert.equal(out('search', '#fun'), 'e1  Sat 9 March  Fair\n');
  assert.equal(out('remove', 'e1'), "e1: removed 'Fair'\n");
  assert.equal(out('search', '#fun'), 'nothing\n');
  out('undo');
  assert.equal(out('search', 'fair', '-is:task'), 'e1  Sat 9 March  Fair\n');
});

test('calendar files', (t) => {
  const { out, file } = good(t);
  out('add', 'Yoga every week 18:00 remind 30m', '--notes', 'mat');
  const text = out('export');
  fs.writeFileSync(file('out.ics'), text);
  assert.equal(out('import', file('out.ics')), '1 events, 0 tasks\n');
  assert.ok(out('show', 'e2').endsWith('Reminders  30m\n\nmat\n'));
  assert.equal(out('remind', '8h'), '2024-03-05 17:30  in 30m: Yoga\n2024-03-05 17:30  in 30m: Yoga\n');
});

test('settings', (t) => {
  const { out } = good(t, { home: '+02:00', zones: { sydney: '+11:00' }, weekStart: 'sunday', width: 40 });
  out('add', 'Call 2024-03-06 9:00 @sydney');
  assert.equal(out('agenda'), 'Wed 6 March\n  00:00-01:00  e1  Call\n');
  assert.ok(out('month').includes('Su  Mo'));
  assert.equal(out('--now', '2024-03-05 23:00', 'remind'), '');
});

test('faults', (t) => {
  const { run, configure } = planner(t);
  const faults = [
    [2, 'a command is missing'],
    [2, "no command 'dance'", 'dance'],
    [2, "no option '--loud'", 'agenda', '--loud'],
    [2, "'--days' is a number", 'agenda', '--days', '0'],
    [2, 'a title is missing', 'add', 'tomorrow'],
    [3, "there is no 'e9'", 'show', 'e9'],
    [2, 'nothing to undo', 'undo'],
    [1, 'cannot read', 'import', 'none.ics'],
  ];
  for (const [code, piece, ...words] of faults) {
    const found = run(...words);
    assert.deepEqual([found.code, found.out], [code, ''], piece);
    assert.ok(found.err.startsWith('planner: ') && found.err.includes(piece), found.err);
  }
  configure({ color: 'red' });
  assert.ok(run('agenda').err.includes("no setting 'color'"));
});
