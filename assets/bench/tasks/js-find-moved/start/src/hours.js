/** When the café is open: hours of the day, the second not included. */
const HOURS = {
  Tue: [16, 19],
  Thu: [17, 20],
  Sat: [10, 14],
};

/** Minutes for each @@WHAT@@. */
export const STEP = @@STEP@@;

export const days = () => Object.keys(HOURS);

const two = (number) => String(number).padStart(2, '0');

/** All times of a day at which somebody can come. */
export function timesOf(day) {
  const [from, to] = HOURS[day] ?? [0, 0];
  const times = [];
  for (let minute = from * 60; minute < to * 60; minute += STEP) {
    times.push(`${two(Math.floor(minute / 60))}:${two(minute % 60)}`);
  }
  return times;
}
