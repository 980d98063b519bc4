import { type Failure, failure } from '../../contract/errors.js';
import type { Executor } from '../../storage/database.js';
import { lockChunksWith, replaceChunk, type StoredChunk } from '../../storage/erasure/call-items.js';
import { erasePlannedItems, lockPreviewsWith, replacePreview } from '../../storage/erasure/planned-items.js';
import type { ItemOutcome } from '../bulk/outcomes.js';
import { outcomeWithout, type PeopleToForget, peopleToForget } from './forgotten-outcomes.js';
import type { Person } from './person.js';

/** Items of bulk calls keep whether they succeeded, and for which serial, but not whom they named. */
export async function eraseCallOutcomes(tx: Executor, people: readonly Person[]): Promise<void> {
  const forgotten = peopleToForget(people);
  const texts = people.flatMap(({ serial, names }) => [serial, ...names]);
  const serials = [...forgotten.serials];
  for (const chunk of await lockChunksWith(tx, { serials, texts })) {
    await replaceChunk(tx, chunkWithout(forgotten, chunk));
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
  await erasePlannedItems(tx, { serials: [...forgotten.serials], names }, { ok: false, failure: erased() });
  for (const stored of await lockPreviewsWith(tx, names)) {
    const preview = outcomeWithout(forgotten, stored.preview as ItemOutcome, stored.position);
    if (preview !== stored.preview) await replacePreview(tx, { ...stored, preview });
  }
}

function erased(): Failure {
  return failure('USER_ERASED', 'The user was erased before the call ran.', {
    erasedAt: new Date().toISOString(),
  });
}
