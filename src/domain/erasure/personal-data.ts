import type { FieldChanges } from '../../contract/changes.js';
import type { ConfirmedField, Language } from '../../contract/enums.js';
import type { Failure } from '../../contract/errors.js';
import type { NoticeChoices } from '../../contract/notices.js';
import { type PersonalList, personalLists } from '../../contract/personal-data.js';
import type { Role } from '../../contract/scopes.js';
import type { UserView } from '../../contract/users.js';
import { type AccessEvent, listAccessEvents } from '../../storage/access/access-events.js';
import { type Factor, listFactors } from '../../storage/access/factors.js';
import { getRole } from '../../storage/access/roles.js';
import { type Call, listCalls } from '../../storage/changes/calls.js';
import { type Change, hasHistory, listChanges } from '../../storage/changes/changes.js';
import { type Database, type Executor, snapshot } from '../../storage/database.js';
import { type Delivery, listDeliveries } from '../../storage/delivery/deliveries.js';
import { listNoticesTo, readNoticeChoices, type SentNotice } from '../../storage/delivery/notices.js';
import {
  type MentionedIds,
  type MentionedNames,
  type MessageAddress,
  type PushedUser,
  readMentionedNames,
  readMessageAddresses,
  readPushedUser,
  readSignInData,
  type SignInData,
} from '../../storage/erasure/personal-data.js';
import { type NameKind, namesEndedSince } from '../../storage/names/former-names.js';
import { confirmedContactsOf } from '../../storage/openid/confirmed-contacts.js';
import { listApplicationsOf, type OwnApplication } from '../../storage/openid/states.js';
import { listGroupMembers, type StoredMember } from '../../storage/scim/groups.js';
import { getUser } from '../../storage/users/read-users.js';
import { getLanguage } from '../../storage/users/user-languages.js';
import { type View, viewsBy } from '../../storage/users/views.js';
import { type Shown, showingTo } from '../attributes/show-users.js';
import { recordAccess } from '../audit/access-event.js';
import type { Caller } from '../caller.js';
import { missingUser } from '../missing-user.js';
import { isSerial, noSuchSerial } from '../serial.js';
import { type UpcomingChange, upcomingChangesOf } from '../users/get-user.js';
import { textsMeaning, usersOnRecord } from './user-to-erase.js';

/** Everything that is stored about a user, without secrets. */
export interface PersonalData extends SignInData {
  /** Null if the user was removed, and is only on record. */
  readonly user: Shown<UserView> | null;
  readonly role: Role | null;
  readonly language: Language | null;
  readonly factors: readonly Factor[];
  readonly formerNames: readonly FormerNameView[];
  readonly applications: readonly OwnApplication[];
  readonly confirmedContacts: readonly { readonly field: ConfirmedField; readonly value: string }[];
  readonly changes: readonly Change[];
  readonly messages: readonly (Delivery & MessageAddress)[];
  readonly noticeChoices: NoticeChoices;
  readonly notices: readonly SentNotice[];
  readonly views: readonly SavedView[];
  readonly accessEvents: readonly AccessEvent[];
  readonly calls: readonly Call[];
  readonly upcomingChanges: readonly UpcomingChange[];
  readonly provisioning: object | null;
  readonly groupMemberships: readonly StoredMember[];
  readonly pushedTo: readonly PushedUser[];
  readonly createdClients: readonly { readonly id: string; readonly createdAt: string }[];
  readonly names: MentionedNames;
  /** The lists that were cut off. */
  readonly incomplete: readonly PersonalList[];
}

type SavedView = Pick<View, 'name' | 'query' | 'isShared' | 'createdAt'>;

interface FormerNameView {
  readonly kind: NameKind;
  readonly name: string;
  readonly since: string;
  readonly until: string;
}

/** Far more than a user usually has; keeps the reply at some megabytes. */
const listMax = 5_000;
const beginning = '0001-01-01T00:00:00Z';

/** Reading everything about a user is itself recorded. */
export async function getPersonalData(
  database: Database,
  given: string,
  caller: Caller,
): Promise<
  { readonly ok: true; readonly data: PersonalData } | { readonly ok: false; readonly failure: Failure }
> {
  if (!isSerial(given)) return { ok: false, failure: noSuchSerial() };
  const serial = given.toLowerCase();
  const found = await snapshot(database, async (tx) => {
    const gone = await missingUser(tx, serial);
    if (gone.error === 'USER_ERASED' || !(await hasHistory(tx, serial))) return gone;
    return collect(tx, serial, caller);
  });
  if ('error' in found) return { ok: false, failure: found };
  await recordAccess(database.pool, 'user.data-exported', caller, { userSerial: serial });
  return { ok: true, data: found };
}

