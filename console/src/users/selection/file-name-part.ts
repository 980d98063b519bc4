const maxLength = 60;

/** Texts as a part of the name of a file: their letters and digits, joined with hyphens. */
export function fileNamePart(texts: readonly string[]): string {
  const words = texts.flatMap((text) => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []);
  return words.join('-').slice(0, maxLength).replace(/-$/, '');
}
