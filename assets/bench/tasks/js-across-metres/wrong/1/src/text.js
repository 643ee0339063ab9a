/** "850 m", from a kilometre on "3.4 km". */
export function distanceText(metres) {
  if (metres < 1000) return `${metres} m`;
  return `${(metres / 1000).toFixed(1)} km`;
}

/** Minutes and seconds for each kilometre: "5:30 /km". */
export function paceText(metres, seconds) {
  if (metres === 0) return '-';
  const each = Math.round((seconds * 1000) / metres);
  return `${Math.floor(each / 60)}:${String(each % 60).padStart(2, '0')} /km`;
}
