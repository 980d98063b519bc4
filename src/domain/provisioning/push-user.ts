import type { JsonObject } from '../../scim/language/json.js';
import { own } from '../../scim/language/json.js';
import { type Ask, findThere, remoteIdIn, type TargetFailure } from './target-client.js';

export interface UserToPush {
  readonly serial: string;
  /** The ID at the target, if it is known. */
  readonly remoteId: string | null;
  readonly isActiveThere: boolean;
  /** Whether the target is to have the user as an active one. */
  readonly isSelected: boolean;
  /** What the target gets; undefined if the user is to be deleted there. */
  readonly resource: JsonObject | undefined;
}

export interface RemoteIds {
  /** Stores the ID at the target. False if another user has it. */
  remember(remoteId: string | null): Promise<boolean>;
  /** Whether a user of ours other than this one has the serial. */
  isOther(serial: string): Promise<boolean>;
  /**
   * Queues the user of ours who has this ID there, if they are to have another user name, and returns their serial.
   * Undefined if they keep the name, or are unknown.
   */
  queueRenamed(remoteId: string, userName: string): Promise<string | undefined>;
}

type Pushed = { readonly ok: true; readonly isThere: boolean } | TargetFailure;
type Matched = { readonly ok: true; readonly remoteId: string | undefined } | TargetFailure;

const conflict = (status: number | null): TargetFailure => ({ ok: false, error: 'conflict', status });
const invalid = (status: number | null): TargetFailure => ({ ok: false, error: 'invalidResponse', status });

/** Brings one user of a target in line with ours. What is there is replaced as a whole, so it can be done again. */
export async function pushUser(ask: Ask, user: UserToPush, ids: RemoteIds): Promise<Pushed> {
  const pushed = await pushOnce(ask, user, ids);
  if (pushed.ok || pushed.error !== 'conflict' || user.resource === undefined) return pushed;
  return (await freeName(ask, user.resource, ids)) ? pushOnce(ask, user, ids) : pushed;
}

/**
 * Two users who swap their user names, or a name that an inactive user there has kept, would conflict forever: whoever
 * holds the name and is to have another one gets a temporary one until they are pushed themselves.
 */
async function freeName(ask: Ask, resource: JsonObject, { queueRenamed }: RemoteIds): Promise<boolean> {
  const userName = String(own(resource, 'userName'));
  const found = await findThere(ask, 'Users', 'userName', userName);
  const remoteId = found.ok ? remoteIdIn(found.resource) : undefined;
  if (!found.ok || remoteId === undefined) return false;
  const serial = await queueRenamed(remoteId, userName);
  if (serial === undefined) return false;
  // Some targets take only user names that look like an address.
  const [, domain = ''] = /(@[^@]*)$/.exec(userName) ?? [];
  const parked = await replace(ask, remoteId, { ...found.resource, userName: `parked-${serial}${domain}` });
  return parked.ok;
}

async function pushOnce(ask: Ask, user: UserToPush, ids: RemoteIds): Promise<Pushed> {
  if (user.resource === undefined) return removeUser(ask, user);
  if (!user.isSelected) return deactivateUser(ask, user, user.resource, ids);
  if (user.remoteId !== null) {
    const replaced = await replace(ask, user.remoteId, user.resource);
    if (replaced.ok || replaced.error !== 'notFound') return replaced;
    await ids.remember(null);
  }
  return matchOrCreate(ask, user, user.resource, ids);
}

async function replace(ask: Ask, remoteId: string, resource: JsonObject): Promise<Pushed> {
  const path = `/Users/${encodeURIComponent(remoteId)}`;
  const answer = await ask({ method: 'PUT', path, body: { ...resource, id: remoteId } });
  return answer.ok ? { ok: true, isThere: true } : answer;
}

async function matchOrCreate(
  ask: Ask,
  user: UserToPush,
  resource: JsonObject,
  ids: RemoteIds,
): Promise<Pushed> {
  const matched = await match(ask, user, resource, ids);
  if (!matched.ok) return matched;
  if (matched.remoteId !== undefined) return adopt(ask, matched.remoteId, resource, ids);
  const created = await ask({ method: 'POST', path: '/Users', body: resource });
  if (created.ok) {
    const remoteId = remoteIdIn(created.body);
    // The next attempt finds it by its external ID.
    if (remoteId === undefined) return invalid(created.status);
    return (await ids.remember(remoteId)) ? { ok: true, isThere: true } : conflict(created.status);
  }
  if (created.error !== 'conflict') return created;
  // Somebody else has created it meanwhile.
  const again = await match(ask, user, resource, ids);
  if (!again.ok) return again;
  return again.remoteId === undefined ? created : adopt(ask, again.remoteId, resource, ids);
}

async function adopt(ask: Ask, remoteId: string, resource: JsonObject, ids: RemoteIds): Promise<Pushed> {
  return (await ids.remember(remoteId)) ? replace(ask, remoteId, resource) : conflict(null);
}

/** By our serial, or else by the name to sign in with, unless that is another user of ours. */
async function match(
  ask: Ask,
  { serial }: UserToPush,
  resource: JsonObject,
  { isOther }: RemoteIds,
): Promise<Matched> {
  const byId = await findThere(ask, 'Users', 'externalId', serial);
  if (!byId.ok) return byId;
  if (byId.resource) return { ok: true, remoteId: remoteIdIn(byId.resource) };
  const byName = await findThere(ask, 'Users', 'userName', String(own(resource, 'userName')));
  if (!byName.ok) return byName;
  const externalId = byName.resource && own(byName.resource, 'externalId');
  const isTaken = typeof externalId === 'string' && (await isOther(externalId));
  return isTaken ? conflict(null) : { ok: true, remoteId: remoteIdIn(byName.resource) };
}

/** Nothing more is sent about users who are inactive there. */
async function deactivateUser(
  ask: Ask,
  user: UserToPush,
  resource: JsonObject,
  ids: RemoteIds,
): Promise<Pushed> {
  if (user.remoteId !== null && !user.isActiveThere) return { ok: true, isThere: true };
  const there = await whereItIs(ask, user);
  if (!there.ok) return there;
  if (there.remoteId === undefined) return { ok: true, isThere: false };
  if (user.remoteId === null && !(await ids.remember(there.remoteId))) return conflict(null);
  const replaced = await replace(ask, there.remoteId, resource);
  return !replaced.ok && replaced.error === 'notFound' ? { ok: true, isThere: false } : replaced;
}

async function removeUser(ask: Ask, user: UserToPush): Promise<Pushed> {
  const there = await whereItIs(ask, user);
  if (!there.ok) return there;
  if (there.remoteId === undefined) return { ok: true, isThere: false };
  const answer = await ask({ method: 'DELETE', path: `/Users/${encodeURIComponent(there.remoteId)}` });
  return answer.ok || answer.error === 'notFound' ? { ok: true, isThere: false } : answer;
}

/** A create whose response was lost may have left a user there. */
async function whereItIs(ask: Ask, { serial, remoteId }: UserToPush): Promise<Matched> {
  if (remoteId !== null) return { ok: true, remoteId };
  const found = await findThere(ask, 'Users', 'externalId', serial);
  return found.ok ? { ok: true, remoteId: remoteIdIn(found.resource) } : found;
}
