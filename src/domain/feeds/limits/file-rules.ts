import { fewOf } from './allowances.js';
import { countOf, type ExplicitLimits, type Limit } from './explicit-limits.js';
import type { ChangesReverted, FileSeenBefore, LimitSource, RowsFinding } from './finding.js';
import type { PastRun, RunProfile } from './run-profile.js';

/** One or two corrections can lead back to an earlier file. */
const revertedMin = 3;

/** The file of the last run again is what a holiday looks like. */
export function fileSeenBefore(profile: RunProfile, history: readonly PastRun[]): FileSeenBefore[] {
  const { fileSeenBefore: seen, created, rehired, updated, renamed, deactivated, reactivated } = profile;
  const last = history.at(-1);
  const changes = created + rehired + updated + renamed + deactivated + reactivated;
  if (!seen || !last || changes < revertedMin || Date.parse(seen.at) >= Date.parse(last.at)) return [];
  return [{ code: 'FILE_SEEN_BEFORE', at: seen.at }];
}

/**
 * An older file mostly takes back changes, and among them those of the last run. A night on which people correct mistakes
 * takes back only some of them.
 */
export function changesReverted(profile: RunProfile, history: readonly PastRun[]): ChangesReverted[] {
  const { reverted: actual, rehired, updated, renamed, reactivated } = profile;
  const of = rehired + updated + renamed + reactivated;
  const lastChanges = history.map((run) => revertible(run.profile)).findLast((count) => count > 0) ?? 0;
  if (actual < revertedMin || actual <= of / 2 || actual <= lastChanges / 2) return [];
  return [{ code: 'CHANGES_REVERTED', actual, of }];
}

function revertible({ updated, deactivated }: RunProfile): number {
  return updated + deactivated;
}

const recentRunsMax = 10;
/** So far below or above the rows of recent runs. */
const slackPercent = 10;

export function rowsFindings(
  profile: RunProfile,
  history: readonly PastRun[],
  explicit: ExplicitLimits,
): RowsFinding[] {
  const { rows: actual } = profile;
  const { low, high } = rowsBounds(profile, history, explicit);
  const usual = history.at(-1)?.profile.rows;
  const about = { actual, ...(usual !== undefined && { usual }) };
  return [
    ...(low && actual < low.limit ? [{ code: 'ROWS_BELOW' as const, ...about, ...low }] : []),
    ...(high && actual > high.limit ? [{ code: 'ROWS_ABOVE' as const, ...about, ...high }] : []),
  ];
}

/** Approved runs count like all others, so that nobody has to approve the rows of a merger every night. */
function rowsBounds(
  { users }: RunProfile,
  history: readonly PastRun[],
  { rowsMin, rowsMax }: ExplicitLimits,
) {
  const recent = history.slice(-recentRunsMax).map(({ profile }) => profile.rows);
  const [least, most] = [Math.min(...recent), Math.max(...recent)];
  return {
    low: bound(rowsMin, users, recent.length === 0 ? undefined : least - slackOf(least)),
    high: bound(rowsMax, users, recent.length === 0 ? undefined : most + slackOf(most)),
  };
}

/** How few and how many rows the file may have. */
export function rowsLimits(...about: Parameters<typeof rowsBounds>): { rowsMin?: number; rowsMax?: number } {
  const { low, high } = rowsBounds(...about);
  return {
    ...(low && { rowsMin: Math.ceil(low.limit) }),
    ...(high && { rowsMax: Math.floor(high.limit) }),
  };
}

function slackOf(rows: number): number {
  return Math.max(fewOf(rows), Math.floor((rows * slackPercent) / 100));
}

function bound(
  explicit: Limit | undefined,
  users: number,
  learned: number | undefined,
): { limit: number; source: LimitSource } | undefined {
  if (explicit !== undefined) return { limit: countOf(explicit, users), source: 'explicit' };
  return learned === undefined ? undefined : { limit: learned, source: 'learned' };
}
