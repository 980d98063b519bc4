import type { StoredUser } from '../../contract/users.js';

/** How users are divided into blocks, by name and by employee ID, and when. */
export interface BlockSizes {
  /** With fewer users, finding all matches of a search and sorting them is fast enough. */
  readonly usersMin: number;
  readonly blockUsers: number;
  /** The share of users from which a term is frequent. Matches of other words are few enough to sort them. */
  readonly frequentShare: number;
}

export const blockSizes: BlockSizes = { usersMin: 20_000, blockUsers: 2_048, frequentShare: 0.01 };

/** A block of this size is looked at again, and split if it has really become that large. */
export function dueSize({ blockUsers }: BlockSizes): number {
  return 2 * blockUsers;
}

/** A block with more users is split. Less than the size at which it is due, so that it isn't due again at once. */
export function splitSize({ blockUsers }: BlockSizes): number {
  return Math.ceil(1.5 * blockUsers);
}

/** How many users are written before the terms that are frequent are chosen anew. */
export function writesAllowed(users: number): number {
  return Math.max(2 * users, 1);
}

export function afterWrites<T extends { readonly writesLeft: number }>(blocks: T, written: number): T {
  return { ...blocks, writesLeft: Math.max(blocks.writesLeft - written, 0) };
}

type SortedFields = Pick<StoredUser, 'name' | 'employeeID'>;

/** Whether a user is at another place than before, or new, in the orders of the blocks. */
export function movesOf(
  user: SortedFields,
  before: SortedFields | undefined,
): { hasMovedByName: boolean; hasMovedByEmployeeID: boolean } {
  return {
    hasMovedByName: user.name !== before?.name,
    hasMovedByEmployeeID: user.employeeID !== before?.employeeID,
  };
}

/** A few hundred terms are frequent, whatever users are called. */
export const frequentTermsMax = 1_024;

/** A share of one percent is 50 of these users. */
const sampledUsers = 5_000;

export function samplePercent(users: number): number {
  return Math.min(100, (100 * sampledUsers) / Math.max(users, 1));
}

/** Which of the frequent terms a user has, as hexadecimal digits: the first term is the highest bit of the first byte. */
export function bitmapOf(terms: readonly number[], bits: ReadonlyMap<number, number>): string {
  const bytes = Buffer.alloc(Math.ceil(bits.size / 8));
  for (const term of terms) {
    const bit = bits.get(term);
    if (bit !== undefined) bytes[bit >> 3] = (bytes[bit >> 3] as number) | (0x80 >> (bit & 7));
  }
  return bytes.toString('hex');
}
