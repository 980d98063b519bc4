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
  const prevented = known.filter((each) => preventing.has(each));
  return Object.fromEntries(
    entries.filter(
      ([name, value]) =>
        meantBy(name, known) !== undefined || namesWithin(value).some((each) => meantBy(each, prevented)),
    ),
  );
}

/** What a value contains that may have been meant as a parameter: `{"dryRun": true}`, or "b;dryRun=true". */
function namesWithin(value: unknown): string[] {
  if (typeof value === 'string') {
    const [, ...parts] = value.slice(0, scannedMax).split(/[;&?]/);
    return parts.flatMap((part) => (part.includes('=') ? (part.split('=')[0] ?? '') : []));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.keys(value).slice(0, ignoredMax);
}

const scannedMax = 2_000;

/** The known name that a name is, resembles, or contains. */
export function meantBy(name: string, known: readonly string[]): string | undefined {
  const base = name.replace(/[[.].*$/s, ''); // as in "mode[]" and "mode.0"
  return (
    known.find((each) => name === each) ??
    known.find((each) => isNearMiss(base, each)) ??
    known.find((each) => preventing.has(each) && containsWords(name, each))
  );
}

/** Callers send these so that something does not happen, or not yet. */
const preventing: ReadonlySet<string> = new Set([
  'dryRun',
  'approval',
  'effectiveAt',
  'lastWorkingDay',
  'ifChanged',
]);

/** As in "options[dryRun]", "isDryRun" and "amp;dry_run". */
function containsWords(name: string, known: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  const meant = known.toLowerCase();
  return words.some((_, first) => {
    let joined = '';
    for (let at = first; at < words.length && joined.length < meant.length; at++) joined += words[at];
    return joined === meant;
  });
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
