/** A range of users, in the order of serials, that ends where the next one starts. */
export interface Bucket {
  readonly number: number;
  readonly firstSerial: string;
  readonly users: number;
}

/** Small enough that sorting the matches of one bucket is quick, large enough that there are few buckets. */
export const bucketUsersMax = 16_384;
/** Bucket and term share 31 bits, see `bucketTerm`. */
const bucketsMax = 2_048;
const termBits = 20;
/** What remains of an indexed term without its bucket. */
export const termMask = (1 << termBits) - 1;

/** The number under which a term is indexed for users of this bucket. */
export function bucketTerm(bucket: number, term: number): number {
  return (bucket << termBits) | term;
}

/** The bucket of a user; buckets are in the order of serials. */
export function bucketOf(buckets: readonly Bucket[], serial: string): number {
  let [low, high] = [0, buckets.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((buckets[middle] as Bucket).firstSerial <= serial) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * Adds users to the buckets. If the last bucket is full, a new one follows it, unless a user beyond its start is already
 * indexed: nobody moves from one bucket to another.
 */
export function withUsersAdded(
  buckets: readonly Bucket[],
  serials: readonly string[],
  lastIndexed: string | undefined,
): Bucket[] {
  const extended = buckets.map((bucket) => ({ ...bucket }));
  let last = lastIndexed ?? '';
  for (const serial of serials.toSorted()) {
    const number = bucketOf(extended, serial);
    const bucket = extended[number] as { users: number } & Bucket;
    const isLast = number === extended.length - 1;
    if (isLast && serial > last && bucket.users >= bucketUsersMax && extended.length < bucketsMax) {
      extended.push({ number: extended.length, firstSerial: serial, users: 1 });
    } else {
      bucket.users++;
    }
    if (serial > last) last = serial;
  }
  return extended;
}
