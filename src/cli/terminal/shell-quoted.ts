/** As one word of a command to paste into a shell. */
export function shellQuoted(text: string): string {
  return /^[\p{L}\p{M}\p{N}.,:@%+_/-]+$/u.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
