import type { Failure } from '../../contract/errors.js';
import {
  type ActivityFilters,
  type ActivityPosition,
  type CallGroup,
  countMatchingChanges,
  type Decision,
  type FoundDecision,
  type FoundEdit,
  type FoundInCall,
  listCallGroups,
  listDecisions,
  listDirectoryEdits,
  listSingleChanges,
  newest,
  type Period,
  type Searched,
  type SingleChange,
} from '../../storage/changes/activity.js';
import { type CallActor, type StatusCounts, statusColumns } from '../../storage/changes/calls.js';
import type { Change } from '../../storage/changes/changes.js';
import type { DirectoryEdit } from '../../storage/changes/directory-edits.js';
import type { Database, Executor } from '../../storage/database.js';
import { type Actor, scopeProblem } from '../caller.js';
import {
  fingerprintOf,
  invalidCursor,
  type Page,
  type PageRequest,
  readCursor,
  writeCursor,
} from '../cursor.js';

export interface ActivityCounts extends StatusCounts {
  readonly changed: number;
  readonly failed: number;
}

export interface ActivityEntry {
  readonly id: string;
  readonly at: string;
  readonly finishedAt: string | null;
  readonly actor: CallActor | null;
  readonly requestId: string | null;
  readonly counts: ActivityCounts;
  readonly calls: ActivityCalls | null;
  readonly change: Change | null;
  readonly decision: Decision | null;
  readonly edit: DirectoryEdit | null;
}

interface ActivityCalls
  extends Pick<
    CallGroup,
    'kind' | 'state' | 'undoes' | 'undone' | 'replaces' | 'source' | 'note' | 'patch' | 'items'
  > {
  readonly ids: readonly string[];
  readonly count: number;
}

/** What one request examines at most, so that it takes a fraction of a second however long the log is. */
const groupsSearched = 200;
const singlesSearched = 10_000;
const changesCounted = 20_000;
const changesCountedPerCall = 10_000;

/**
 * What happened, newest first: the bulk calls of a request as one entry, single changes, what was decided about calls to
 * come, and edits of organizations and tags. Only those who may read changes see single ones, and may filter by what changed.
 */
export async function listActivity(
  { pool }: Database,
  { since, until, ...filters }: ActivityFilters & Period,
  { limit, cursor }: PageRequest,
  actor: Pick<Actor, 'kind' | 'scopes'>,
): Promise<Page<ActivityEntry> | { readonly ok: false; readonly failure: Failure }> {
  const { actorId, ...byChange } = filters;
  const isByChange = Object.values(byChange).some((value) => value !== undefined);
  const denied = scopeProblem(actor, 'audit:read');
  if (isByChange && denied) return { ok: false, failure: denied };
  const seesChanges = denied === undefined;
  const fingerprint = fingerprintOf(
    'activity',
    seesChanges,
    Object.entries({ ...filters, since, until }).sort(),
  );
  const after = cursor === undefined ? newest : positionIn(readCursor(cursor, fingerprint));
  if (!after) return invalidCursor();
  const period = { ...(since !== undefined && { since }), ...(until !== undefined && { until }) };
  const isSearch = isByChange || actorId !== undefined;
  const rows = limit + 1;
  const groups = await countGroups(
    await listCallGroups(pool, { period, after, limit: isSearch ? groupsSearched : rows }),
    (group) => actorId === undefined || group.actor.id === actorId,
    isByChange,
    (ids) => countMatchingChanges(pool, ids, filters, changesCountedPerCall),
  );
  const singles: Searched<SingleChange> = seesChanges
    ? await listSingleChanges(pool, {
        ...{ filters, period, after, limit: rows },
        searched: isSearch ? singlesSearched : rows,
      })
    : { found: [], upTo: null };
  const others = isByChange ? nothing : await listOthers(pool, { actorId, period, after, limit: rows });
  return pageOf([groups, mapped(singles, entryOfChange), ...others], limit, (position) =>
    writeCursor(fingerprint, [String(position.atMicroseconds), position.callId, String(position.seq)]),
  );
}

const nothing: readonly Searched<Placed>[] = [];

/** What was decided about calls to come, and what became of organizations and tags. */
async function listOthers(
  executor: Executor,
  page: Parameters<typeof listDecisions>[1],
): Promise<readonly Searched<Placed>[]> {
  return [
    mapped(await listDecisions(executor, page), entryOfDecision),
    mapped(await listDirectoryEdits(executor, page), entryOfEdit),
  ];
}

function mapped<Found>(
  { found, upTo }: Searched<Found>,
  entryOf: (found: Found) => Placed,
): Searched<Placed> {
  return { found: found.map(entryOf), upTo };
}

function positionIn(parts: readonly string[] | undefined): ActivityPosition | undefined {
  const [at = '', callId = '', seq = '', ...more] = parts ?? [];
  const isValid = /^\d{1,16}$/.test(at) && /^[0-9a-f-]{36}$/.test(callId) && /^\d{1,16}$/.test(seq);
  return isValid && more.length === 0 ? { atMicroseconds: Number(at), callId, seq: Number(seq) } : undefined;
}

interface Placed {
  readonly position: ActivityPosition;
  readonly entry: ActivityEntry;
}

