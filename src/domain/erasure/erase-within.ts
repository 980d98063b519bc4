import { insertAccessEvents } from '../../storage/access/access-events.js';
import { type ChangeOrigin, insertChanges } from '../../storage/changes/changes.js';
import type { Executor } from '../../storage/database.js';
import { erasedAmong, insertErasedUsers, lockErasures } from '../../storage/erasure/erased-users.js';
import { loggedSerials } from '../../storage/erasure/logged-values.js';
import { lockPasswords, lockUsers, readUsers } from '../../storage/users/read-users.js';
import { accessEvent } from '../audit/access-event.js';
import type { Caller } from '../caller.js';
import { administratorsFor } from '../users/administrators.js';
import { type ErasureFacts, type ErasureVerdict, planErasure } from './erasure-plan.js';
import { type Person, peopleKnown } from './person.js';
import { places } from './places.js';

export interface ErasureItem {
  readonly serial: string;
  /** Of an item of a bulk call. */
  readonly position?: number;
}

/** Who erases. Without a caller, it is the service itself. */
export interface Eraser {
  readonly origin: ChangeOrigin;
  readonly caller?: Caller;
}

export interface Erasure {
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
  readonly people: ReadonlyMap<string, Person>;
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
  const people = locks ? await peopleKnown(tx, serials, stored) : new Map<string, Person>();
  const known = locks
    ? people.keys()
    : [...stored.map(({ serial }) => serial), ...(await loggedSerials(tx, serials))];
  const erased = await erasedAmong(tx, serials);
  const administrators = await administratorsFor(tx, stored, locks);
  return { known: new Set(known), people, erased, administrators };
}

/** Those who are to be erased now. */
export function chosenBy(verdicts: readonly ErasureVerdict[], { people }: KnownUsers): Person[] {
  const chosen = new Set(verdicts.flatMap((verdict) => (verdict.ok && verdict.isNew ? verdict.serial : [])));
  return [...people.values()].filter(({ serial }) => chosen.has(serial));
}

export async function erase(
  tx: Executor,
  people: readonly Person[],
  { origin, caller }: Eraser,
): Promise<ReadonlyMap<string, Date>> {
  if (people.length === 0) return new Map();
  const serials = people.map(({ serial }) => serial);
  await lockPasswords(tx, serials);
  const erasedAt = await insertErasedUsers(tx, serials, origin);
  // Before access events are erased: an administrator may erase themselves, and their address goes, too.
  await insertAccessEvents(
    tx,
    serials.map((userSerial) => accessEvent('user.erased', caller ?? {}, { userSerial })),
  );
  for (const erasePlace of places) await erasePlace(tx, people);
  const changes = people.map(({ serial, version }) => ({
    userSerial: serial,
    version: version + 1,
    employeeID: '',
    fields: {},
  }));
  await insertChanges(tx, 'erased', changes, origin);
  return erasedAt;
}
