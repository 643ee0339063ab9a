const EARTH_METRES = 6371000;

const radians = (degrees) => (degrees * Math.PI) / 180;

/** The distance of two points over the ground (haversine), in whole metres. */
export function distanceMetres(a, b) {
  const dLat = radians(b.lat - a.lat);
  const dLon = radians(b.lon - a.lon);
  const h =
    Math.sin(dLat / 2) ** 2 +
    Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * Math.sin(dLon / 2) ** 2;
  return Math.round(2 * EARTH_METRES * Math.asin(Math.sqrt(h)));
}
