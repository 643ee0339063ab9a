import test from 'node:test';
import assert from 'node:assert/strict';
import { details, names, @@FN@@ } from './lib/sniff.js';

/** Bytes with parts written over them: text, or [size, number, big endian]. */
function file(length, parts) {
  const buffer = Buffer.alloc(length);
  for (const [at, part] of Object.entries(parts)) {
    if (typeof part === 'string') buffer.write(part, Number(at), 'latin1');
    else if (part[2]) buffer.writeUIntBE(part[1] < 0 ? part[1] + 2 ** (8 * part[0]) : part[1], Number(at), part[0]);
    else buffer.writeUIntLE(part[1] < 0 ? part[1] + 2 ** (8 * part[0]) : part[1], Number(at), part[0]);
  }
  return new Uint8Array(buffer);
}

const bitmap = (width, height, more = {}) =>
  file(80, { 0: 'BM', 14: [4, 40], 18: [4, width], 22: [4, height], 28: [2, 24], ...more });

const media = 'image/bmp';

test('bitmaps from the bottom', () => {
  assert.deepEqual(details(bitmap(640, 480)), {
    name: 'bmp', media, width: 640, height: 480, @@FLAG@@: false, depth: 24, compressed: false,
  });
});

test('bitmaps from the top', () => {
  const found = details(bitmap(70000, -66000));
  assert.equal(found.height, 66000);
  assert.equal(found.width, 70000);
  assert.equal(found.@@FLAG@@, true);
  assert.equal(details(bitmap(1, -1)).height, 1);
});

test('bitmaps with the short header', () => {
  const short = file(40, { 0: 'BM', 14: [4, 12], 18: [2, 300], 20: [2, 40000], 24: [2, 8] });
  assert.deepEqual(details(short), { name: 'bmp', media, width: 300, height: 40000, depth: 8, @@FLAG@@: false });
});

test('the other fields of bitmaps', () => {
  const found = details(bitmap(5, 6, { 28: [2, 4], 30: [4, 2] }));
  assert.equal(found.depth, 4);
  assert.equal(found.compressed, true);
  assert.equal(found.name, 'bmp');
  assert.equal(@@FN@@(file(40, { 0: 'BM', 6: [4, 1] })), undefined);
});

test('other pictures are read as before', () => {
  assert.deepEqual(details(file(40, { 0: '8BPS', 4: [2, 1, true], 12: [2, 3, true], 14: [4, 90, true], 18: [4, 120, true] })), {
    name: 'psd', media: 'image/vnd.adobe.photoshop', width: 120, height: 90, channels: 3, large: false,
  });
  assert.deepEqual(details(file(30, { 2: [2, 2], 4: [2, 1], 6: [1, 32], 10: [2, -3], 12: [2, 4] })), {
    name: 'cur', media: 'image/x-win-bitmap', width: 32, height: 256, hotspot: [-3, 4],
  });
  assert.deepEqual(details(file(80, { 0: [1, 10], 1: [1, 5], 2: [1, 1], 3: [1, 8], 4: [2, 10], 8: [2, 19], 10: [2, 4], 65: [1, 3] })), {
    name: 'pcx', media: 'image/x-pcx', width: 10, height: 5, depth: 24,
  });
});

test('other numbers below zero are read as before', () => {
  assert.deepEqual(details(file(60, { 0: [4, 1], 8: [4, -10], 12: [4, -20], 16: [4, 30], 20: [4, -5], 40: ' EMF', 52: [4, 7] })), {
    name: 'emf', media: 'image/emf', width: 41, height: 16, records: 7,
  });
  assert.deepEqual(details(file(24, { 0: [4, 0xa1b2c3d4], 4: [2, 2], 6: [2, 4], 8: [4, -3600], 16: [4, 65535] })), {
    name: 'pcap', media: 'application/vnd.tcpdump.pcap', version: '2.4', zone: -3600, most: 65535,
  });
  assert.equal(details(file(60, { 0: 'OggS', 28: '\x01vorbis', 39: [1, 2], 40: [4, 44100], 48: [4, -1] })).bitrate, -1);
  assert.equal(details(file(60, { 0: 'OggS', 28: 'OpusHead', 37: [1, 2], 40: [4, 48000], 44: [2, -256] })).gain, -1);
  assert.equal(details(file(20, { 0: 'MThd', 8: [2, 1, true], 10: [2, 2, true], 12: [2, -6104, true] })).timing, 'frames');
});

test('everything else is recognised as before', () => {
  assert.equal(names().length, 86);
  const text = (words) => file(words.length, { 0: words });
  assert.deepEqual(details(text('a\r\nb\r\n')), { name: 'text', media: 'text/plain', lines: 2, crlf: true });
  assert.equal(details(text('#!/usr/bin/env -S node\n')).interpreter, 'node');
  assert.equal(@@FN@@(text('<?xml version="1.0"?>\n<svg width="3">')), 'svg');
  assert.equal(@@FN@@(file(200, { 0: 'PK\x03\x04', 30: 'mimetypeapplication/epub+zip' })), 'epub');
  assert.equal(@@FN@@(file(400, { 0: 'docs/', 257: 'ustar' })), 'tar');
  assert.deepEqual(details(file(40, { 0: 'fLaC', 18: [4, (44100 << 12 | 1 << 9 | 15 << 4) >>> 0, true] })), {
    name: 'flac', media: 'audio/flac', rate: 44100, channels: 2, depth: 16,
  });
  assert.equal(@@FN@@(file(16, { 0: 'RIFF', 8: 'AVI ' })), 'avi');
  assert.equal(@@FN@@(file(16, { 0: 'RIFF', 8: 'WAVE' })), 'wave');
});
