/**
 * Recognises files by their first bytes.
 *
 * Every entry of `formats` has a name, the usual media type and extensions, a
 * function `matches` that looks at the first bytes, and, where the header tells
 * more, a function `details`. The order counts: the first entry that matches is
 * taken, so entries for special kinds stand before those for their containers.
 */

// ---------------------------------------------------------------------------
// Reading bytes
// ---------------------------------------------------------------------------

const u8 = (bytes, at) => bytes[at] ?? 0;

const u16le = (bytes, at) => u8(bytes, at) | (u8(bytes, at + 1) << 8);

const u16be = (bytes, at) => (u8(bytes, at) << 8) | u8(bytes, at + 1);

const u24be = (bytes, at) => (u16be(bytes, at) << 8) | u8(bytes, at + 2);

const u32le = (bytes, at) => (u16le(bytes, at) | (u16le(bytes, at + 2) << 16)) >>> 0;

const u32be = (bytes, at) => ((u16be(bytes, at) << 16) | u16be(bytes, at + 2)) >>> 0;

const i16le = (bytes, at) => (u16le(bytes, at) << 16) >> 16;

const i16be = (bytes, at) => (u16be(bytes, at) << 16) >> 16;

const i32le = (bytes, at) => u32le(bytes, at) | 0;

const i32be = (bytes, at) => u32be(bytes, at) | 0;

/** The characters from `at` on, each byte as one. */
function ascii(bytes, at, length) {
  let text = '';
  for (let i = at; i < Math.min(at + length, bytes.length); i += 1) {
    text += String.fromCharCode(bytes[i]);
  }
  return text;
}

/** Like `ascii`, but only up to the first zero byte, and without blanks around. */
function trimmed(bytes, at, length) {
  return ascii(bytes, at, length).split('\0', 1)[0].trim();
}

/** Whether `word` stands at `at`. */
function has(bytes, at, word) {
  return ascii(bytes, at, word.length) === word;
}

/** Whether these very bytes stand at `at`; `null` stands for any byte. */
function hasBytes(bytes, at, wanted) {
  if (bytes.length < at + wanted.length) return false;
  return wanted.every((byte, i) => byte === null || bytes[at + i] === byte);
}

/** Whether the first bytes could be text at all. */
function looksLikeText(bytes) {
  const end = Math.min(bytes.length, 256);
  for (let i = 0; i < end; i += 1) {
    const byte = bytes[i];
    if (byte < 9 || (byte > 13 && byte < 32 && byte !== 27)) return false;
  }
  return end > 0;
}

/** The first line of a text, without a byte order mark. */
function firstLine(bytes) {
  const skip = hasBytes(bytes, 0, [0xef, 0xbb, 0xbf]) ? 3 : 0;
  return ascii(bytes, skip, 200).split(/\r?\n/, 1)[0];
}

/** Finds a chunk of a RIFF or IFF file; -1 if it is not among the first bytes. */
function findChunk(bytes, name, readSize) {
  let at = 12;
  while (at + 8 <= bytes.length) {
    if (has(bytes, at, name)) return at;
    const size = readSize(bytes, at + 4);
    at += 8 + size + (size % 2);
  }
  return -1;
}

const plural = (count, word) => `${count} ${word}${count === 1 ? '' : 's'}`;

// ---------------------------------------------------------------------------
// Pictures
// ---------------------------------------------------------------------------

