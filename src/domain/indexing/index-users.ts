import type { StoredUser } from '../../contract/users.js';
import type { Executor } from '../../storage/database.js';
import {
  addToDirectory,
  addToTotals,
  deleteFromListing,
  flushListing,
  type ListedFields,
  type ListedUser,
  listedFields,
  writeListing,
} from '../../storage/indexing/index-listing.js';
import { addToNameWords } from '../../storage/indexing/name-words.js';
import { indexedFormerIds } from '../../storage/names/former-names.js';
import { readUsers } from '../../storage/users/read-users.js';
import { allDone } from '../all-done.js';
import { type SearchedTexts, searchedTexts } from '../attributes/searched-texts.js';
import { TimeSlice } from '../yield-to-event-loop.js';
import { CountChanges, isListedAs } from './listing-changes.js';
import { searchDocument } from './search-document.js';

/** While the database writes the users of one part, the words of the next are computed. */
const partUsers = 500;

/** Copies what lists and searches need from the users table. The caller has locked the state of the index. */
export async function indexUsers(tx: Executor, serials: readonly string[]): Promise<void> {
  if (serials.length === 0) return;
  const counts = new CountChanges();
  const textsOf = await searchedTexts(tx);
  let reading = readPart(tx, serials.slice(0, partUsers));
  let writing: Promise<void> = Promise.resolve();
  try {
    for (let end = partUsers; end < serials.length + partUsers; end += partUsers) {
      const part = await reading;
      reading = readPart(tx, serials.slice(end, end + partUsers));
      const changes = await listingChanges(part, counts, textsOf);
      await writing;
      writing = writePart(tx, changes);
    }
  } finally {
    await allDone([reading, writing]);
  }
  await addToDirectory(tx, 'organizations', counts.organizations);
  await addToDirectory(tx, 'tags', counts.tags);
  await addToTotals(tx, counts.all);
  await addToNameWords(tx, counts.nameWords);
  await flushListing(tx);
}

/** Users as they are, and as they are listed. */
interface Part {
  readonly serials: readonly string[];
  readonly users: ReadonlyMap<string, StoredUser>;
  readonly listed: ReadonlyMap<string, ListedFields>;
  readonly formerIds: ReadonlyMap<string, readonly string[]>;
}

async function readPart(tx: Executor, serials: readonly string[]): Promise<Part> {
  if (serials.length === 0) return { serials, users: new Map(), listed: new Map(), formerIds: new Map() };
  const users = await readUsers(tx, { employeeIDs: [], usernames: [], serials });
  const listed = await listedFields(tx, serials);
  // Names are indexed before users. A user who is renamed meanwhile has another change, and is indexed again.
  const formerIds = await indexedFormerIds(tx, serials);
  return { serials, users: new Map(users.map((user) => [user.serial, user])), listed, formerIds };
}

interface ListingChanges {
  readonly written: readonly ListedUser[];
  readonly removed: readonly string[];
}

async function listingChanges(
  { serials, users, listed, formerIds }: Part,
  counts: CountChanges,
  textsOf: SearchedTexts,
): Promise<ListingChanges> {
  const written: ListedUser[] = [];
  const removed: string[] = [];
  const slice = new TimeSlice();
  for (const serial of serials) {
    const [before, user] = [listed.get(serial), users.get(serial)];
    if (user) {
      const words = searchDocument(user, {
        formerEmployeeIDs: formerIds.get(serial) ?? [],
        attributeTexts: textsOf(user.attributes),
      });
      const after = listedUser(user, words);
      if (isListedAs(before, after)) continue;
      written.push(after);
    } else if (before) removed.push(serial);
    counts.add(before, user);
    if (slice.isOver) await slice.yield();
  }
  return { written, removed };
}

/** Field by field: a user has many more, and copying them takes longer than finding the words. */
function listedUser(user: StoredUser, words: string): ListedUser {
  const { serial, employeeID, name, isActive, organizationSerial, tagSerials, managerSerial } = user;
  const hasManager = managerSerial !== null;
  return { serial, employeeID, name, isActive, organizationSerial, tagSerials, hasManager, words };
}

/** The parts have no users in common, so what is read of the next one meanwhile is not affected. */
async function writePart(tx: Executor, { written, removed }: ListingChanges): Promise<void> {
  await writeListing(tx, written);
  await deleteFromListing(tx, removed);
}
