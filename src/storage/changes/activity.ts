import {
  type CallEffects,
  callEffects,
  callEffectsCountedMax,
  type PatchPart,
} from '../../contract/calls.js';
import { type CallKind, type DecisionKind, waitingStates } from '../../contract/enums.js';
import type { Executor } from '../database.js';
import { plainArray, whereAll } from '../sql.js';
import {
  type Call,
  type CallActor,
  state as callState,
  isRejected,
  lastWorkingDay,
  type Plan,
  type StatusCounts,
  statusColumns,
  subjectColumns,
} from './calls.js';
import {
  type Change,
  type ChangeFilters,
  type ChangeRow,
  changeColumns,
  changeConditions,
  changeOf,
  changesOfOneCall,
} from './changes.js';
import type { DirectoryEdit } from './directory-edits.js';

/** Which changes belong to the list. */
export type ActivityFilters = Pick<ChangeFilters, 'actorId' | 'field' | 'kind' | 'organizationSerial'>;

/** A place in the list, newest first. At one time, calls come before single changes. */
export interface ActivityPosition {
  readonly atMicroseconds: number;
  /** After all calls: zeros. */
  readonly callId: string;
  /** Before all single changes: the highest number. */
  readonly seq: number;
}

const noCall = '00000000-0000-0000-0000-000000000000';
const beforeChanges = Number.MAX_SAFE_INTEGER;
export const newest: ActivityPosition = {
  ...{ atMicroseconds: beforeChanges, callId: noCall, seq: beforeChanges },
};

const microseconds = (time: string) => `(extract(epoch FROM ${time}) * 1000000)::bigint::float8`;
const timeOf = (parameter: string) =>
  `(timestamptz 'epoch' + ${parameter}::bigint * interval '1 microsecond')`;

export interface Period {
  readonly since?: string;
  readonly until?: string;
}

/** What was found, and up to where that is everything. Null if there is nothing beyond. */
export interface Searched<Found> {
  readonly found: readonly Found[];
  readonly upTo: ActivityPosition | null;
}

/** The bulk calls of one request that ran on one day. */
export interface CallGroup {
  /** Of the first call. */
  readonly id: string;
  readonly position: ActivityPosition;
  readonly at: string;
  readonly finishedAt: string | null;
  readonly kind: string;
  readonly state: string;
  readonly actor: CallActor;
  readonly requestId: string;
  readonly source: string | null;
  readonly note: string | null;
  readonly patch: readonly PatchPart[] | null;
  readonly undoes: string | null;
  readonly replaces: Call['replaces'];
  readonly undone: Call['undone'];
  readonly callIds: readonly string[];
  readonly callCount: number;
  readonly items: number;
  readonly failed: number;
  readonly changes: number;
  /** Null if nobody has counted. */
  readonly statuses: StatusCounts | null;
}

interface GroupRow extends Omit<CallGroup, 'position' | 'at' | 'finishedAt' | 'statuses'>, NullableCounts {
  readonly at: Date;
  readonly finishedAt: Date | null;
  readonly atMicroseconds: number;
}

type NullableCounts = { readonly [Name in keyof StatusCounts]: number | null };

const hasRun = (call: string) =>
  `${call}.state NOT IN (${[...waitingStates, 'cancelled', 'expired'].map((each) => `'${each}'`).join(', ')})`;

const isSameRequest = (call: string) =>
  `${call}.request_id = leader.request_id AND ${call}.actor_id = leader.actor_id
   AND ${call}.actor_kind = leader.actor_kind AND ${hasRun(call)}`;

/** Clients may send the same request ID every night. */
const day = `date_trunc('day', leader.started_at, 'UTC')`;

/** An import of a million rows is a hundred calls. */
const callIdsMax = 500;

/** Null if one of the calls was not counted. */
const summed = (column: string) =>
  `CASE WHEN count(${column}) = count(*) THEN sum(${column})::integer END AS ${column}`;

