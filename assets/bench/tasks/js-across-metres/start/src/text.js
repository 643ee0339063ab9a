/** "850 m", from a kilometre on "3.4 km". */
export function distanceText(km) {
  if (km < 1) return `${Math.round(km * 1000)} m`;
  return `${km.toFixed(1)} km`;
}

/** Minutes and seconds for each kilometre: "5:30 /km". */
export function paceText(km, seconds) {
  if (km === 0) return '-';
  const each = Math.round(seconds / km);
  return `${Math.floor(each / 60)}:${String(each % 60).padStart(2, '0')} /km`;
}
