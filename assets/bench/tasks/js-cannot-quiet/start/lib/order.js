export function ordered(counts, by = 'given') {
  if (by === 'name') return [...counts].sort((a, b) => (a.file < b.file ? -1 : 1));
  if (by === 'words') return [...counts].sort((a, b) => b.words - a.words);
  return counts;
}