async function collect(tx: Executor, serial: string, { actor }: Caller): Promise<PersonalData> {
  const limit = listMax + 1;
  const showing = await showingTo(tx, actor);
  const found = await getUser(tx, serial);
  const user = found?.user;
  const stored = found ? [{ ...found.user, version: found.version }] : [];
  const onRecord = await usersOnRecord(tx, [serial], stored);
  const upcoming = await upcomingChangesOf(tx, serial);
  const addresses = await readMessageAddresses(tx, serial);
  const deliveries = await listDeliveries(tx, {
    filters: { userSerial: serial },
    beforeId: undefined,
    limit,
  });
  const lists = {
    changes: await listChanges(tx, { filters: { userSerial: serial }, before: undefined, limit }),
    messages: deliveries.map((each) => ({ ...each, ...(addresses.get(each.id) ?? noAddress) })),
    accessEvents: await eventsOf(tx, serial, limit),
    calls: await listCalls(tx, { filters: { actorId: serial }, before: undefined, limit }),
  };
  const data = {
    user: user ? ((await showing.users([user]))[0] ?? null) : null,
    role: await getRole(tx, serial),
    language: await getLanguage(tx, serial),
    formerNames: [
      ...(await formerNames(tx, 'employeeID', serial)),
      ...(await formerNames(tx, 'username', serial)),
    ],
    ...(await readSignInData(tx, serial)),
    factors: await listFactors(tx, serial),
    applications: await listApplicationsOf(tx, serial),
    confirmedContacts: [...(await confirmedContactsOf(tx, serial))].map(([field, value]) => ({
      field,
      value,
    })),
    changes: lists.changes
      .slice(0, listMax)
      .map((change) => ({ ...change, fields: showing.fields(change.fields) })),
    messages: lists.messages.slice(0, listMax),
    noticeChoices: await readNoticeChoices(tx, serial),
    notices: await listNoticesTo(tx, serial, listMax),
    views: (await viewsBy(tx, serial)).map(({ name, query, isShared, createdAt }) => ({
      ...{ name, query, isShared, createdAt },
    })),
    accessEvents: lists.accessEvents.slice(0, listMax),
    calls: lists.calls.slice(0, listMax),
    upcomingChanges: upcoming.map(({ effect, ...rest }) => ({
      ...rest,
      effect: { ...effect, fields: showing.fields(effect.fields) },
    })),
    createdClients: lists.accessEvents.flatMap(({ kind, actor, clientId, at }) =>
      kind === 'client.created' && actor?.id === serial && clientId !== null
        ? { id: clientId, createdAt: at }
        : [],
    ),
    provisioning: user?.scim == null ? null : JSON.parse(user.scim),
    groupMemberships: await listGroupMembers(tx, textsMeaning(onRecord.values())),
    pushedTo: await readPushedUser(tx, serial),
    incomplete: personalLists.filter((list) => lists[list].length > listMax),
  };
  return { ...data, names: await readMentionedNames(tx, mentionedIn(data)) };
}

type Mentioning = Pick<
  PersonalData,
  'user' | 'changes' | 'upcomingChanges' | 'accessEvents' | 'createdClients' | 'groupMemberships'
>;

/** What the data refers to by ID, for those who read it. */
function mentionedIn(data: Mentioning): MentionedIds {
  const { user, changes, upcomingChanges, accessEvents, createdClients, groupMemberships } = data;
  const fields = [
    ...changes.map((change) => change.fields),
    ...upcomingChanges.map((each) => each.effect.fields),
  ];
  const sidesOf = (field: keyof FieldChanges) =>
    fields.flatMap((each) => [each[field]?.before, each[field]?.after].flat()).filter(isText);
  const actors = (kind: string) =>
    [...changes, ...accessEvents].flatMap(({ actor }) => (actor?.kind === kind ? actor.id : []));
  return {
    organizations: unique([user?.organizationSerial, ...sidesOf('organizationSerial')]),
    tags: unique([
      ...(user?.tagSerials ?? []),
      ...sidesOf('tagSerials'),
      ...groupMemberships.map(({ tagSerial }) => tagSerial),
    ]),
    users: unique([...sidesOf('managerSerial'), ...actors('person')]),
    clients: unique([
      ...actors('client'),
      ...accessEvents.map(({ clientId }) => clientId),
      ...createdClients.map(({ id }) => id),
    ]),
    feeds: unique(actors('feed')),
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function unique(ids: readonly (string | null | undefined)[]): string[] {
  return [...new Set(ids.filter(isText))];
}

const noAddress: MessageAddress = { toEmail: null, toPhone: null };

/** Events about the user and events caused by them, newest first. */
async function eventsOf(tx: Executor, serial: string, limit: number): Promise<AccessEvent[]> {
  const about = await listAccessEvents(tx, { filters: { userSerial: serial }, beforeId: undefined, limit });
  const by = await listAccessEvents(tx, { filters: { actorId: serial }, beforeId: undefined, limit });
  const byId = new Map([...about, ...by].map((event) => [event.id, event]));
  return [...byId.values()].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit);
}

async function formerNames(tx: Executor, kind: NameKind, serial: string): Promise<FormerNameView[]> {
  const ended = await namesEndedSince(tx, kind, [serial], beginning);
  return ended.flatMap(({ name, since, until }) =>
    name === null ? [] : { kind, name, since: since.toISOString(), until: until.toISOString() },
  );
}
