import { gunzipSync } from 'node:zlib';

/** A packed log: the log itself and the legend the recorder adds to it. */
export function unpack(packed) {
  const { log, legend } = JSON.parse(gunzipSync(Buffer.from(packed, 'base64')).toString('utf8'));
  return { log, legend };
}
