import test from 'node:test';
import assert from 'node:assert/strict';
import { details, fits, names, @@FN@@ } from '../lib/sniff.js';

const bytes = (text, length = text.length) => {
  const result = new Uint8Array(length);
  for (let i = 0; i < text.length; i += 1) result[i] = text.charCodeAt(i);
  return result;
};

test('names', () => {
  assert.equal(@@FN@@(bytes('%PDF-1.7\n')), 'pdf');
  assert.equal(@@FN@@(bytes('GIF89a')), 'gif');
  assert.equal(@@FN@@(bytes('{"a": [1]}')), 'json');
  assert.equal(@@FN@@(bytes('\x00\x01\x02')), undefined);
  assert.equal(new Set(names()).size, names().length);
});

test('a picture', () => {
  const png = bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\x00\0\0\0\x20\x08\x02\0\0\0');
  assert.deepEqual(details(png), {
    name: 'png', media: 'image/png', width: 256, height: 32, depth: 8, colours: 'rgb', interlaced: false,
  });
});

test('extensions', () => {
  assert.equal(fits('Photo.GIF', bytes('GIF89a')), true);
  assert.equal(fits('photo.png', bytes('GIF89a')), false);
});
