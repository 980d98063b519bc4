import { type Failure, failure } from '../../contract/errors.js';
import { labelField, serialReferenceField } from '../../contract/fields.js';
import { scimLimits } from '../../contract/limits.js';
import {
  changedMembers,
  differenceOf,
  type MemberChanges,
  membersByValue,
  noMemberChanges,
  readMembers,
} from '../../scim/group-members.js';
import { patchWithMembers, readGroupPatch } from '../../scim/group-patch.js';
import { groupName, groupResource, type ProvisionedGroup } from '../../scim/group-resource.js';
import { isObject, isSame, type JsonObject, own } from '../../scim/language/json.js';
import { done, failed, type Outcome } from '../../scim/language/outcome.js';
import type { RequestedAttributes } from '../../scim/language/project.js';
import { externalIdProblem, readResource } from '../../scim/read-resource.js';
import { groupSchema } from '../../scim/schemas.js';
import { type Executor, snapshot } from '../../storage/database.js';
import { getDirectoryRow, lockDirectory, putDirectoryEntry } from '../../storage/directories/entries.js';
import { hasHiddenHolders, hasHolders, listMembers } from '../../storage/scim/group-members.js';
import {
  hideTag,
  insertGroup,
  isNameTaken,
  type KnownGroup,
  lockGroup,
  readGroup,
  updateGroup,
} from '../../storage/scim/groups.js';
import { CallRejected } from '../bulk/call-errors.js';
import type { Caller } from '../caller.js';
import { foldedName } from '../directories/entries.js';
import { logEdit } from '../directories/log-edit.js';
import type { Result } from '../result.js';
import { newId } from '../serial.js';
import type { MatchingContext } from '../users/update-matching.js';
import { runYielding } from '../yield-to-event-loop.js';
import { noResource, rejected, scimFailure } from './failures.js';
import {
  changeMembers,
  freshMembers,
  membersOfGroups,
  otherMembersOf,
  seenBy,
  showsMembers,
} from './group-members.js';
import type { ProviderRequest } from './resource-facts.js';

export type ScimGroupContext = MatchingContext;

export interface ShownGroup {
  readonly resource: JsonObject;
  readonly group: ProvisionedGroup;
  /** Where the members that the resource doesn't show begin, counted from 1. */
  readonly nextMember: number | undefined;
  /** Attributes that were sent, and that nobody knows. */
  readonly ignored: readonly string[];
}

type GroupResult = Result<ShownGroup>;

/** Which members a response shows. */
export interface WantedMembers {
  readonly requested: RequestedAttributes;
  readonly startIndex: number;
  readonly count: number;
}

interface Addressed {
  readonly id: string;
  /** Whether the client has seen the version; without an If-Match header, it need not have. */
  readonly ifMatch: ((version: number) => boolean) | undefined;
}

export async function getScimGroup(
  context: ScimGroupContext,
  id: string,
  wanted: WantedMembers,
  request: ProviderRequest,
): Promise<GroupResult> {
  const group = await findGroup(context, id, request);
  return group ? shown(context, group, wanted, request) : { ok: false, failure: noResource('Group', id) };
}

/** A tag that is in the directory, or that a user has, if the provider may see it. */
async function findGroup(
  { database }: ScimGroupContext,
  id: string,
  { provider }: ProviderRequest,
): Promise<ProvisionedGroup | undefined> {
  if (!serialReferenceField.accepts(id)) return undefined;
  const group = await readGroup(database.pool, id);
  if (provider.visibleUsers === 'own' && !group.providers.includes(provider.clientId)) return undefined;
  if (group.isEntry) return group;
  const isHeld = await snapshot(database, async (tx) => hasHolders(tx, id, await freshMembers(tx)));
  return isHeld ? group : undefined;
}

