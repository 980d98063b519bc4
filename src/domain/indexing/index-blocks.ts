import type { Executor } from '../../storage/database.js';
import type { BlocksState, IndexState } from '../../storage/indexing/index-state.js';
import {
  collectTerms,
  countBlockUsers,
  findDueBlock,
  type MarkedUser,
  markBlocks,
  readFrequentTerms,
  resetBlocks,
  type SearchBlock,
  splitBlock,
} from '../../storage/indexing/search-blocks.js';
import {
  type BlockSizes,
  bitmapOf,
  dueSize,
  frequentTermsMax,
  samplePercent,
  splitSize,
  writesAllowed,
} from './blocks.js';
import { termMask } from './buckets.js';

/** A user who was written to the search index. */
export interface WrittenUser extends Omit<MarkedUser, 'bitmap'> {
  /** Without the bucket. */
  readonly terms: readonly number[];
}

/** Adds the terms of users to their blocks, in the transaction that writes them to the search index. */
export async function addToBlocks(
  tx: Executor,
  users: readonly WrittenUser[],
  { collation }: BlocksState,
): Promise<void> {
  const frequent = await readFrequentTerms(tx);
  if (frequent.length === 0) return;
  const bits = new Map(frequent.map((term, bit) => [term, bit]));
  const marked = users.map(({ terms, ...user }) => ({ ...user, bitmap: bitmapOf(terms, bits) }));
  await markBlocks(tx, marked, collation);
}

/**
 * Takes one short step: starts with a single block of all users, or splits a block that is too large and collects the
 * terms of its first part. The caller has locked the state, so nobody is indexed meanwhile. Returns the state to write,
 * or undefined if there was nothing to do.
 *
 * At every commit, a block has the terms of all its indexed users: at first it has every term; then those that its users
 * have; and whoever is written later adds their own.
 */
export async function improveBlocks(
  tx: Executor,
  state: IndexState,
  sizes: BlockSizes,
): Promise<IndexState | undefined> {
  const { users, blocks, nameCollation } = state;
  if (users < sizes.usersMin) return undefined;
  if (blocks === undefined || blocks.writesLeft === 0) {
    const sample = { percent: samplePercent(users), share: sizes.frequentShare };
    await resetBlocks(tx, { ...sample, termsMax: frequentTermsMax, termMask });
    return { ...state, blocks: { collation: nameCollation, writesLeft: writesAllowed(users) } };
  }
  const due = await findDueBlock(tx, dueSize(sizes));
  if (due) await improveBlock(tx, due, blocks, sizes);
  return due && state;
}

async function improveBlock(
  tx: Executor,
  block: SearchBlock,
  { collation }: BlocksState,
  sizes: BlockSizes,
): Promise<void> {
  const counted = await countBlockUsers(tx, block, collation, {
    upTo: splitSize(sizes) + 1,
    splitAt: sizes.blockUsers,
  });
  const isSplit = counted.users > splitSize(sizes) && counted.split !== undefined;
  const first = isSplit && counted.split ? await splitBlock(tx, block, counted.split) : block;
  const users = isSplit ? sizes.blockUsers : counted.users;
  await collectTerms(tx, first, { collation, users, termMask });
}
