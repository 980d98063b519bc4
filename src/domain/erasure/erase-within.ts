import { insertAccessEvents } from '../../storage/access/access-events.js';
import { listAdministrators } from '../../storage/access/roles.js';
import { type ChangeOrigin, insertChanges } from '../../storage/changes/changes.js';
import type { Executor } from '../../storage/database.js';
import { erasedAmong, insertErasedUsers, lockErasures } from '../../storage/erasure/erased-users.js';
import { loggedSerials } from '../../storage/erasure/logged-values.js';
import { lockPasswords, lockUsers, readUsers } from '../../storage/users/read-users.js';
import { accessEvent } from '../audit/access-event.js';
import type { Caller } from '../caller.js';
import { currentAdministrators } from '../users/administrators.js';
import { type ErasureVerdict, planErasure } from './erasure-plan.js';
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
  const serials = items.map(({ serial }) => serial);
  await lockErasures(tx, 'erase');
  const stored = await lockUsers(tx, selected(serials));
  const people = await peopleKnown(tx, serials, stored);
  const erased = await erasedAmong(tx, serials);
  const administrators = await currentAdministrators(tx, stored);
  const facts = { known: new Set(people.keys()), erased: new Set(erased.keys()), administrators };
  const verdicts = planErasure(items, facts);
  const chosen = new Set(verdicts.flatMap((verdict) => (verdict.ok && verdict.isNew ? verdict.serial : [])));
  const now = await erase(
    tx,
    [...people.values()].filter(({ serial }) => chosen.has(serial)),
    eraser,
  );
  return { verdicts, erasedAt: new Map([...erased, ...now]) };
}

/** What an erasure would do. */
export async function previewErasure(
  tx: Executor,
  items: readonly ErasureItem[],
): Promise<readonly ErasureVerdict[]> {
  const serials = items.map(({ serial }) => serial);
  const stored = (await readUsers(tx, selected(serials))).map(({ serial }) => serial);
  const known = new Set([...stored, ...(await loggedSerials(tx, serials))]);
  const erased = new Set((await erasedAmong(tx, serials)).keys());
  return planErasure(items, { known, erased, administrators: await listAdministrators(tx) });
}

function selected(serials: readonly string[]) {
  return { employeeIDs: [], usernames: [], serials };
}

async function erase(
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
