import { editDistance } from '../contract/edit-distance.js';

/** More than gateways and serializers add. Callers that send more get an error that names one. */
const ignoredMax = 100;

/**
 * What an operation of the contract reads of a query or an object: gateways and serializers add names of their own, and
 * must not stop the nightly call. Names that resemble known ones remain, to be rejected: whoever sends `dry_run` would
 * not expect the call to write.
 */
export function withoutForeign<T>(
  given: Readonly<Record<string, T>>,
  known: readonly string[],
): Record<string, T> {
  const entries = Object.entries(given);
  if (entries.length > ignoredMax) return { ...given };
  return Object.fromEntries(entries.filter(([name]) => meantBy(name, known) !== undefined));
}

/** The known name that a name is, or resembles. */
export function meantBy(name: string, known: readonly string[]): string | undefined {
  return known.find((each) => name === each) ?? known.find((each) => isNearMiss(name, each));
}

/** Differs in case, hyphens, underscores and, unless it is short, a letter or two. */
function isNearMiss(name: string, known: string): boolean {
  const [sent, meant] = [plain(name), plain(known)];
  const wrongMax = meant.length < 5 ? 0 : meant.length < 12 ? 1 : 2;
  return Math.abs(sent.length - meant.length) <= wrongMax && editDistance(sent, meant) <= wrongMax;
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '');
}
