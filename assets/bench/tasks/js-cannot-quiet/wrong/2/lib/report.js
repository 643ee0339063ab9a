import { ordered } from './order.js';

/** The lines to print: one per file, then the total. */
export function report(counts, options = {}) {
  const lines = [];
  if (!options['total-only']) {
    for (const { file, words } of ordered(counts, options.sort)) {
      const mark = options.limit !== undefined && words > options.limit ? ' !' : '';
      lines.push(`${String(words).padStart(7)}  ${file}${mark}`);
    }
  }
  if (options.@@OPT@@) return lines;
  return [...lines, ...footer(counts, options)];
}

function footer(counts, options) {
  if (options.@@OPT@@ && !options['total-only']) return [];
  const total = counts.reduce((sum, { words }) => sum + words, 0);
  return [`${String(total).padStart(7)}  total of ${counts.length}`];
}
