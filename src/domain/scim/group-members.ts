import type { Failure } from '../../contract/errors.js';
import { fieldLimits, scimLimits } from '../../contract/limits.js';
import { type MemberChanges, type StoredMembers, tooManyOthers } from '../../scim/group-members.js';
import type { ShownMembers } from '../../scim/group-resource.js';
import { failed } from '../../scim/language/outcome.js';
import type { RequestedAttributes } from '../../scim/language/project.js';
import { targetOf } from '../../scim/language/target.js';
import { groupSchema } from '../../scim/schemas.js';
import { type Executor, snapshot, transaction } from '../../storage/database.js';
import { firstSerial, readFreshness } from '../../storage/indexing/index-state.js';
import { listHolders, listMembers, possibleMembers, seenAmong } from '../../storage/scim/group-members.js';
import { storedMembersOf } from '../../storage/scim/groups.js';
import type { Seeing } from '../../storage/scim/user-sources.js';
import type { Fresh } from '../../storage/users/matching-users.js';
import { strategyLimits } from '../../storage/users/page-order.js';
import { CallRejected } from '../bulk/call-errors.js';
import type { PlannedOutcome } from '../bulk/plan.js';
import type { Caller } from '../caller.js';
import { accept } from '../read-fields.js';
import type { Result } from '../result.js';
import { isSerial } from '../serial.js';
import { type MatchingContext, updateSelected } from '../users/update-matching.js';
import { rejected, scimFailure } from './failures.js';
import type { ProviderRequest } from './resource-facts.js';

/** Undefined if members need not be read. */
export function showsMembers(requested: RequestedAttributes): 'by default' | 'on request' | undefined {
  const { attributes, excludedAttributes = [] } = requested;
  const members = (paths: NonNullable<RequestedAttributes['attributes']>) =>
    paths.flatMap((path) => {
      const target = targetOf(path, groupSchema);
      return target.ok && target.value.steps[0].name === 'members' ? [target.value] : [];
    });
  if (attributes) return members(attributes).length > 0 ? 'on request' : undefined;
  const isExcluded = members(excludedAttributes).some(({ steps, filter }) => steps.length === 1 && !filter);
  return isExcluded ? undefined : 'by default';
}

/** What the index doesn't know yet. */
export async function freshMembers(tx: Executor): Promise<Fresh> {
  const { freshListedMax: allMax, freshNewestMax: newestMax } = strategyLimits;
  const { fresh, isComplete, isBuilding } = await readFreshness(tx, { allMax, newestMax });
  return isComplete && !isBuilding ? fresh : undefined;
}

export function seenBy({ provider }: ProviderRequest): Seeing {
  return { clientId: provider.clientId, isOwn: provider.visibleUsers === 'own' };
}

/** The members of groups that have no more than lists show. */
export async function membersOfGroups(
  tx: Executor,
  serials: readonly string[],
  fresh: Fresh,
  request: ProviderRequest,
): Promise<ReadonlyMap<string, ShownMembers>> {
  const page = { seeing: seenBy(request), offset: 0, limit: scimLimits.groupMembersShownMax };
  const members = await listMembers(tx, serials, fresh, page);
  const stored = await otherMembersOf(tx, serials, page.seeing);
  return new Map(
    serials
      .filter((serial) => !members.get(serial)?.hasMore)
      .map((serial) => [
        serial,
        { users: members.get(serial)?.users ?? [], stored: stored.get(serial) ?? {} },
      ]),
  );
}

/**
 * What is stored about the members of groups. Someone who was nobody when they were added, such as a user whom a provider
 * had deleted, may be a user by now. Those are members only if they have the tag.
 */
export async function otherMembersOf(
  tx: Executor,
  groups: readonly string[],
  seeing: Seeing,
): Promise<ReadonlyMap<string, StoredMembers>> {
  const stored = await storedMembersOf(tx, groups);
  const serials = [...stored.values()].flatMap((members) =>
    Object.entries(members).flatMap(([value, { isUser }]) => (!isUser && isSerial(value) ? value : [])),
  );
  if (serials.length === 0) return stored;
  const users = new Set(await seenAmong(tx, serials, seeing));
  const isOther = ([value, { isUser }]: [string, StoredMembers[string]]) => isUser || !users.has(value);
  return new Map(
    [...stored].map(([group, members]) => [
      group,
      Object.fromEntries(Object.entries(members).filter(isOther)),
    ]),
  );
}

/** What a change of members comes down to. */
interface ChangedUsers {
  readonly added: ReadonlySet<string>;
  readonly removed: readonly string[];
}

/** Runs in the transaction that changes the first users, or alone if none change. */
type Alongside = (tx: Executor, change: { readonly hasUsers: boolean }) => Promise<void>;

/** The users among the members that a request adds, by serial. */
export type MemberNames = ReadonlyMap<string, string>;

interface MemberUpdate {
  readonly tagSerial: string;
  readonly changes: MemberChanges;
  /** Whom the request may add and remove. Undefined for everyone. */
  readonly seeing: Seeing | undefined;
  readonly caller: Caller;
  alongside(tx: Executor, names: MemberNames, hasUsers: boolean): Promise<void>;
}