const pictures = [
  {
    name: 'png',
    media: 'image/png',
    extensions: ['png'],
    matches: bytes => hasBytes(bytes, 0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    details(bytes) {
      const colours = { 0: 'grey', 2: 'rgb', 3: 'palette', 4: 'grey+alpha', 6: 'rgb+alpha' };
      return {
        width: u32be(bytes, 16),
        height: u32be(bytes, 20),
        depth: u8(bytes, 24),
        colours: colours[u8(bytes, 25)] ?? 'unknown',
        interlaced: u8(bytes, 28) === 1,
      };
    },
  },
  {
    name: 'gif',
    media: 'image/gif',
    extensions: ['gif'],
    matches: bytes => /^GIF8[79]a$/.test(ascii(bytes, 0, 6)),
    details(bytes) {
      const flags = u8(bytes, 10);
      return {
        version: ascii(bytes, 3, 3),
        width: u16le(bytes, 6),
        height: u16le(bytes, 8),
        colours: flags & 0x80 ? 2 ** ((flags & 7) + 1) : 0,
      };
    },
  },
  {
    name: 'jpeg',
    media: 'image/jpeg',
    extensions: ['jpg', 'jpeg', 'jpe'],
    matches: bytes => hasBytes(bytes, 0, [0xff, 0xd8, 0xff]),
    details(bytes) {
      // the size stands in the first frame header, behind segments of any length
      let at = 2;
      while (at + 9 <= bytes.length && u8(bytes, at) === 0xff) {
        const marker = u8(bytes, at + 1);
        const frame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
        if (frame) {
          return { width: u16be(bytes, at + 7), height: u16be(bytes, at + 5), progressive: marker === 0xc2 };
        }
        at += 2 + u16be(bytes, at + 2);
      }
      return {};
    },
  },
  {
    name: 'webp',
    media: 'image/webp',
    extensions: ['webp'],
    matches: bytes => has(bytes, 0, 'RIFF') && has(bytes, 8, 'WEBP'),
    details(bytes) {
      const kind = ascii(bytes, 12, 4);
      if (kind === 'VP8X') {
        const size = (at) => u8(bytes, at) + (u16le(bytes, at + 1) << 8) + 1;
        return { width: size(24), height: size(27), animated: (u8(bytes, 20) & 2) !== 0 };
      }
      if (kind === 'VP8 ') {
        return { width: u16le(bytes, 26) & 0x3fff, height: u16le(bytes, 28) & 0x3fff, animated: false };
      }
      return { lossless: kind === 'VP8L' };
    },
  },
  {
    name: 'ico',
    media: 'image/vnd.microsoft.icon',
    extensions: ['ico'],
    matches: bytes =>
      hasBytes(bytes, 0, [0, 0, 1, 0]) &&
      u16le(bytes, 4) > 0 &&
      u8(bytes, 9) === 0,
    details(bytes) {
      const sizes = [];
      for (let i = 0; i < u16le(bytes, 4); i += 1) {
        const at = 6 + i * 16;
        if (at + 16 > bytes.length) break;
        // 0 means 256, for one byte cannot hold it
        sizes.push(`${u8(bytes, at) || 256}x${u8(bytes, at + 1) || 256}`);
      }
      return { sizes };
    },
  },
  {
    name: 'cur',
    media: 'image/x-win-bitmap',
    extensions: ['cur'],
    matches: bytes => hasBytes(bytes, 0, [0, 0, 2, 0]) && u16le(bytes, 4) > 0,
    details(bytes) {
      return {
        width: u8(bytes, 6) || 256,
        height: u8(bytes, 7) || 256,
        hotspot: [i16le(bytes, 10), i16le(bytes, 12)],
      };
    },
  },
  // Windows and OS/2 bitmaps; the latter have a header of 12 bytes.
  {
    name: 'bmp',
    media: 'image/bmp',
    extensions: ['bmp', 'dib'],
    matches: bytes => has(bytes, 0, 'BM') && u32le(bytes, 6) === 0,
    details(bytes) {
      if (u32le(bytes, 14) === 12) {
        return { width: u16le(bytes, 18), height: u16le(bytes, 20), depth: u16le(bytes, 24), @@FLAG@@: false };
      }
      return {
        width: i32le(bytes, 18),
        height: Math.abs(i32le(bytes, 22)),
        @@FLAG@@: i32le(bytes, 22) < 0,
        depth: u16le(bytes, 28),
        compressed: u32le(bytes, 30) !== 0,
      };
    },
  },
  // Only those with the header that programs put before the real one.
  {
    name: 'wmf',
    media: 'image/wmf',
    extensions: ['wmf'],
    matches: bytes => hasBytes(bytes, 0, [0xd7, 0xcd, 0xc6, 0x9a]),
    details(bytes) {
      const perInch = u16le(bytes, 14) || 1440;
      const inches = (from, to) => Math.abs(i16le(bytes, to) - i16le(bytes, from)) / perInch;
      return { width: inches(6, 10), height: inches(8, 12), unit: 'inch' };
    },
  },
  {
    name: 'emf',
    media: 'image/emf',
    extensions: ['emf'],
    matches: bytes => u32le(bytes, 0) === 1 && has(bytes, 40, ' EMF'),
    details(bytes) {
      return {
        width: i32le(bytes, 16) - i32le(bytes, 8) + 1,
        height: i32le(bytes, 20) - i32le(bytes, 12) + 1,
        records: u32le(bytes, 52),
      };
    },
  },
  {
    name: 'psd',
    media: 'image/vnd.adobe.photoshop',
    extensions: ['psd', 'psb'],
    matches: bytes => has(bytes, 0, '8BPS'),
    details(bytes) {
      return {
        width: u32be(bytes, 18),
        height: u32be(bytes, 14),
        channels: u16be(bytes, 12),
        large: u16be(bytes, 4) === 2,
      };
    },
  },
  {
    name: 'pcx',
    media: 'image/x-pcx',
    extensions: ['pcx'],
    matches: bytes =>
      u8(bytes, 0) === 10 &&
      [0, 2, 3, 4, 5].includes(u8(bytes, 1)) &&
      u8(bytes, 2) <= 1,
    details(bytes) {
      return {
        width: u16le(bytes, 8) - u16le(bytes, 4) + 1,
        height: u16le(bytes, 10) - u16le(bytes, 6) + 1,
        depth: u8(bytes, 3) * u8(bytes, 65),
      };
    },
  },
  {
    name: 'tiff',
    media: 'image/tiff',
    extensions: ['tif', 'tiff'],
    matches: bytes =>
      hasBytes(bytes, 0, [0x49, 0x49, 42, 0]) || hasBytes(bytes, 0, [0x4d, 0x4d, 0, 42]),
    details(bytes) {
      const little = has(bytes, 0, 'II');
      const short = little ? u16le : u16be;
      const long = little ? u32le : u32be;
      const found = {};
      const names = { 256: 'width', 257: 'height', 258: 'depth' };
      const start = long(bytes, 4);
      for (let i = 0; i < short(bytes, start); i += 1) {
        const at = start + 2 + i * 12;
        if (at + 12 > bytes.length) break;
        const name = names[short(bytes, at)];
        if (name) found[name] = short(bytes, at + 2) === 3 ? short(bytes, at + 8) : long(bytes, at + 8);
      }
      return { ...found, byteOrder: little ? 'little' : 'big' };
    },
  },
  {
    name: 'farbfeld',
    media: 'image/x-farbfeld',
    extensions: ['ff'],
    matches: bytes => has(bytes, 0, 'farbfeld'),
    details(bytes) {
      return { width: u32be(bytes, 8), height: u32be(bytes, 12), depth: 16 };
    },
  },
  {
    name: 'qoi',
    media: 'image/qoi',
    extensions: ['qoi'],
    matches: bytes => has(bytes, 0, 'qoif'),
    details(bytes) {
      return { width: u32be(bytes, 4), height: u32be(bytes, 8), alpha: u8(bytes, 12) === 4 };
    },
  },
  {
    name: 'sgi',
    media: 'image/sgi',
    extensions: ['sgi', 'rgb', 'bw'],
    matches: bytes => hasBytes(bytes, 0, [0x01, 0xda]) && u8(bytes, 2) <= 1,
    details(bytes) {
      return {
        width: u16be(bytes, 6),
        height: u16be(bytes, 8),
        depth: u8(bytes, 3) * 8,
        compressed: u8(bytes, 2) === 1,
      };
    },
  },
  {
    name: 'netpbm',
    media: 'image/x-portable-anymap',
    extensions: ['pbm', 'pgm', 'ppm', 'pnm'],
    matches: bytes => /^P[1-6]\s/.test(ascii(bytes, 0, 3)),
    details(bytes) {
      const words = ascii(bytes, 2, 200)
        .replace(/#.*\n/g, ' ')
        .trim()
        .split(/\s+/);
      const kinds = ['bits', 'greys', 'colours'];
      return {
        width: Number(words[0]),
        height: Number(words[1]),
        kind: kinds[(Number(ascii(bytes, 1, 1)) - 1) % 3],
      };
    },
  },
  {
    name: 'xcf',
    media: 'image/x-xcf',
    extensions: ['xcf'],
    matches: bytes => has(bytes, 0, 'gimp xcf '),
    details(bytes) {
      const version = trimmed(bytes, 9, 5);
      return { version: version === 'file' ? 'v000' : version, width: u32be(bytes, 14), height: u32be(bytes, 18) };
    },
  },
  {
    name: 'svg',
    media: 'image/svg+xml',
    extensions: ['svg'],
    matches: bytes =>
      looksLikeText(bytes) &&
      /^(<\?xml[^>]*>\s*)?(<!--[^]*?-->\s*)*<svg[\s>]/.test(ascii(bytes, 0, 1000)),
    details(bytes) {
      const [tag] = /<svg[^>]*/.exec(ascii(bytes, 0, 1000));
      const box = /viewBox=["']([^"']*)["']/.exec(tag);
      if (!box) return {};
      const [, , width, height] = box[1].trim().split(/[\s,]+/).map(Number);
      return { width, height };
    },
  },
];

// ---------------------------------------------------------------------------
// Sound
// ---------------------------------------------------------------------------

const sound = [
  {
    name: 'wave',
    media: 'audio/wav',
    extensions: ['wav'],
    matches: bytes => has(bytes, 0, 'RIFF') && has(bytes, 8, 'WAVE'),
    details(bytes) {
      const at = findChunk(bytes, 'fmt ', u32le);
      if (at < 0) return {};
      return {
        channels: u16le(bytes, at + 10),
        rate: u32le(bytes, at + 12),
        depth: u16le(bytes, at + 22),
        packed: u16le(bytes, at + 8) !== 1,
      };
    },
  },
  {
    name: 'aiff',
    media: 'audio/aiff',
    extensions: ['aif', 'aiff', 'aifc'],
    matches: bytes => has(bytes, 0, 'FORM') && (has(bytes, 8, 'AIFF') || has(bytes, 8, 'AIFC')),
    details(bytes) {
      const at = findChunk(bytes, 'COMM', u32be);
      if (at < 0) return {};
      return { channels: i16be(bytes, at + 8), frames: u32be(bytes, at + 10), depth: i16be(bytes, at + 14) };
    },
  },
  {
    name: 'au',
    media: 'audio/basic',
    extensions: ['au', 'snd'],
    matches: bytes => has(bytes, 0, '.snd'),
    details(bytes) {
      const depths = { 1: 8, 2: 8, 3: 16, 4: 24, 5: 32, 6: 32, 7: 64 };
      return { rate: u32be(bytes, 16), channels: u32be(bytes, 20), depth: depths[u32be(bytes, 12)] ?? 0 };
    },
  },
  {
    name: 'flac',
    media: 'audio/flac',
    extensions: ['flac'],
    matches: bytes => has(bytes, 0, 'fLaC'),
    details(bytes) {
      const packed = u32be(bytes, 18);
      return {
        rate: packed >>> 12,
        channels: ((packed >>> 9) & 7) + 1,
        depth: ((packed >>> 4) & 31) + 1,
      };
    },
  },
  {
    name: 'opus',
    media: 'audio/opus',
    extensions: ['opus'],
    matches: bytes => has(bytes, 0, 'OggS') && has(bytes, 28, 'OpusHead'),
    details(bytes) {
      return {
        channels: u8(bytes, 37),
        rate: u32le(bytes, 40),
        // in 256ths of a decibel
        gain: i16le(bytes, 44) / 256,
      };
    },
  },
  {
    name: 'vorbis',
    media: 'audio/ogg',
    extensions: ['ogg', 'oga'],
    matches: bytes => has(bytes, 0, 'OggS') && has(bytes, 28, '\x01vorbis'),
    details(bytes) {
      return { channels: u8(bytes, 39), rate: u32le(bytes, 40), bitrate: i32le(bytes, 48) };
    },
  },
  {
    name: 'midi',
    media: 'audio/midi',
    extensions: ['mid', 'midi'],
    matches: bytes => has(bytes, 0, 'MThd'),
    details(bytes) {
      const division = i16be(bytes, 12);
      return {
        format: u16be(bytes, 8),
        tracks: u16be(bytes, 10),
        timing: division < 0 ? 'frames' : `${division} ticks`,
      };
    },
  },
  {
    name: 'mp3',
    media: 'audio/mpeg',
    extensions: ['mp3'],
    matches: bytes =>
      has(bytes, 0, 'ID3') || (u8(bytes, 0) === 0xff &&
      (u8(bytes, 1) & 0xe6) === 0xe2),
    details(bytes) {
      if (!has(bytes, 0, 'ID3')) return { tagged: false };
      // seven bits a byte
      const size = [6, 7, 8, 9].reduce((sum, at) => (sum << 7) | u8(bytes, at), 0);
      return { tagged: true, version: `2.${u8(bytes, 3)}`, tagSize: size };
    },
  },
  {
    name: 'amr',
    media: 'audio/amr',
    extensions: ['amr'],
    matches: bytes => has(bytes, 0, '#!AMR\n') || has(bytes, 0, '#!AMR-WB\n'),
    details(bytes) {
      return { rate: has(bytes, 5, '-WB') ? 16000 : 8000, channels: 1 };
    },
  },
  {
    name: 'tracker',
    media: 'audio/x-mod',
    extensions: ['mod'],
    matches: bytes => /^(M\.K\.|M!K!|[68]CHN|FLT[48])$/.test(ascii(bytes, 1080, 4)),
    details(bytes) {
      const channels = /^[68]/.test(ascii(bytes, 1080, 1)) ? u8(bytes, 1080) - 48 : 4;
      return { title: trimmed(bytes, 0, 20), patterns: u8(bytes, 950), channels };
    },
  },
  {
    name: 'xm',
    media: 'audio/x-xm',
    extensions: ['xm'],
    matches: bytes => has(bytes, 0, 'Extended Module: '),
    details(bytes) {
      return { title: trimmed(bytes, 17, 20), channels: u16le(bytes, 68), tempo: u16le(bytes, 76) };
    },
  },
];

// ---------------------------------------------------------------------------
// Films
// ---------------------------------------------------------------------------

const films = [
  {
    name: 'avi',
    media: 'video/x-msvideo',
    extensions: ['avi'],
    matches: bytes => has(bytes, 0, 'RIFF') && has(bytes, 8, 'AVI '),
    details(bytes) {
      if (!has(bytes, 24, 'avih')) return {};
      const perFrame = u32le(bytes, 32);
      return {
        width: u32le(bytes, 64),
        height: u32le(bytes, 68),
        frames: u32le(bytes, 48),
        rate: perFrame === 0 ? 0 : Math.round(1e8 / perFrame) / 100,
      };
    },
  },
  {
    name: 'quicktime',
    media: 'video/quicktime',
    extensions: ['mov', 'qt'],
    matches: bytes => has(bytes, 4, 'ftypqt') || has(bytes, 4, 'moov') || has(bytes, 4, 'wide'),
  },
  {
    name: 'heif',
    media: 'image/heif',
    extensions: ['heic', 'heif', 'avif'],
    matches: bytes => has(bytes, 4, 'ftyp') && /^(hei[cx]|mif1|avif)$/.test(ascii(bytes, 8, 4)),
    details(bytes) {
      return { brand: ascii(bytes, 8, 4), coded: has(bytes, 8, 'avif') ? 'av1' : 'hevc' };
    },
  },
  {
    name: 'mp4',
    media: 'video/mp4',
    extensions: ['mp4', 'm4v', 'm4a'],
    matches: bytes => has(bytes, 4, 'ftyp'),
    details(bytes) {
      const brands = [];
      for (let at = 16; at + 4 <= Math.min(u32be(bytes, 0), bytes.length); at += 4) {
        brands.push(trimmed(bytes, at, 4));
      }
      return { brand: trimmed(bytes, 8, 4), compatible: brands };
    },
  },
  {
    name: 'matroska',
    media: 'video/x-matroska',
    extensions: ['mkv', 'webm'],
    matches: bytes => hasBytes(bytes, 0, [0x1a, 0x45, 0xdf, 0xa3]),
    details(bytes) {
      const start = ascii(bytes, 0, 64);
      return { kind: start.includes('webm') ? 'webm' : 'matroska' };
    },
  },
  {
    name: 'flv',
    media: 'video/x-flv',
    extensions: ['flv'],
    matches: bytes => has(bytes, 0, 'FLV\x01'),
    details(bytes) {
      return { sound: (u8(bytes, 4) & 4) !== 0, picture: (u8(bytes, 4) & 1) !== 0 };
    },
  },
  {
    name: 'fli',
    media: 'video/x-flic',
    extensions: ['fli', 'flc'],
    matches: bytes => [0xaf11, 0xaf12].includes(u16le(bytes, 4)) && u16le(bytes, 12) === 8,
    details(bytes) {
      return { width: u16le(bytes, 8), height: u16le(bytes, 10), frames: u16le(bytes, 6) };
    },
  },
  {
    name: 'mpegts',
    media: 'video/mp2t',
    extensions: ['ts', 'm2ts'],
    matches: bytes => u8(bytes, 0) === 0x47 && u8(bytes, 188) === 0x47 && u8(bytes, 376) === 0x47,
  },
  {
    name: 'mpegps',
    media: 'video/mpeg',
    extensions: ['mpg', 'mpeg', 'vob'],
    matches: bytes => hasBytes(bytes, 0, [0, 0, 1, 0xba]),
    details(bytes) {
      return { version: (u8(bytes, 4) & 0xc0) === 0x40 ? 2 : 1 };
    },
  },
];

// ---------------------------------------------------------------------------
// Archives
// ---------------------------------------------------------------------------

/** Also those that are empty or in parts. */
function isZip(bytes) {
  return has(bytes, 0, 'PK') && [0x0304, 0x0506, 0x0708].includes(u16be(bytes, 2));
}

const archives = [
  {
    name: 'epub',
    media: 'application/epub+zip',
    extensions: ['epub'],
    matches: bytes => isZip(bytes) && has(bytes, 30, 'mimetypeapplication/epub+zip'),
  },
  {
    name: 'opendocument',
    media: 'application/vnd.oasis.opendocument',
    extensions: ['odt', 'ods', 'odp'],
    matches: bytes =>
      isZip(bytes) &&
      has(bytes, 30, 'mimetypeapplication/vnd.oasis.opendocument.'),
    details(bytes) {
      const kind = /opendocument\.([a-z]+)/.exec(ascii(bytes, 38, 80));
      return { kind: kind ? kind[1] : 'unknown' };
    },
  },
  {
    name: 'officex',
    media: 'application/vnd.openxmlformats',
    extensions: ['docx', 'xlsx', 'pptx'],
    matches: bytes => isZip(bytes) && has(bytes, 30, '[Content_Types].xml'),
  },
  // The special kinds of it stand above.
  {
    name: 'zip',
    media: 'application/zip',
    extensions: ['zip'],
    matches: bytes => isZip(bytes),
    details(bytes) {
      const methods = { 0: 'stored', 8: 'deflated', 12: 'bzip2', 14: 'lzma', 93: 'zstd' };
      return {
        first: ascii(bytes, 30, u16le(bytes, 26)),
        method: methods[u16le(bytes, 8)] ?? 'other',
        encrypted: (u16le(bytes, 6) & 1) === 1,
      };
    },
  },
  {
    name: 'gzip',
    media: 'application/gzip',
    extensions: ['gz', 'tgz'],
    matches: bytes => hasBytes(bytes, 0, [0x1f, 0x8b, 8]),
    details(bytes) {
      const flags = u8(bytes, 3);
      let at = 10;
      if (flags & 4) at += 2 + u16le(bytes, at);
      const name = flags & 8 ? trimmed(bytes, at, 255) : '';
      return { name, seconds: u32le(bytes, 4) };
    },
  },
  {
    name: 'bzip2',
    media: 'application/x-bzip2',
    extensions: ['bz2'],
    matches: bytes => /^BZh[1-9]1AY&SY$/.test(ascii(bytes, 0, 10)),
    details(bytes) {
      return { block: Number(ascii(bytes, 3, 1)) * 100000 };
    },
  },
  {
    name: 'xz',
    media: 'application/x-xz',
    extensions: ['xz'],
    matches: bytes => hasBytes(bytes, 0, [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]),
    details(bytes) {
      const checks = { 0: 'none', 1: 'crc32', 4: 'crc64', 10: 'sha256' };
      return { check: checks[u8(bytes, 7)] ?? 'other' };
    },
  },
  {
    name: 'zstd',
    media: 'application/zstd',
    extensions: ['zst'],
    matches: bytes => hasBytes(bytes, 0, [0x28, 0xb5, 0x2f, 0xfd]),
  },
  {
    name: 'sevenzip',
    media: 'application/x-7z-compressed',
    extensions: ['7z'],
    matches: bytes => hasBytes(bytes, 0, [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]),
    details(bytes) {
      return { version: `${u8(bytes, 6)}.${u8(bytes, 7)}` };
    },
  },
  {
    name: 'rar',
    media: 'application/vnd.rar',
    extensions: ['rar'],
    matches: bytes => has(bytes, 0, 'Rar!\x1a\x07'),
    details(bytes) {
      return { version: u8(bytes, 6) === 1 ? 5 : 4 };
    },
  },
  {
    name: 'tar',
    media: 'application/x-tar',
    extensions: ['tar'],
    matches: bytes => has(bytes, 257, 'ustar'),
    details(bytes) {
      return {
        first: trimmed(bytes, 345, 155) ? `${trimmed(bytes, 345, 155)}/${trimmed(bytes, 0, 100)}` : trimmed(bytes, 0, 100),
        size: parseInt(trimmed(bytes, 124, 12), 8),
        owner: trimmed(bytes, 265, 32),
      };
    },
  },
  {
    name: 'deb',
    media: 'application/vnd.debian.binary-package',
    extensions: ['deb'],
    matches: bytes => has(bytes, 0, '!<arch>\ndebian-binary'),
  },
  {
    name: 'ar',
    media: 'application/x-archive',
    extensions: ['a', 'lib'],
    matches: bytes => has(bytes, 0, '!<arch>\n'),
    details(bytes) {
      return { first: trimmed(bytes, 8, 16).replace(/\/$/, '') };
    },
  },
  {
    name: 'cpio',
    media: 'application/x-cpio',
    extensions: ['cpio'],
    matches: bytes => /^07070[127]$/.test(ascii(bytes, 0, 6)),
    details(bytes) {
      return { kind: { 1: 'newc', 2: 'crc', 7: 'odc' }[ascii(bytes, 5, 1)] };
    },
  },
  {
    name: 'cabinet',
    media: 'application/vnd.ms-cab-compressed',
    extensions: ['cab'],
    matches: bytes => has(bytes, 0, 'MSCF\0\0\0\0'),
    details(bytes) {
      return { folders: u16le(bytes, 26), files: u16le(bytes, 28), text: plural(u16le(bytes, 28), 'file') };
    },
  },
];

// ---------------------------------------------------------------------------
// Programs
// ---------------------------------------------------------------------------

const programs = [
  {
    name: 'elf',
    media: 'application/x-elf',
    extensions: ['so', 'o', 'elf'],
    matches: bytes => has(bytes, 0, '\x7fELF'),
    details(bytes) {
      const short = u8(bytes, 5) === 2 ? u16be : u16le;
      const kinds = { 1: 'object', 2: 'program', 3: 'shared', 4: 'core' };
      const machines = { 3: 'x86', 8: 'mips', 40: 'arm', 62: 'x86-64', 183: 'arm64', 243: 'riscv' };
      return {
        bits: u8(bytes, 4) === 2 ? 64 : 32,
        kind: kinds[short(bytes, 16)] ?? 'other',
        machine: machines[short(bytes, 18)] ?? 'other',
      };
    },
  },
  {
    name: 'pe',
    media: 'application/vnd.microsoft.portable-executable',
    extensions: ['exe', 'dll', 'sys'],
    matches: bytes => has(bytes, 0, 'MZ') && has(bytes, u32le(bytes, 60), 'PE\0\0'),
    details(bytes) {
      const at = u32le(bytes, 60);
      const machines = { 0x14c: 'x86', 0x8664: 'x86-64', 0xaa64: 'arm64' };
      return {
        machine: machines[u16le(bytes, at + 4)] ?? 'other',
        sections: u16le(bytes, at + 6),
        library: (u16le(bytes, at + 22) & 0x2000) !== 0,
      };
    },
  },
  {
    name: 'mz',
    media: 'application/x-dosexec',
    extensions: ['exe', 'com'],
    matches: bytes => has(bytes, 0, 'MZ'),
  },
  {
    name: 'class',
    media: 'application/java-vm',
    extensions: ['class'],
    matches: bytes => u32be(bytes, 0) === 0xcafebabe && u16be(bytes, 6) >= 45,
    details(bytes) {
      return { java: u16be(bytes, 6) - 44, constants: u16be(bytes, 8) - 1 };
    },
  },
  {
    name: 'macho',
    media: 'application/x-mach-binary',
    extensions: ['dylib', 'bundle'],
    matches: bytes => [0xfeedface, 0xfeedfacf, 0xcefaedfe, 0xcffaedfe].includes(u32be(bytes, 0)),
    details(bytes) {
      const swapped = u8(bytes, 0) !== 0xfe;
      const type = (swapped ? u32le : u32be)(bytes, 12);
      return { bits: (swapped ? u8(bytes, 0) : u8(bytes, 3)) === 0xcf ? 64 : 32, kind: { 1: 'object', 2: 'program', 6: 'shared' }[type] ?? 'other' };
    },
  },
  {
    name: 'wasm',
    media: 'application/wasm',
    extensions: ['wasm'],
    matches: bytes => has(bytes, 0, '\0asm'),
    details(bytes) {
      return { version: u32le(bytes, 4) };
    },
  },
  {
    name: 'script',
    media: 'text/x-script',
    extensions: ['sh', 'py', 'pl', 'rb'],
    matches: bytes => has(bytes, 0, '#!'),
    details(bytes) {
      const words = firstLine(bytes).slice(2).trim().split(/\s+/);
      const program = words[0].split('/').pop() === 'env' ? words.slice(1).find((word) => !word.startsWith('-')) : words[0];
      return { interpreter: (program ?? '').split('/').pop() };
    },
  },
];

// ---------------------------------------------------------------------------
// Documents and data
// ---------------------------------------------------------------------------

const documents = [
  {
    name: 'pdf',
    media: 'application/pdf',
    extensions: ['pdf'],
    matches: bytes => has(bytes, 0, '%PDF-'),
    details(bytes) {
      return { version: trimmed(bytes, 5, 3), linear: ascii(bytes, 0, 1024).includes('/Linearized') };
    },
  },
  {
    name: 'postscript',
    media: 'application/postscript',
    extensions: ['ps', 'eps'],
    matches: bytes => has(bytes, 0, '%!PS'),
    details(bytes) {
      const box = /%%BoundingBox:\s*(-?\d+)\s+(-?\d+)\s+(-?\d+)\s+(-?\d+)/.exec(ascii(bytes, 0, 2000));
      if (!box) return {};
      const [left, bottom, right, top] = box.slice(1).map(Number);
      return { width: right - left, height: top - bottom, unit: 'point' };
    },
  },
  {
    name: 'rtf',
    media: 'application/rtf',
    extensions: ['rtf'],
    matches: bytes => has(bytes, 0, '{\\rtf'),
    details(bytes) {
      const page = /\\ansicpg(\d+)/.exec(ascii(bytes, 0, 200));
      return { codePage: page ? Number(page[1]) : 0 };
    },
  },
  {
    name: 'compound',
    media: 'application/x-ole-storage',
    extensions: ['doc', 'xls', 'ppt', 'msi'],
    matches: bytes => hasBytes(bytes, 0, [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
    details(bytes) {
      return { sector: 2 ** u16le(bytes, 30), version: u16le(bytes, 26) };
    },
  },
  {
    name: 'sqlite',
    media: 'application/vnd.sqlite3',
    extensions: ['db', 'sqlite'],
    matches: bytes => has(bytes, 0, 'SQLite format 3\0'),
    details(bytes) {
      const size = u16be(bytes, 16);
      return { page: size === 1 ? 65536 : size, pages: u32be(bytes, 28), encoding: ['', 'utf-8', 'utf-16le', 'utf-16be'][u32be(bytes, 56)] ?? '' };
    },
  },
  {
    name: 'dbase',
    media: 'application/x-dbf',
    extensions: ['dbf'],
    matches: bytes =>
      [0x03, 0x83, 0xf5].includes(u8(bytes, 0)) &&
      u8(bytes, 2) >= 1 &&
      u8(bytes, 2) <= 12,
    details(bytes) {
      return { records: u32le(bytes, 4), fields: Math.floor((u16le(bytes, 8) - 33) / 32) };
    },
  },
  {
    name: 'shapefile',
    media: 'application/vnd.shp',
    extensions: ['shp'],
    matches: bytes => i32be(bytes, 0) === 9994 && i32le(bytes, 28) === 1000,
    details(bytes) {
      const kinds = { 1: 'points', 3: 'lines', 5: 'areas', 8: 'point groups' };
      return { kind: kinds[i32le(bytes, 32)] ?? 'other', bytes: i32be(bytes, 24) * 2 };
    },
  },
  {
    name: 'hdf5',
    media: 'application/x-hdf5',
    extensions: ['h5', 'hdf5'],
    matches: bytes => has(bytes, 0, '\x89HDF\r\n\x1a\n'),
  },
  {
    name: 'numpy',
    media: 'application/x-npy',
    extensions: ['npy'],
    matches: bytes => has(bytes, 0, '\x93NUMPY'),
    details(bytes) {
      const header = ascii(bytes, 10, u16le(bytes, 8));
      const type = /'descr':\s*'([^']*)'/.exec(header);
      const shape = /'shape':\s*\(([^)]*)\)/.exec(header);
      return { type: type ? type[1] : '', shape: shape ? shape[1].split(',').filter((n) => n.trim()).map(Number) : [] };
    },
  },
  {
    name: 'fits',
    media: 'application/fits',
    extensions: ['fits', 'fit'],
    matches: bytes => has(bytes, 0, 'SIMPLE  ='),
    details(bytes) {
      const value = (key) => Number(new RegExp(`${key.padEnd(8)}=\\s*(-?\\d+)`).exec(ascii(bytes, 0, 2880))?.[1] ?? 0);
      return { width: value('NAXIS1'), height: value('NAXIS2'), depth: Math.abs(value('BITPIX')), floats: value('BITPIX') < 0 };
    },
  },
  {
    name: 'stl',
    media: 'model/stl',
    extensions: ['stl'],
    matches: bytes =>
      /^solid\s/.test(ascii(bytes, 0, 6)) &&
      ascii(bytes, 0, 400).includes('facet'),
    details(bytes) {
      return { name: firstLine(bytes).slice(5).trim() };
    },
  },
  {
    name: 'pcap',
    media: 'application/vnd.tcpdump.pcap',
    extensions: ['pcap'],
    matches: bytes => [0xa1b2c3d4, 0xd4c3b2a1].includes(u32be(bytes, 0)),
    details(bytes) {
      const little = u8(bytes, 0) === 0xd4;
      const [short, zone, long] = little ? [u16le, i32le, u32le] : [u16be, i32be, u32be];
      return { version: `${short(bytes, 4)}.${short(bytes, 6)}`, zone: zone(bytes, 8), most: long(bytes, 16) };
    },
  },
  {
    name: 'tzif',
    media: 'application/tzif',
    extensions: [],
    matches: bytes => has(bytes, 0, 'TZif'),
    details(bytes) {
      return { version: Number(trimmed(bytes, 4, 1) || 1), types: u32be(bytes, 36) };
    },
  },
];

// ---------------------------------------------------------------------------
// Fonts
// ---------------------------------------------------------------------------

const fonts = [
  {
    name: 'woff',
    media: 'font/woff',
    extensions: ['woff', 'woff2'],
    matches: bytes => has(bytes, 0, 'wOFF') || has(bytes, 0, 'wOF2'),
    details(bytes) {
      return { version: has(bytes, 3, '2') ? 2 : 1, tables: u16be(bytes, 12), outlines: has(bytes, 4, 'OTTO') ? 'cubic' : 'quadratic' };
    },
  },
  {
    name: 'opentype',
    media: 'font/otf',
    extensions: ['otf'],
    matches: bytes => has(bytes, 0, 'OTTO'),
    details(bytes) {
      return { tables: u16be(bytes, 4) };
    },
  },
  {
    name: 'truetype',
    media: 'font/ttf',
    extensions: ['ttf'],
    matches: bytes =>
      hasBytes(bytes, 0, [0, 1, 0, 0]) &&
      u16be(bytes, 4) > 0 &&
      u16be(bytes, 4) < 64,
    details(bytes) {
      const tables = [];
      for (let i = 0; i < u16be(bytes, 4); i += 1) tables.push(trimmed(bytes, 12 + i * 16, 4));
      return { tables: tables.filter((name) => name !== '') };
    },
  },
  {
    name: 'psf',
    media: 'application/x-font-linux-psf',
    extensions: ['psf', 'psfu'],
    matches: bytes => hasBytes(bytes, 0, [0x72, 0xb5, 0x4a, 0x86]),
    details(bytes) {
      return { glyphs: u32le(bytes, 16), width: u32le(bytes, 28), height: u32le(bytes, 24) };
    },
  },
  {
    name: 'bdf',
    media: 'application/x-font-bdf',
    extensions: ['bdf'],
    matches: bytes => has(bytes, 0, 'STARTFONT '),
    details(bytes) {
      const size = /^FONTBOUNDINGBOX (\d+) (\d+)/m.exec(ascii(bytes, 0, 2000));
      return size ? { width: Number(size[1]), height: Number(size[2]) } : {};
    },
  },
];

// ---------------------------------------------------------------------------
// Text
// ---------------------------------------------------------------------------

/** Only short files are looked at as a whole; of longer ones the start decides. */
function isJson(bytes) {
  if (bytes.length > 4096) return true;
  try {
    JSON.parse(ascii(bytes, 0, bytes.length));
    return true;
  } catch {
    return false;
  }
}

const text = [
  {
    name: 'xml',
    media: 'application/xml',
    extensions: ['xml'],
    matches: bytes => looksLikeText(bytes) && /^(\xef\xbb\xbf)?<\?xml\s/.test(ascii(bytes, 0, 9)),
    details(bytes) {
      const encoding = /encoding=["']([^"']+)["']/.exec(firstLine(bytes));
      return { encoding: encoding ? encoding[1].toLowerCase() : 'utf-8' };
    },
  },
  {
    name: 'html',
    media: 'text/html',
    extensions: ['html', 'htm'],
    matches: bytes =>
      looksLikeText(bytes) &&
      /^\s*(<!doctype html|<html)/i.test(ascii(bytes, 0, 200)),
    details(bytes) {
      const title = /<title>([^<]*)<\/title>/i.exec(ascii(bytes, 0, 2000));
      return title ? { title: title[1].trim() } : {};
    },
  },
  {
    name: 'patch',
    media: 'text/x-diff',
    extensions: ['diff', 'patch'],
    matches: bytes => /^(diff --git |Index: |--- \S)/.test(firstLine(bytes)),
    details(bytes) {
      const files = ascii(bytes, 0, bytes.length).match(/^\+\+\+ /gm) ?? [];
      return { files: files.length, text: plural(files.length, 'file') };
    },
  },
  {
    name: 'calendar',
    media: 'text/calendar',
    extensions: ['ics'],
    matches: bytes => /^BEGIN:VCALENDAR\s*$/.test(firstLine(bytes)),
  },
  {
    name: 'contact',
    media: 'text/vcard',
    extensions: ['vcf'],
    matches: bytes => /^BEGIN:VCARD\s*$/.test(firstLine(bytes)),
    details(bytes) {
      const version = /^VERSION:(\S+)/m.exec(ascii(bytes, 0, 500));
      return { version: version ? version[1] : '' };
    },
  },
  {
    name: 'subtitles',
    media: 'application/x-subrip',
    extensions: ['srt'],
    matches: bytes =>
      looksLikeText(bytes) &&
      /^\d+\r?\n\d\d:\d\d:\d\d,\d{3} --> /.test(ascii(bytes, 0, 40)),
  },
  {
    name: 'json',
    media: 'application/json',
    extensions: ['json'],
    matches: bytes =>
      looksLikeText(bytes) &&
      /^\s*[[{]/.test(ascii(bytes, 0, 100)) &&
      isJson(bytes),
  },
  {
    name: 'text',
    media: 'text/plain',
    extensions: ['txt'],
    matches: bytes => looksLikeText(bytes),
    details(bytes) {
      const start = ascii(bytes, 0, 4096);
      return { lines: start.split('\n').length - (start.endsWith('\n') ? 1 : 0), crlf: start.includes('\r\n') };
    },
  },
];

const formats = [...pictures, ...sound, ...films, ...archives, ...programs, ...documents, ...fonts, ...text];

// ---------------------------------------------------------------------------
// Asking
// ---------------------------------------------------------------------------

/** The name of the format of a file, or undefined. */
export function @@FN@@(bytes) {
  return formats.find(format => format.matches(bytes))?.name;
}

/** All that its first bytes tell about a file: `{ name, media, ...details }`. */
export function details(bytes) {
  const format = formats.find((candidate) => candidate.matches(bytes));
  if (!format) return undefined;
  const { name, media } = format;
  return { name, media, ...format.details?.(bytes) };
}

/** Whether the extension of a file fits to what is in it. */
export function fits(fileName, bytes) {
  const name = @@FN@@(bytes);
  const format = formats.find((candidate) => candidate.name === name);
  if (!format || format.extensions.length === 0) return true;
  const extension = /\.([^.]+)$/.exec(fileName)?.[1].toLowerCase();
  return extension !== undefined && format.extensions.includes(extension);
}

/** The names of all formats, in alphabetical order. */
export function names() {
  return formats.map(format => format.name).sort();
}