async function shown(
  { database }: ScimGroupContext,
  group: ProvisionedGroup,
  { requested, startIndex, count }: WantedMembers,
  request: ProviderRequest,
  ignored: readonly string[] = [],
): Promise<GroupResult> {
  const facts = { clientId: request.provider.clientId, baseUrl: request.baseUrl };
  const shows = showsMembers(requested);
  if (!shows)
    return {
      ok: true,
      group,
      resource: groupResource(group, undefined, facts),
      nextMember: undefined,
      ignored,
    };
  const { serial } = group;
  return snapshot(database, async (tx) => {
    const fresh = await freshMembers(tx);
    if (shows === 'by default') {
      const members = (await membersOfGroups(tx, [serial], fresh, request)).get(serial);
      const resource = groupResource(group, members, facts);
      return { ok: true, group, resource, nextMember: members ? undefined : 1, ignored };
    }
    const page = { seeing: seenBy(request), offset: startIndex - 1, limit: count };
    const members = (await listMembers(tx, [serial], fresh, page)).get(serial);
    // Members that are no users are few, and come with the first page.
    const stored = (await otherMembersOf(tx, [serial], page.seeing)).get(serial) ?? {};
    const listed = { users: members?.users ?? [], stored: startIndex === 1 ? stored : usersIn(stored) };
    return {
      ...{ ok: true, group, resource: groupResource(group, listed, facts), ignored },
      nextMember: members?.hasMore ? startIndex + count : undefined,
    };
  });
}

function usersIn<T extends { readonly isUser?: true }>(stored: Readonly<Record<string, T>>) {
  return Object.fromEntries(Object.entries(stored).filter(([, { isUser }]) => isUser));
}

export async function createScimGroup(
  context: ScimGroupContext,
  body: unknown,
  wanted: WantedMembers,
  request: ProviderRequest,
): Promise<GroupResult> {
  const sent = await readSent(body, request);
  if (!sent.ok) return sent;
  const { resource, members, unknown } = sent;
  const name = validName(resource);
  if (!name.ok) return rejected(name);
  const { clientId } = request.provider;
  const sentId = externalIdIn(resource);
  if (!sentId.ok) return rejected(sentId);
  const externalId = sentId.value;
  const serial = newId();
  const changes = members ?? noMemberChanges;
  const created = await changeMembers(context, {
    ...{ tagSerial: serial, changes: { ...changes, clears: false }, seeing: seenBy(request) },
    caller: request.caller,
    async alongside(tx, names) {
      await nameGroup(tx, serial, name.value, request.caller);
      await insertGroup(tx, serial, {
        providers: [clientId],
        externalIds: externalId === undefined ? {} : { [clientId]: externalId },
        members: requireValid(changedMembers({}, changes, names)),
      });
    },
  });
  if (!created.ok) return created;
  return shown(context, await readGroup(context.database.pool, serial), wanted, request, unknown);
}

/** Members are undefined if the body doesn't mention them. */
async function readSent(body: unknown, { provider }: ProviderRequest) {
  const { sentMembers, others } = withoutMembers(body);
  const read = readResource(others, groupSchema);
  if (!read.ok) return rejected(read);
  const { resource, unknown } = read.value;
  const [stray] = unknown;
  if (stray !== undefined && provider.unknownAttributes === 'reject') {
    const name = JSON.stringify(stray.slice(0, 100));
    return rejected(
      failed('invalidValue', `${name} is not an attribute. GET /scim/v2/Schemas lists them all.`),
    );
  }
  const listed = sentMembers ?? own(resource, 'members');
  if (listed === undefined) return { ok: true as const, resource, members: undefined, unknown };
  const added = await runYielding(readMembers(listed, 'to add'));
  if (!added.ok) return rejected(added);
  const members: MemberChanges = { clears: true, added: added.value, removed: new Set() };
  return { ok: true as const, resource, members, unknown };
}

/** Members are many, so they are read on their own. */
function withoutMembers(body: unknown): { readonly sentMembers?: unknown; readonly others: unknown } {
  const names = isObject(body) ? Object.keys(body).filter((name) => name.toLowerCase() === 'members') : [];
  const [name] = names;
  // Two spellings are refused with the rest.
  if (!isObject(body) || name === undefined || names.length > 1) return { others: body };
  const { [name]: sent, ...others } = body;
  return { sentMembers: sent ?? [], others };
}

const nameField = labelField('The name of the group.', 'Sales');

function validName(resource: JsonObject): Outcome<string> {
  const name = nameField.normalize(own(resource, 'displayName'));
  if (nameField.accepts(name)) return { ok: true, value: name };
  if (name === null || name === undefined) return failed('invalidValue', '"displayName" is required.');
  return failed('invalidValue', `"displayName" must be ${nameField.rule}.`);
}

