/** Words are runs of letters, digits, apostrophes and hyphens. */
export function countWords(text) {
  return text.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu)?.length ?? 0;
}