/** Newest first, by when they began. Rows of a feed that never became items of a call count as failed, too. */
export async function listCallGroups(
  executor: Executor,
  { period, after, limit }: { period: Period; after: ActivityPosition; limit: number },
): Promise<Searched<CallGroup>> {
  const { where, values } = whereAll(
    { 'leader.started_at >= ?': period.since, 'leader.started_at < ?': period.until },
    [limit, after.atMicroseconds, after.callId],
  );
  const { rows } = await executor.query<GroupRow>(
    `SELECT leader.id, leader.kind, leader.started_at AS at,
            ${microseconds('leader.started_at')} AS "atMicroseconds",
            json_build_object('kind', leader.actor_kind, 'id', leader.actor_id) AS actor,
            leader.request_id AS "requestId", leader.source, leader.note, leader.patch, leader.undoes,
            ${subjectColumns('leader')}, calls.*,
            greatest(calls.failed, (SELECT (counts -> 'kinds' ->> 'failed')::integer FROM feed_runs
               WHERE leader.actor_kind = 'feed' AND feed_runs.id::text = leader.request_id)) AS failed
     FROM calls AS leader CROSS JOIN LATERAL (
       SELECT (array_agg(id ORDER BY started_at, id))[1:${callIdsMax}]::text[] AS "callIds",
              count(*)::integer AS "callCount", max(finished_at) AS "finishedAt",
              CASE WHEN bool_or(state = 'running') THEN 'running' WHEN bool_or(state = 'interrupted') THEN 'interrupted'
                   ELSE 'done' END AS state,
              sum(items)::integer AS items, sum(failed)::integer AS failed, sum(changes)::integer AS changes,
              ${statusColumns.map(summed).join(', ')}
       FROM (SELECT id, started_at, finished_at, items, failed, changes, ${statusColumns.join(', ')},
                    ${callState} AS state
             FROM calls WHERE ${isSameRequest('calls')}
               AND started_at >= ${day} AND started_at < ${day} + interval '1 day') AS members) AS calls
     WHERE ${hasRun('leader')} AND ${where}
       AND (leader.started_at, leader.id) < (${timeOf('$2')}, $3::uuid)
       AND NOT EXISTS (SELECT FROM calls AS earlier WHERE ${isSameRequest('earlier')} AND earlier.started_at >= ${day}
                         AND (earlier.started_at, earlier.id) < (leader.started_at, leader.id))
     ORDER BY leader.started_at DESC, leader.id DESC LIMIT $1`,
    values,
  );
  const found = rows.map(groupOf);
  return { found, upTo: rows.length < limit ? null : (found.at(-1)?.position ?? null) };
}

function groupOf(row: GroupRow): CallGroup {
  const { at, finishedAt, atMicroseconds, created, reactivated, deactivated, removed, ...rest } = row;
  const isCounted = created !== null && reactivated !== null && deactivated !== null && removed !== null;
  return {
    ...rest,
    position: { atMicroseconds, callId: row.id, seq: beforeChanges },
    at: at.toISOString(),
    finishedAt: row.state === 'running' ? null : (finishedAt?.toISOString() ?? null),
    statuses: isCounted ? { created, reactivated, deactivated, removed } : null,
  };
}

export interface SingleChange {
  readonly position: ActivityPosition;
  readonly change: Change;
}