/** Counts what nobody has counted, or what a filter asks for, as far as one request may go. */
async function countGroups(
  { found, upTo }: Searched<CallGroup>,
  isWanted: (group: CallGroup) => boolean,
  isByChange: boolean,
  count: (callIds: readonly string[]) => Promise<ReadonlyMap<string, FoundInCall>>,
): Promise<Searched<Placed>> {
  const isCounted = ({ statuses }: CallGroup) => !isByChange && statuses !== null;
  const wanted = withinBudget(found.filter(isWanted), isCounted);
  const ids = wanted.groups.flatMap((group) => (isCounted(group) ? [] : group.callIds));
  const counts = await count(ids);
  return {
    found: wanted.groups.flatMap((group) => {
      const own = group.callIds.flatMap((id) => counts.get(id) ?? []);
      if (isByChange && own.length === 0) return [];
      return { position: group.position, entry: entryOfGroup(group, countsOf(group, own, isByChange)) };
    }),
    upTo: wanted.isCut ? (wanted.groups.at(-1)?.position ?? null) : upTo,
  };
}

/** At least one, so that the next request goes on after it. */
function withinBudget(groups: readonly CallGroup[], isCounted: (group: CallGroup) => boolean) {
  let sum = 0;
  const end = groups.findIndex((group, index) => {
    if (!isCounted(group)) sum += Math.min(group.changes, changesCountedPerCall * group.callIds.length);
    return index > 0 && sum > changesCounted;
  });
  return end === -1 ? { groups, isCut: false } : { groups: groups.slice(0, end), isCut: true };
}

function countsOf(group: CallGroup, own: readonly FoundInCall[], isByChange: boolean): ActivityCounts {
  const sumOf = (name: keyof FoundInCall) => own.reduce((sum, found) => sum + found[name], 0);
  const statuses =
    isByChange || group.statuses === null
      ? {
          ...{ created: sumOf('created'), reactivated: sumOf('reactivated') },
          ...{ deactivated: sumOf('deactivated'), removed: sumOf('removed') },
        }
      : group.statuses;
  const changes = isByChange ? sumOf('changes') : group.changes;
  const counted = statusColumns.reduce((sum, name) => sum + statuses[name], 0);
  return {
    ...statuses,
    changed: Math.max(0, changes - counted),
    failed: isByChange ? 0 : group.failed,
  };
}

function entryOfGroup(group: CallGroup, counts: ActivityCounts): ActivityEntry {
  const { id, at, finishedAt, actor, requestId, callIds, callCount } = group;
  const { kind, state, items, undoes, undone, replaces, source, note, patch } = group;
  return {
    ...{ id, at, finishedAt, actor, requestId, counts },
    calls: {
      kind,
      state,
      ids: callIds,
      count: callCount,
      items,
      undoes,
      undone,
      replaces,
      source,
      note,
      patch,
    },
    ...{ change: null, decision: null, edit: null },
  };
}

function entryOfChange({ position, change }: SingleChange): Placed {
  const { sequence, at, actor, requestId } = change;
  const counts = { ...noCounts, [effectOf(change)]: 1 };
  const entry = { id: String(sequence), at, finishedAt: at, actor, requestId, counts };
  return { position, entry: { ...entry, calls: null, change, decision: null, edit: null } };
}

const noCounts: ActivityCounts = {
  ...{ created: 0, reactivated: 0, deactivated: 0, removed: 0, changed: 0, failed: 0 },
};

function entryOfDecision({ position, at, actor, requestId, decision }: FoundDecision): Placed {
  const id = `${decision.callId}:${decision.kind}`;
  const entry = { id, at, finishedAt: at, actor, requestId, counts: noCounts };
  return { position, entry: { ...entry, calls: null, change: null, decision, edit: null } };
}

function entryOfEdit({ position, id, at, actor, requestId, edit }: FoundEdit): Placed {
  const entry = { id, at, finishedAt: at, actor, requestId, counts: noCounts };
  return { position, entry: { ...entry, calls: null, change: null, decision: null, edit } };
}

/** The same for changes of calls: `countMatchingChanges`. */
function effectOf({ kind, fields }: Change): keyof ActivityCounts {
  if (kind === 'created') return 'created';
  if (kind === 'deleted' || kind === 'erased') return 'removed';
  if (kind === 'rehired' || fields.isActive?.after === true) return 'reactivated';
  return fields.isActive?.after === false ? 'deactivated' : 'changed';
}

/** Of all lists, what is certainly complete. */
function pageOf(
  lists: readonly Searched<Placed>[],
  limit: number,
  cursorAt: (position: ActivityPosition) => string,
): Page<ActivityEntry> {
  const ends = lists.flatMap(({ upTo }) => upTo ?? []).sort(newestFirst);
  const [end] = ends;
  const merged = lists
    .flatMap(({ found }) => found)
    .filter(({ position }) => !end || newestFirst(position, end) <= 0)
    .sort((a, b) => newestFirst(a.position, b.position));
  const shown = merged.slice(0, limit);
  const next = merged.length > limit ? shown.at(-1)?.position : end;
  return { ok: true, items: shown.map(({ entry }) => entry), nextCursor: next ? cursorAt(next) : null };
}

function newestFirst(a: ActivityPosition, b: ActivityPosition): number {
  if (a.atMicroseconds !== b.atMicroseconds) return b.atMicroseconds - a.atMicroseconds;
  if (a.callId !== b.callId) return a.callId < b.callId ? 1 : -1;
  return b.seq - a.seq;
}