/**
 * Gives and takes the tag. Reads only those whom the request names, unless it removes all others. Few users change in one
 * transaction, all or none. More change in chunks, each on its own.
 */
export async function changeMembers(
  context: MatchingContext,
  { tagSerial, changes, seeing, caller, alongside }: MemberUpdate,
): Promise<Result<object>> {
  const { database, limits } = context;
  const { clears, added, removed } = changes;
  const named = [...added.keys(), ...removed].filter(isSerial);
  const known = seeing ? await possibleMembers(database.pool, tagSerial, named, seeing) : [];
  const names = new Map(known.flatMap(({ serial, name }) => (added.has(serial) ? [[serial, name]] : [])));
  // Of IDs of nobody, too. Counted before anything is locked.
  if (added.size - names.size > scimLimits.groupMembersKeptMax) return rejected(tooManyOthers());
  const first: ChangedUsers = {
    added: new Set(known.flatMap(({ serial, isMember }) => (added.has(serial) && !isMember ? serial : []))),
    removed: known.flatMap(({ serial, isMember }) => (removed.has(serial) && isMember ? serial : [])),
  };
  const run = (users: ChangedUsers, isFirst: boolean) =>
    changeUsers(context, tagSerial, users, caller, async (tx, { hasUsers }) => {
      if (isFirst) await alongside(tx, names, hasUsers);
    });
  if (!clears) return run(first, true);
  let after = firstSerial;
  let isFirst = true;
  for (;;) {
    const page = { after, limit: limits.matchingUsersMax };
    const holders = await snapshot(database, async (tx) =>
      listHolders(tx, tagSerial, await freshMembers(tx), page),
    );
    const others = holders.filter((serial) => !added.has(serial));
    const removed = seeing?.isOwn ? await seenAmong(database.pool, others, seeing) : others;
    const result = await run({ added: isFirst ? first.added : new Set(), removed }, isFirst);
    if (!result.ok || holders.length < page.limit) return result;
    after = holders.at(-1) ?? after;
    isFirst = false;
  }
}

async function changeUsers(
  context: MatchingContext,
  tagSerial: string,
  { added, removed }: ChangedUsers,
  caller: Caller,
  alongside: Alongside,
): Promise<Result<object>> {
  const serials = [...added, ...removed];
  if (serials.length === 0) return withoutUsers(context, (tx) => alongside(tx, { hasUsers: false }));
  const isAtomic = serials.length <= context.limits.bulkChunkItems;
  const update = {
    kind: 'update-matching',
    patch: {},
    tagPatchFor: (serial: string) =>
      added.has(serial) ? { addTagSerials: [tagSerial] } : { removeTagSerials: [tagSerial] },
    alongside: (tx: Executor) => alongside(tx, { hasUsers: true }),
    ...(isAtomic && {
      check: async (_tx: Executor, _changed: unknown, outcomes: readonly PlannedOutcome[]) =>
        rejectFailed(outcomes, serials),
    }),
  } as const;
  const result = await updateSelected(context, update, serials.map(accept), { caller, effects: false });
  if (!result.ok) return result;
  if (result.interruption !== undefined) throw result.interruption;
  const failures = failuresIn(result.outcomes, serials);
  const [problem] = failures;
  if (!problem) return { ok: true };
  const detail = `${problem.detail} ${serials.length - failures.length} other members have been changed, and ${failures.length} have not.`;
  return { ok: false, failure: { ...problem, detail } };
}

async function withoutUsers(
  { database }: MatchingContext,
  work: (tx: Executor) => Promise<void>,
): Promise<Result<object>> {
  try {
    await transaction(database, work);
    return { ok: true };
  } catch (error) {
    if (error instanceof CallRejected) return { ok: false, failure: error.failure };
    throw error;
  }
}

function rejectFailed(outcomes: readonly PlannedOutcome[], serials: readonly string[]): void {
  const [problem] = failuresIn(outcomes, serials);
  if (problem) throw new CallRejected(problem);
}

function failuresIn(
  outcomes: readonly ({ readonly ok: true } | { readonly ok: false; readonly failure: Failure })[],
  serials: readonly string[],
): Failure[] {
  return outcomes.flatMap((outcome, index) =>
    outcome.ok ? [] : memberFailure(serials[index] ?? '', outcome.failure),
  );
}

/** The provider knows users by their IDs. */
function memberFailure(serial: string, problem: Failure): Failure {
  switch (problem.error) {
    case 'USER_FIELD_INVALID':
      return scimFailure(
        failed(
          'invalidValue',
          `The user ${serial} cannot become a member: a user can be in at most ${fieldLimits.tagSerialsMaxCount} groups.`,
        ),
      );
    case 'USER_NOT_FOUND':
      return scimFailure(failed('invalidValue', `The user ${serial} has just been erased.`));
    default:
      return { ...problem, detail: `The user ${serial}: ${problem.reason ?? problem.detail}` };
  }
}