/** Changes that no bulk call made, newest first. Filters apply to the given number of changes. */
export async function listSingleChanges(
  executor: Executor,
  {
    filters,
    period,
    after,
    searched,
    limit,
  }: {
    readonly filters: ActivityFilters;
    readonly period: Period;
    readonly after: ActivityPosition;
    /** How many changes the filters are applied to. */
    readonly searched: number;
    readonly limit: number;
  },
): Promise<Searched<SingleChange>> {
  const { where, values } = whereAll({ 'at >= ?': period.since, 'at < ?': period.until }, [
    limit,
    searched,
    after.atMicroseconds,
    after.seq,
  ]);
  const { where: matching } = whereAll(changeConditions(filters), values);
  const { rows } = await executor.query<ChangeRow & PositionColumns & { endAt: number; endSeq: string }>(
    `WITH searched AS MATERIALIZED (
       SELECT changes.*, row_number() OVER (ORDER BY at DESC, seq DESC) AS place FROM changes
       WHERE call_id IS NULL AND user_serial IS NOT NULL AND ${where} AND (at, seq) < (${timeOf('$3')}, $4::bigint)
       ORDER BY at DESC, seq DESC LIMIT $2),
     ended AS (SELECT ${microseconds('at')} AS "endAt", seq AS "endSeq" FROM searched WHERE place = $2),
     matching AS (SELECT * FROM searched AS changes WHERE ${matching} ORDER BY at DESC, seq DESC LIMIT $1)
     SELECT ${changeColumns}, ${microseconds('at')} AS "atMicroseconds", ended.*
     FROM matching FULL JOIN ended ON true ORDER BY at DESC, seq DESC`,
    values,
  );
  const found = rows.flatMap(({ atMicroseconds, endAt: _, endSeq: __, ...row }) =>
    row.userSerial === null
      ? []
      : { position: { atMicroseconds, callId: noCall, seq: Number(row.sequence) }, change: changeOf(row) },
  );
  if (found.length === limit) return { found, upTo: found.at(-1)?.position ?? null };
  const [first] = rows;
  const isAll = first === undefined || first.endAt === null;
  return {
    found,
    upTo: isAll ? null : { atMicroseconds: first.endAt, callId: noCall, seq: Number(first.endSeq) },
  };
}

/** A call was planned for later, approved or cancelled. */
export interface Decision extends Pick<Call, 'items' | 'source' | 'note' | 'replaces' | 'undone' | 'patch'> {
  readonly kind: DecisionKind;
  readonly callId: string;
  readonly callKind: CallKind;
  readonly effectiveAt: string | null;
  readonly lastWorkingDay: string | null;
  readonly effects: Plan['effects'];
}

export interface FoundDecision {
  readonly position: ActivityPosition;
  readonly at: string;
  readonly actor: CallActor;
  readonly requestId: string;
  readonly decision: Decision;
}

interface DecisionRow extends Omit<Decision, 'effectiveAt'>, PositionColumns {
  readonly at: Date;
  readonly effectiveAt: Date | null;
  readonly actor: CallActor;
  readonly requestId: string;
}

interface PageBy {
  readonly actorId: string | undefined;
  readonly period: Period;
  readonly after: ActivityPosition;
  readonly limit: number;
}

/** Newest first. There are few planned calls, and they are kept as long as calls. */
export async function listDecisions(
  executor: Executor,
  { actorId, period, after, limit }: PageBy,
): Promise<Searched<FoundDecision>> {
  const { where, values } = whereAll(
    { 'at >= ?': period.since, 'at < ?': period.until, 'decision.actor_id = ?': actorId },
    [limit, after.atMicroseconds, after.callId],
  );
  const { rows } = await executor.query<DecisionRow>(
    `SELECT decision.kind, at, ${microseconds('at')} AS "atMicroseconds",
            json_build_object('kind', decision.actor_kind, 'id', decision.actor_id) AS actor,
            calls.id AS "callId", calls.kind AS "callKind", request_id AS "requestId", items,
            effective_at AS "effectiveAt", ${lastWorkingDay} AS "lastWorkingDay", source, note, patch, effects, ${subjectColumns('calls')}
     FROM planned_calls JOIN calls ON calls.id = call_id CROSS JOIN LATERAL (
       VALUES ('planned', created_at, calls.actor_kind, calls.actor_id),
              ('approved', approved_at, approver_kind, approver_id),
              (CASE WHEN ${isRejected} THEN 'rejected' ELSE 'cancelled' END, cancelled_at, canceller_kind, canceller_id))
       AS decision (kind, at, actor_kind, actor_id)
     WHERE at IS NOT NULL AND ${where} AND (at, calls.id) < (${timeOf('$2')}, $3::uuid)
     ORDER BY at DESC, calls.id DESC LIMIT $1`,
    values,
  );
  const found = rows.map(({ at, atMicroseconds, effectiveAt, actor, requestId, ...decision }) => ({
    ...{ at: at.toISOString(), actor, requestId },
    position: { atMicroseconds, callId: decision.callId, seq: beforeChanges },
    decision: { ...decision, effectiveAt: effectiveAt?.toISOString() ?? null },
  }));
  return { found, upTo: rows.length < limit ? null : (found.at(-1)?.position ?? null) };
}

