import type { PatchPart } from '../../contract/calls.js';
import type { CallKind } from '../../contract/enums.js';
import { type Failure, failure } from '../../contract/errors.js';
import { tagSerialsField } from '../../contract/fields.js';
import type { StoredUser } from '../../contract/users.js';
import type { SerialReplacement } from '../../storage/changes/calls.js';
import { type Executor, snapshot } from '../../storage/database.js';
import { matchingSerials } from '../../storage/users/count-users.js';
import { managerLine, reportingLines } from '../../storage/users/managers.js';
import { lockUsers, readUsers } from '../../storage/users/read-users.js';
import {
  type AttributeFacts,
  attributeFacts,
  loadAttributes,
  withoutOutdated,
} from '../attributes/attribute-facts.js';
import { CallRejected, type Preview } from '../bulk/call-errors.js';
import { emptyNameHistory, extendNameHistory } from '../bulk/name-history.js';
import { type ItemOutcome, toItemOutcomes, type WithEmployeeIds } from '../bulk/outcomes.js';
import type { PlannedOutcome, Transition } from '../bulk/plan.js';
import { type BulkContext, type CallRequest, type CallResult, completed, runCall } from '../bulk/run-call.js';
import { type SafetyLimit, type SafetyLimitContext, safetyLimitFor } from '../bulk/safety-limit.js';
import type { Stages } from '../bulk/stages.js';
import type { Caller } from '../caller.js';
import { accept, itemFailure, type Parsed, reject } from '../read-fields.js';
import { yieldToEventLoop } from '../yield-to-event-loop.js';
import { administratorsFor, mayRemoveAdministrator, roleFactsOf } from './administrators.js';
import { applyUpdates, prepareUpdates } from './apply-updates.js';
import { type DirectoryContext, unknownSerialIn } from './known-serials.js';
import { type MatchFilters, matchingUsers } from './matching-users.js';
import { managerNotFound, noReportingLines, type ReportingLines } from './plans/managers.js';
import type { RoleFacts } from './plans/protected-users.js';
import { planUpdates, type UpdatePlan } from './plans/sequential-plan.js';
import { changeFor, partsOf, type UserPatch } from './plans/user-patch.js';
import type { NoticeSettings } from './update-consequences.js';
import type { BulkChange } from './user-rules.js';

export interface MatchingContext extends BulkContext, SafetyLimitContext, DirectoryContext, NoticeSettings {
  /** Whether a call beyond the safety limit waits for approval instead of being rejected. */
  readonly safetyApproval: boolean;
}

export interface MatchingUpdate {
  readonly kind: CallKind;
  readonly filters: MatchFilters;
  /** The same as a query, for whoever approves the call. */
  readonly filterQuery?: string;
  readonly patch: UserPatch;
  readonly replaces?: SerialReplacement;
  /** Runs in the transaction that changes the first users. */
  alongside?(tx: Executor): Promise<void>;
}

/** What the update sets, to be kept with the call. The kinds of other calls say it. */
export async function patchPartsOf(
  { database }: Pick<MatchingContext, 'database'>,
  { kind, patch }: MatchingUpdate,
): Promise<readonly PatchPart[] | null> {
  if (kind !== 'update-matching') return null;
  return partsOf(patch, patch.attributes ? (await loadAttributes(database.pool)).all : []);
}

/**
 * Applies a patch to every user who matches when the call starts, each once, whether or not the patch changes who
 * matches. A user who has been changed since is patched as they are then.
 */
export async function updateMatching(
  context: MatchingContext,
  update: MatchingUpdate,
  request: Pick<CallRequest, 'caller' | 'effects' | 'label'> & { readonly confirmed: number | undefined },
): Promise<WithEmployeeIds<CallResult>> {
  const { database, limits } = context;
  const { kind, filters, patch } = update;
  const unknown = await unknownIn(context, kind, patch);
  if (unknown) return { ok: false, failure: unknown };
  const matched = await snapshot(database, (tx) => matchedBy(tx, filters, limits.matchingUsersMax));
  if ('error' in matched) return { ok: false, failure: matched };
  const isConfirmed = matched.length === request.confirmed;
  const approvalLimit = await approvalLimitFor(context, patch, matched.length);
  if (!isConfirmed && !approvalLimit) return { ok: false, failure: unconfirmed(matched.length) };
  const check = async (tx: Executor, transitions: readonly Transition[]) => {
    await approvalLimit?.check(tx, transitions); // a call that needs approval need not be confirmed
    if (!isConfirmed) throw new CallRejected(unconfirmed(matched.length));
  };
  return updateSelected(context, approvalLimit ? { ...update, check } : update, matched.map(accept), request);
}

