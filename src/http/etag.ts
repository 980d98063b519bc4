/** The entity tag of a user is the version of its row: strong, since every change of the row counts it up. */
export function etagOf(version: number): string {
  return `"${version}"`;
}

/** Whether an If-Match header names the version; without the header every version is fine. */
export function matches(ifMatch: string | undefined): (version: number) => boolean {
  if (ifMatch === undefined) return () => true;
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  return (version) => tags.includes('*') || tags.includes(etagOf(version));
}