export interface FoundEdit {
  readonly id: string;
  readonly position: ActivityPosition;
  readonly at: string;
  readonly actor: CallActor;
  readonly requestId: string;
  readonly edit: DirectoryEdit;
}

interface EditRow extends Omit<FoundEdit, 'position' | 'at' | 'edit'>, DirectoryEdit, PositionColumns {
  readonly at: Date;
}

/** Newest first. */
export async function listDirectoryEdits(
  executor: Executor,
  { actorId, period, after, limit }: PageBy,
): Promise<Searched<FoundEdit>> {
  const { where, values } = whereAll(
    { 'at >= ?': period.since, 'at < ?': period.until, 'actor_id = ?': actorId },
    [limit, after.atMicroseconds, after.callId],
  );
  const { rows } = await executor.query<EditRow>(
    `SELECT id, at, ${microseconds('at')} AS "atMicroseconds", directory, serial, kind, fields,
            json_build_object('kind', actor_kind, 'id', actor_id) AS actor, request_id AS "requestId"
     FROM directory_edits WHERE ${where} AND (at, id) < (${timeOf('$2')}, $3::uuid)
     ORDER BY at DESC, id DESC LIMIT $1`,
    values,
  );
  const found = rows.map(({ id, at, atMicroseconds, actor, requestId, ...edit }) => ({
    ...{ id, at: at.toISOString(), actor, requestId, edit },
    position: { atMicroseconds, callId: id, seq: beforeChanges },
  }));
  return { found, upTo: rows.length < limit ? null : (found.at(-1)?.position ?? null) };
}

interface PositionColumns {
  readonly atMicroseconds: number;
}

const effectOf = `CASE WHEN changes.kind = 'created' THEN 'created' WHEN changes.kind = 'rehired' THEN 'reactivated'
  WHEN changes.kind IN ('deleted', 'erased') THEN 'removed'
  WHEN changes.fields -> 'isActive' ->> 'after' = 'true' THEN 'reactivated'
  WHEN changes.fields -> 'isActive' ->> 'after' = 'false' THEN 'deactivated'
  WHEN changes.fields -> 'employeeID' IS NOT NULL THEN 'renamed' ELSE 'updated' END`;

const countOfEffect = (effect: string) =>
  `(count(*) FILTER (WHERE effect = '${effect}'))::integer AS ${effect}`;

export type FoundInCall = StatusCounts & { readonly changes: number };

/** What the changes of a call did. Undefined if there are too many to be counted. */
export async function countCallEffects(executor: Executor, callId: string): Promise<CallEffects | undefined> {
  const { rows } = await executor.query<CallEffects & { readonly counted: number }>(
    `SELECT count(*)::integer AS counted, ${callEffects.map(countOfEffect).join(', ')}
     FROM (SELECT ${effectOf} AS effect FROM ${changesOfOneCall('$1::uuid')}
           WHERE user_serial IS NOT NULL LIMIT $2) AS counted`,
    [callId, callEffectsCountedMax + 1],
  );
  const [row] = rows;
  if (!row || row.counted > callEffectsCountedMax) return undefined;
  const { counted: _, ...effects } = row;
  return effects;
}

/** How many changes of some calls match, and what they did. At most so many changes of a call are looked at. */
export async function countMatchingChanges(
  executor: Executor,
  callIds: readonly string[],
  filters: ActivityFilters,
  searched: number,
): Promise<ReadonlyMap<string, FoundInCall>> {
  if (callIds.length === 0) return new Map();
  const { where, values } = whereAll(changeConditions(filters), [plainArray(callIds), searched]);
  const { rows } = await executor.query<FoundInCall & { id: string }>(
    `SELECT call.id, count(*)::integer AS changes,
            ${statusColumns.map(countOfEffect).join(', ')}
     FROM unnest($1::uuid[]) AS call (id) CROSS JOIN LATERAL (
       SELECT ${effectOf} AS effect FROM (
         SELECT * FROM ${changesOfOneCall('call.id')} WHERE user_serial IS NOT NULL LIMIT $2) AS changes
       WHERE ${where}) AS matching
     GROUP BY call.id`,
    values,
  );
  return new Map(rows.map(({ id, ...found }) => [id, found]));
}
