import type { Failure } from '../../contract/errors.js';
import { insertAccessEvents } from '../../storage/access/access-events.js';
import { type ChangeOrigin, insertChanges } from '../../storage/changes/changes.js';
import { type Executor, transaction } from '../../storage/database.js';
import { erasedAmong, insertErasedUsers, lockErasures } from '../../storage/erasure/erased-users.js';
import { loggedSerials } from '../../storage/erasure/logged-values.js';
import { inactiveForDays, stillInactive } from '../../storage/indexing/inactive-users.js';
import { lockPasswords, lockUsers, readUsers } from '../../storage/users/read-users.js';
import { accessEvent } from '../audit/access-event.js';
import { type Caller, changeOrigin } from '../caller.js';
import type { LimitedDatabase } from '../database.js';
import { retryOnConflict } from '../retry-on-conflict.js';
import { isSerial, noSuchSerial } from '../serial.js';
import { administratorsFor } from '../users/administrators.js';
import { type ErasureFacts, type ErasureVerdict, planErasure } from './erasure-plan.js';
import { places } from './places.js';
import { type UserToErase, usersOnRecord } from './user-to-erase.js';

type Erased =
  | { readonly ok: true; readonly serial: string; readonly erasedAt: string }
  | { readonly ok: false; readonly failure: Failure };

/** Erasing a user again succeeds and changes nothing. */
export async function eraseUser(
  { database, limits }: LimitedDatabase,
  given: string,
  caller: Caller,
): Promise<Erased> {
  if (!isSerial(given)) return { ok: false, failure: noSuchSerial() };
  const serial = given.toLowerCase();
  return retryOnConflict(limits.raceAttemptsMax, () =>
    transaction(database, async (tx): Promise<Erased> => {
      const eraser = { origin: changeOrigin(caller), caller };
      const { verdicts, erasedAt } = await eraseWithin(tx, [{ serial }], eraser);
      const [verdict] = verdicts;
      if (verdict && !verdict.ok) return verdict;
      const at = erasedAt.get(serial) ?? new Date();
      return { ok: true, serial, erasedAt: at.toISOString() };
    }),
  );
}

/** Small, because other requests wait for the transaction on the embedded database. */
const batchSize = 50;
const service = { origin: { actor: null, requestId: null, callId: null } };

/**
 * Erases some users who have been inactive for more than these days. Returns true if there may be more. Nodes that do so
 * at the same time wait for each other, and the second one finds nobody.
 */
export async function eraseInactive({ database, limits }: LimitedDatabase, days: number): Promise<boolean> {
  const found = await inactiveForDays(database.pool, days, batchSize);
  if (found.length === 0) return false;
  const erased = await retryOnConflict(limits.raceAttemptsMax, () =>
    transaction(database, async (tx) => {
      await lockErasures(tx, 'erase');
      // Somebody may have activated them meanwhile.
      await lockUsers(tx, { employeeIDs: [], usernames: [], serials: found });
      const inactive = await stillInactive(tx, found, days);
      const { verdicts } = await eraseWithin(
        tx,
        inactive.map((serial) => ({ serial })),
        service,
      );
      return verdicts.filter((verdict) => verdict.ok && verdict.isNew).length;
    }),
  );
  return erased > 0;
}

export interface ErasureItem {
  readonly serial: string;
  /** Of an item of a bulk call. */
  readonly position?: number;
}

/** Who erases. Without a caller, it is the service itself. */
interface Eraser {
  readonly origin: ChangeOrigin;
  readonly caller?: Caller;
}

interface Erasure {
  readonly verdicts: readonly ErasureVerdict[];
  /** When each of the users was erased, now or before. */
  readonly erasedAt: ReadonlyMap<string, Date>;
}

/** Erases users within a transaction. Whoever is changing them at this moment is waited for. */
export async function eraseWithin(
  tx: Executor,
  items: readonly ErasureItem[],
  eraser: Eraser,
): Promise<Erasure> {
  const facts = await readErasure(tx, items, true);
  const verdicts = planErasure(items, facts);
  const now = await erase(tx, chosenBy(verdicts, facts), eraser);
  return { verdicts, erasedAt: new Map([...facts.erased, ...now]) };
}

export interface KnownUsers extends ErasureFacts {
  /** What is known about them, if they are locked. */
  readonly users: ReadonlyMap<string, UserToErase>;
  /** With the time. */
  readonly erased: ReadonlyMap<string, Date>;
}

export async function readErasure(
  tx: Executor,
  items: readonly ErasureItem[],
  locks: boolean,
): Promise<KnownUsers> {
  const serials = items.map(({ serial }) => serial);
  const selection = { employeeIDs: [], usernames: [], serials };
  if (locks) await lockErasures(tx, 'erase');
  const stored = await (locks ? lockUsers : readUsers)(tx, selection);
  const users = locks ? await usersOnRecord(tx, serials, stored) : new Map<string, UserToErase>();
  const known = locks
    ? users.keys()
    : [...stored.map(({ serial }) => serial), ...(await loggedSerials(tx, serials))];
  const erased = await erasedAmong(tx, serials);
  const administrators = await administratorsFor(tx, stored, locks);
  return { known: new Set(known), users, erased, administrators };
}

/** Those who are to be erased now. */
export function chosenBy(verdicts: readonly ErasureVerdict[], { users }: KnownUsers): UserToErase[] {
  const chosen = new Set(verdicts.flatMap((verdict) => (verdict.ok && verdict.isNew ? verdict.serial : [])));
  return [...users.values()].filter(({ serial }) => chosen.has(serial));
}

export async function erase(
  tx: Executor,
  users: readonly UserToErase[],
  { origin, caller }: Eraser,
): Promise<ReadonlyMap<string, Date>> {
  if (users.length === 0) return new Map();
  const serials = users.map(({ serial }) => serial);
  await lockPasswords(tx, serials);
  const erasedAt = await insertErasedUsers(tx, serials, origin);
  // Before access events are erased: an administrator may erase themselves, and their address goes, too.
  await insertAccessEvents(
    tx,
    serials.map((userSerial) => accessEvent('user.erased', caller ?? {}, { userSerial })),
  );
  for (const erasePlace of places) await erasePlace(tx, users, origin);
  const changes = users.map(({ serial, version }) => ({
    userSerial: serial,
    version: version + 1,
    employeeID: '',
    fields: {},
  }));
  await insertChanges(tx, 'erased', changes, origin);
  return erasedAt;
}
