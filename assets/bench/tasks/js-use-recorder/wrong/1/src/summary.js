/**
 * Sums up the log of a recorder.
 *
 * @param {string} log the text of the log, as `unpack` gives it
 * @returns {{
 *   rooms: Object<string, { readings: number, @@LOW@@: number, mean: number }>,
 *   @@OPEN@@: Object<string, number>,
 * }}
 *   `rooms` by the number of the room: how many readings there were, the lowest
 *   of them and their mean, both in degrees Celsius, rounded to one decimal.
 *   `@@OPEN@@` by the number of the door: how many minutes it was open
 *   altogether. Rooms and doors that do not occur in the log are left out.
 */
export function @@FN@@(log) {
  const rooms = {};
  const @@OPEN@@ = {};
  const openSince = new Map();

  const shut = (door, minute) => {
    if (!openSince.has(door)) return;
    @@OPEN@@[door] = (@@OPEN@@[door] ?? 0) + minute - openSince.get(door);
    openSince.delete(door);
  };
  const read = (room, degrees) => {
    rooms[room] ??= [];
    rooms[room].push(degrees);
  };

  let again = null;
  for (const line of log.split('\n')) {
    const times = /^=(\d+)$/.exec(line);
    if (times) {
      for (let i = 0; i < Number(times[1]); i += 1) again?.();
      continue;
    }
    again = null;
    const [, minuteText, word, number, rest] = /^\[(\d+)\] (\w+)(?: (\d+))?(?: (\S+))?/.exec(line) ?? [];
    const minute = Number(minuteText);
    if (word === 'temp') {
      const value = parseFloat(rest);
      const degrees = value;
      again = () => read(number, degrees);
      again();
    } else if (word === 'open') {
      if (!openSince.has(number)) openSince.set(number, minute);
    } else if (word === 'shut') {
      shut(number, minute);
    } else if (word === 'end') {
      for (const door of [...openSince.keys()]) shut(door, minute);
    }
  }

  const round = (value) => Math.round(value * 10) / 10 + 0;
  const summed = Object.entries(rooms).map(([room, all]) => [room, {
    readings: all.length,
    @@LOW@@: round(Math.min(...all)),
    mean: round(all.reduce((sum, value) => sum + value, 0) / all.length),
  }]);
  return { rooms: Object.fromEntries(summed), @@OPEN@@ };
}