function externalIdIn(resource: JsonObject): Outcome<string | undefined> {
  const externalId = own(resource, 'externalId');
  if (typeof externalId !== 'string' || externalId === '') return done(undefined);
  return externalIdProblem(externalId) ?? done(externalId);
}

function requireValid<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new CallRejected(scimFailure(outcome));
  return outcome.value;
}

/** Providers look for a group by its name before they create it, so that one name means one group. */
async function nameGroup(tx: Executor, serial: string, displayName: string, caller: Caller): Promise<void> {
  await lockDirectory(tx, 'tags');
  if (await isNameTaken(tx, displayName, serial)) {
    const detail = `Another group is called ${JSON.stringify(displayName)}. Find it with the filter displayName eq.`;
    throw new CallRejected(scimFailure(failed('uniqueness', detail)));
  }
  const before = await getDirectoryRow(tx, 'tags', serial);
  const after = { displayName, foldedName: foldedName(displayName), parentSerial: null };
  await putDirectoryEntry(tx, 'tags', serial, after);
  await logEdit(tx, { directory: 'tags', serial, before, after }, caller);
}

export async function replaceScimGroup(
  context: ScimGroupContext,
  addressed: Addressed,
  body: unknown,
  wanted: WantedMembers,
  request: ProviderRequest,
): Promise<GroupResult> {
  const group = await currentGroup(context, addressed, request);
  if (!group.ok) return group;
  const sent = await readSent(body, request);
  if (!sent.ok) return sent;
  const { resource, members = noMemberChanges, unknown } = sent;
  // As for users: what is not sent is not the provider's, so its identifier stays.
  const externalId = own(resource, 'externalId') || own(group.externalIds, request.provider.clientId);
  const written = await writeGroup(
    context,
    group,
    { resource: { ...resource, externalId }, members },
    addressed,
    request,
  );
  return written.ok ? shown(context, written.group, wanted, request, unknown) : written;
}

/** Without `wanted`, the resource of the result shows no members. */
export async function patchScimGroup(
  context: ScimGroupContext,
  addressed: Addressed,
  operations: readonly unknown[],
  wanted: WantedMembers | undefined,
  request: ProviderRequest,
): Promise<GroupResult> {
  const group = await currentGroup(context, addressed, request);
  if (!group.ok) return group;
  const facts = { clientId: request.provider.clientId, baseUrl: request.baseUrl };
  const before = groupResource(group, undefined, facts);
  const patch = await runYielding(readGroupPatch(before, operations));
  if (!patch.ok) return rejected(patch);
  const change = patch.value.isIncremental
    ? patch.value
    : await patchKnowingMembers(context, group, operations, request);
  if ('ok' in change) return change;
  const written = await writeGroup(context, group, change, addressed, request);
  return written.ok ? shown(context, written.group, wanted ?? noMembers, request) : written;
}

const noMembers: WantedMembers = {
  requested: { attributes: [], excludedAttributes: undefined },
  startIndex: 1,
  count: 0,
};

/** For operations that depend on which members there are, of which there may be a limited number. */
async function patchKnowingMembers(
  { database }: ScimGroupContext,
  group: ProvisionedGroup,
  operations: readonly unknown[],
  request: ProviderRequest,
): Promise<GroupChange | { readonly ok: false; readonly failure: Failure }> {
  const { serial } = group;
  const members = await snapshot(database, async (tx) =>
    (await membersOfGroups(tx, [serial], await freshMembers(tx), request)).get(serial),
  );
  if (!members) {
    return rejected(
      failed(
        'tooMany',
        `The group has more than ${scimLimits.groupMembersShownMax} members, which can only be selected by their values: members[value eq "<id>"].`,
      ),
    );
  }
  const facts = { clientId: request.provider.clientId, baseUrl: request.baseUrl };
  const before = groupResource(group, members, facts);
  const patched = await runYielding(patchWithMembers(before, operations));
  if (!patched.ok) return rejected(patched);
  const [was, is] = [before, patched.value].map((resource) => {
    const listed = own(resource, 'members');
    return membersByValue(Array.isArray(listed) ? listed : []);
  });
  if (!was?.ok) throw new Error('members that are stored are valid');
  if (!is?.ok) return is ? rejected(is) : rejected(failed('invalidValue', 'The members are invalid.'));
  return { resource: patched.value, members: differenceOf(was.value, is.value) };
}