/** Undefined if the patch cannot deactivate so many users that someone else has to approve the call. */
async function approvalLimitFor(
  context: MatchingContext,
  { isActive }: UserPatch,
  matched: number,
): Promise<SafetyLimit | undefined> {
  if (!context.safetyApproval || isActive !== false) return undefined;
  return safetyLimitFor(context, matched, undefined);
}

interface SelectedUpdate extends Pick<MatchingUpdate, 'kind' | 'patch' | 'replaces' | 'alongside'> {
  /** Takes the place of the patch for users who get or lose other tags. */
  tagPatchFor?(serial: string): Pick<UserPatch, 'addTagSerials' | 'removeTagSerials'>;
  /** Decides over all users whether the call may run, which needs a single transaction. */
  check?(
    tx: Executor,
    transitions: readonly Transition[],
    outcomes: readonly PlannedOutcome[],
  ): Promise<void>;
}

/** Applies a patch to users given by their serials. */
export async function updateSelected(
  context: MatchingContext,
  update: SelectedUpdate,
  serials: readonly Parsed<string>[],
  request: Pick<CallRequest, 'caller' | 'effects' | 'claimed' | 'label'>,
): Promise<WithEmployeeIds<CallResult>> {
  const chunkItems = update.check ? Math.max(serials.length, 1) : context.limits.bulkChunkItems;
  const { kind, replaces } = update;
  const options = { ...request, kind, replaces, chunkItems };
  return completed(runCall(context, options, serials, selectedStages(context, update)));
}

export type MatchingPreview = WithEmployeeIds<Preview> &
  ({ readonly ok: true; readonly serials: readonly string[] } | { readonly ok: false });

/** Plans the update over one snapshot without writing or locking anything. */
export async function previewMatching(
  context: MatchingContext,
  { kind, filters, patch }: MatchingUpdate,
  caller: Caller,
): Promise<MatchingPreview> {
  const { database, limits } = context;
  const unknown = await unknownIn(context, kind, patch);
  if (unknown) return { ok: false, failure: unknown };
  return snapshot(database, async (tx): Promise<MatchingPreview> => {
    const matched = await matchedBy(tx, filters, limits.matchingUsersMax);
    if ('error' in matched) return { ok: false, failure: matched };
    const stages = selectedStages(context, { kind, patch });
    const outcomes: ItemOutcome[] = [];
    const employeeIDs: string[] = [];
    const deactivated = new Set<string>();
    const past = emptyNameHistory();
    for (let first = 0; first < matched.length; first += limits.bulkChunkItems) {
      const items = matched.slice(first, first + limits.bulkChunkItems).map(accept);
      const { roleFacts, ...facts } = await stages.read(tx, { first, items }, { caller, locks: false });
      await yieldToEventLoop();
      const administrators = roleFacts.administrators.filter(({ serial }) => !deactivated.has(serial));
      const current = { ...facts, roleFacts: { ...roleFacts, administrators } };
      const plan = await stages.plan({ first, items }, current, past);
      extendNameHistory(past, plan.nameHistory);
      outcomes.push(...toItemOutcomes(plan.outcomes, true));
      employeeIDs.push(...plan.employeeIDs);
      for (const serial of plan.status.deactivated) deactivated.add(serial);
    }
    return { ok: true, outcomes, employeeIDs, serials: matched };
  });
}

/** A rename or merge of the directory itself says what it means. */
async function unknownIn(
  context: MatchingContext,
  kind: CallKind,
  { organizationSerial, managerEmployeeID, addTagSerials }: UserPatch,
): Promise<Failure | undefined> {
  if (kind !== 'update-matching') return undefined;
  if (managerEmployeeID != null && !(await managerLine(context.database.pool, managerEmployeeID)))
    return managerNotFound(undefined, managerEmployeeID);
  return unknownSerialIn(context, { organizationSerial, tagSerials: addTagSerials });
}

async function matchedBy(tx: Executor, filters: MatchFilters, max: number): Promise<string[] | Failure> {
  const matching = await matchingUsers(tx, filters, { mayMiss: false });
  if ('error' in matching) return matching;
  const serials = await matchingSerials(tx, matching, max + 1);
  return serials.length > max ? tooMany(max) : serials;
}

