/** The ETag of a user is its row version: a strong one, because every change increments it. */
export function etagOf(version: number): string {
  return `"${version}"`;
}

/** Whether an If-Match header names the version. Without the header, every version matches. */
export function matches(ifMatch: string | undefined): (version: number) => boolean {
  if (ifMatch === undefined) return () => true;
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  return (version) => tags.includes('*') || tags.includes(etagOf(version));
}
