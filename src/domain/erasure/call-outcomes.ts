import { type Failure, failure } from '../../contract/errors.js';
import type { Executor } from '../../storage/database.js';
import {
  lockChunksWith,
  nextChunks,
  replaceChunk,
  type StoredChunk,
} from '../../storage/erasure/call-items.js';
import {
  erasePlannedItems,
  lockItemsMentioning,
  replacePlannedItem,
  replacePreview,
} from '../../storage/erasure/planned-items.js';
import type { ItemOutcome } from '../bulk/outcomes.js';
import type { BulkChange, NewUser } from '../users/user-rules.js';
import { outcomeWithout, type PeopleToForget, peopleToForget } from './forgotten-outcomes.js';
import type { Person } from './person.js';

/** Items of bulk calls keep whether they succeeded, and for which serial, but not whom they named. */
export async function eraseCallOutcomes(tx: Executor, people: readonly Person[]): Promise<void> {
  const forgotten = peopleToForget(people);
  const texts = people.flatMap(({ serial, names }) => [serial, ...names]);
  const serials = [...forgotten.serials];
  for (let page = await nextChunks(tx, undefined); page; page = await nextChunks(tx, page)) {
    for (const chunk of await lockChunksWith(tx, page, { serials, texts })) {
      await replaceChunk(tx, chunkWithout(forgotten, chunk));
    }
  }
}

function chunkWithout(people: PeopleToForget, chunk: StoredChunk): StoredChunk {
  const { serials, employeeIDs, failures } = chunk;
  return {
    ...chunk,
    employeeIDs: employeeIDs.map((employeeID, index) => {
      const serial = serials[index];
      const isForgotten =
        (serial && people.serials.has(serial)) ||
        (employeeID !== null && people.names.has(employeeID.toLowerCase()));
      return isForgotten ? null : employeeID;
    }),
    failures: Object.fromEntries(
      Object.entries(failures).map(([position, stored]) => {
        const outcome = outcomeWithout(people, { ok: false, failure: stored as Failure }, Number(position));
        return [position, outcome.ok ? stored : outcome.failure];
      }),
    ),
  };
}

/** A planned call does nothing with an erased user. What it does with others stays. */
export async function erasePlans(tx: Executor, people: readonly Person[]): Promise<void> {
  const forgotten = peopleToForget(people);
  const names = people.flatMap((person) => person.names);
  const failed = { ok: false, failure: erased() };
  await erasePlannedItems(tx, { serials: [...forgotten.serials], names }, failed);
  for (const { id, position, userSerial, item, preview } of await lockItemsMentioning(tx, names)) {
    if (userSerial === null && isNamedBy(forgotten, item)) await replacePlannedItem(tx, id, failed);
    else {
      const without = outcomeWithout(forgotten, preview as ItemOutcome, position);
      if (without !== preview) await replacePreview(tx, id, without);
    }
  }
}

/** Whether an item selects one of these people, or asks for one of their names. */
function isNamedBy(people: PeopleToForget, item: unknown): boolean {
  const { value } = item as { value?: Partial<NewUser & BulkChange> | string | null };
  if (typeof value !== 'object' || value === null) return false;
  const { employeeID, username, targetEmployeeID, change } = value;
  return [employeeID, username, targetEmployeeID, change?.employeeID, change?.username].some(
    (name) => typeof name === 'string' && people.names.has(name.toLowerCase()),
  );
}

function erased(): Failure {
  return failure('USER_ERASED', 'The user was erased before the call ran.', {
    erasedAt: new Date().toISOString(),
  });
}