type FoundGroup = { readonly ok: true } & ProvisionedGroup;

async function currentGroup(
  context: ScimGroupContext,
  { id, ifMatch }: Addressed,
  request: ProviderRequest,
): Promise<FoundGroup | { readonly ok: false; readonly failure: Failure }> {
  const group = await findGroup(context, id, request);
  if (!group) return { ok: false, failure: noResource('Group', id) };
  if (ifMatch && !ifMatch(group.version)) return { ok: false, failure: staleVersion() };
  return { ok: true, ...group };
}

function staleVersion(): Failure {
  return failure(
    'REQUEST_PRECONDITION_FAILED',
    'The group has another version. Read it again, then resend your change.',
  );
}

interface GroupChange {
  /** The group after the change. Its members don't count. */
  readonly resource: JsonObject;
  readonly members: MemberChanges;
}

/** Writes nothing, and makes no new version, if the group is like that already. */
async function writeGroup(
  context: ScimGroupContext,
  group: ProvisionedGroup,
  { resource, members }: GroupChange,
  { ifMatch }: Addressed,
  request: ProviderRequest,
): Promise<Result<{ readonly group: ProvisionedGroup }>> {
  const { serial } = group;
  const { clientId } = request.provider;
  const isRenamed = own(resource, 'displayName') !== groupName(group);
  const name = isRenamed ? validName(resource) : undefined;
  if (name && !name.ok) return rejected(name);
  const wantedId = externalIdIn(resource);
  if (!wantedId.ok) return rejected(wantedId);
  const externalId = wantedId.value;
  const keepsExternalId = externalId === own(group.externalIds, clientId);
  const changed = await changeMembers(context, {
    ...{ tagSerial: serial, changes: members, seeing: seenBy(request), caller: request.caller },
    async alongside(tx, names, hasUsers) {
      const { version, ...known } = await lockGroup(tx, serial);
      if (ifMatch && !ifMatch(version)) throw new CallRejected(staleVersion());
      if (name) await nameGroup(tx, serial, name.value, request.caller);
      const { [clientId]: _, ...others } = known.externalIds;
      const changedIds = externalId === undefined ? others : { ...others, [clientId]: externalId };
      const after = {
        providers: [...new Set([...known.providers, clientId])].sort(),
        externalIds: keepsExternalId ? known.externalIds : changedIds,
        members: requireValid(changedMembers(known.members, members, names)),
      };
      if (hasUsers || name || !isSame(known, after)) await updateGroup(tx, serial, after);
    },
  });
  if (!changed.ok) return changed;
  return { ok: true, group: await readGroup(context.database.pool, serial) };
}

/**
 * Takes the tag from everyone who has it and whom the provider may see. While others have it, the group is only no longer
 * the provider's. An undo of the call brings the group back with its name.
 */
export async function deleteScimGroup(
  context: ScimGroupContext,
  addressed: Addressed,
  request: ProviderRequest,
): Promise<Result<object>> {
  const group = await currentGroup(context, addressed, request);
  if (!group.ok) return group;
  const { serial } = group;
  const seeing = seenBy(request);
  const isKept =
    seeing.isOwn &&
    (await snapshot(context.database, async (tx) =>
      hasHiddenHolders(tx, serial, await freshMembers(tx), seeing),
    ));
  return changeMembers(context, {
    ...{ tagSerial: serial, changes: { ...noMemberChanges, clears: true }, seeing },
    caller: request.caller,
    async alongside(tx) {
      const { version, ...known } = await lockGroup(tx, serial);
      if (addressed.ifMatch && !addressed.ifMatch(version)) throw new CallRejected(staleVersion());
      if (isKept) return updateGroup(tx, serial, withoutProvider(known, seeing.clientId));
      await hideTag(tx, serial);
      await updateGroup(tx, serial, { ...known, members: {} });
    },
  });
}

function withoutProvider(group: Omit<KnownGroup, 'version'>, clientId: string): Omit<KnownGroup, 'version'> {
  const { [clientId]: _, ...externalIds } = group.externalIds;
  return { ...group, externalIds, providers: group.providers.filter((each) => each !== clientId) };
}
