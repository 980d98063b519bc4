/** Whether a view of the user list is about somebody: it filters by one of these texts, or searches for one of the names. */
export function isViewAbout(
  query: string,
  { texts, names }: { readonly texts: ReadonlySet<string>; readonly names: readonly string[] },
): boolean {
  for (const [, value] of new URLSearchParams(query)) {
    const lower = value.toLowerCase();
    if (texts.has(lower) || names.some((name) => lower.includes(name))) return true;
    if (lower.split(/[\s,]+/).some((word) => texts.has(word))) return true;
  }
  return false;
}