interface SelectedFacts {
  readonly stored: readonly StoredUser[];
  readonly attributes: AttributeFacts;
  readonly roleFacts: RoleFacts;
  readonly lines: ReportingLines;
}

type SelectedPlan = UpdatePlan & { readonly employeeIDs: readonly string[] };

function selectedStages(
  context: MatchingContext,
  { patch, tagPatchFor, alongside, check }: SelectedUpdate,
): Stages<string, SelectedFacts, SelectedPlan> {
  return {
    employeeIdOf: () => '', // the plan tells
    read: async (tx, { items }, { caller, locks }) => {
      const patches = patch.attributes ? [patch.attributes] : [];
      const attributes = await attributeFacts(tx, patches, { caller, locks });
      const serials = [
        ...new Set([...items.flatMap((item) => (item.ok ? item.value : [])), ...attributes.holders]),
      ];
      const { managerEmployeeID } = patch;
      const employeeIDs = managerEmployeeID == null ? [] : [managerEmployeeID];
      const stored = await (locks ? lockUsers : readUsers)(tx, { employeeIDs, usernames: [], serials });
      const lines = managerEmployeeID == null ? noReportingLines : await reportingLines(tx, stored, locks);
      const administrators = mayRemoveAdministrator(patch) ? await administratorsFor(tx, stored, locks) : [];
      const roleFacts = await roleFactsOf(tx, stored, administrators, caller);
      return { stored, roleFacts, attributes, lines };
    },
    plan: ({ first, items: serials }, { stored, roleFacts, attributes, lines }, past) => {
      const { items: wanted, employeeIDs } = itemsFor(
        serials,
        stored,
        (serial) => ({ ...patch, ...tagPatchFor?.(serial) }),
        first,
      );
      const items = withoutOutdated(wanted, attributes, ({ change }) => change.attributes, first);
      const { definitions } = attributes;
      return {
        ...planUpdates({ first, items }, stored, past, { roleFacts, lines, attributes: definitions }),
        employeeIDs,
      };
    },
    check: async (tx, { changed, outcomes }) => check?.(tx, changed, outcomes),
    write: async (tx, plan, { facts, ...author }) => {
      await applyUpdates(tx, await prepareUpdates(context, plan, author, facts.attributes.definitions));
      if (author.isFirst) await alongside?.(tx);
    },
    changes: ({ changed }) => changed.length,
  };
}

/** The patch as an item for each user. */
function itemsFor(
  serials: readonly Parsed<string>[],
  stored: readonly StoredUser[],
  patchFor: (serial: string) => UserPatch,
  first: number,
): { readonly items: Parsed<BulkChange>[]; readonly employeeIDs: string[] } {
  const bySerial = new Map(stored.map((user) => [user.serial, user]));
  const users = serials.map((serial) => (serial.ok ? bySerial.get(serial.value) : undefined));
  const items = serials.map((serial, index): Parsed<BulkChange> => {
    if (!serial.ok) return serial;
    const user = users[index];
    const position = first + index;
    if (!user) return { ok: false, failure: removed(position) };
    const change = changeFor(user, patchFor(user.serial));
    if (!tagSerialsField.accepts(change.tagSerials)) {
      return reject('USER_FIELD_INVALID', { position }, 'tagSerials', `must be ${tagSerialsField.rule}.`);
    }
    return accept({ targetEmployeeID: user.employeeID, change, creation: undefined });
  });
  return { items, employeeIDs: users.map((user) => user?.employeeID ?? '') };
}

function removed(position: number): Failure {
  return itemFailure('USER_NOT_FOUND', position, 'the user was removed after the call started.', {});
}

function tooMany(limit: number): Failure {
  return failure(
    'CALL_MATCHES_TOO_MANY',
    `More than ${limit.toLocaleString('en')} users would change, the limit of one call. Narrow down the filter, or ask the operator to raise ROLLCALL_MATCHING_USERS_MAX.`,
    { limit },
  );
}

export function unconfirmed(count: number): Failure {
  return failure(
    'CALL_CONFIRMATION_REQUIRED',
    `${count === 1 ? '1 user matches' : `${count.toLocaleString('en')} users match`}. Nothing was changed. To proceed, resend with ?confirm=${count}.`,
    { confirm: count },
  );
}
