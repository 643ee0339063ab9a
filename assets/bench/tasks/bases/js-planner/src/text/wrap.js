/**
 * Text for terminals.
 */

/** Words in lines of at most `width` letters; longer words are cut. */
export function wrap(text, width) {
  const lines = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (let word of paragraph.split(' ').filter(Boolean)) {
      while (word.length > width) {
        if (line) lines.push(line);
        lines.push(word.slice(0, width));
        word = word.slice(width);
        line = '';
      }
      if (line && line.length + 1 + word.length > width) {
        lines.push(line);
        line = word;
      } else line = line ? `${line} ${word}` : word;
    }
    lines.push(line);
  }
  return lines;
}

/** At most `width` letters, with dots where something is missing. */
export function cut(text, width) {
  return text.length <= width ? text : `${text.slice(0, Math.max(width - 2, 0))}..`.slice(0, width);
}

/** Rows of cells as columns; the last one is not padded. */
export function columns(rows, gap = '  ') {
  const widths = [];
  for (const row of rows) {
    row.forEach((cell, at) => {
      widths[at] = Math.max(widths[at] ?? 0, cell.length);
    });
  }
  return rows.map((row) => row.map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at]))).join(gap).trimEnd());
}

export function lines(list) {
  return list.map((line) => `${line}\n`).join('');
}
