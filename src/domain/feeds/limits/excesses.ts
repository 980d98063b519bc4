import {
  type Allowance,
  changesAllowance,
  countAllowances,
  emptiedAllowance,
  fixedLimit,
  learnedLimit,
  shareOf,
} from './allowances.js';
import { evidenceOf, evidenceRunsMin } from './evidence.js';
import { countOf, type ExplicitLimits } from './explicit-limits.js';
import type { ColumnsMoved, CountCode, CountFinding, Excess, FieldFinding } from './finding.js';
import type { PastRun, RunProfile } from './run-profile.js';

/** A run, and what it is compared with. */
export interface Comparison {
  readonly profile: RunProfile;
  readonly runs: readonly PastRun[];
  readonly isMonthTurn: boolean;
  readonly learn: boolean;
  readonly explicit: ExplicitLimits;
}

type Quantity = (profile: RunProfile) => number;

const ofUsers: Quantity = ({ users }) => users;
const counts: Readonly<Record<CountCode, { count: Quantity; of: Quantity; limit: keyof ExplicitLimits }>> = {
  DEACTIVATIONS: { count: ({ deactivated }) => deactivated, of: ofUsers, limit: 'deactivationsMax' },
  REACTIVATIONS: {
    count: ({ rehired, reactivated }) => rehired + reactivated,
    of: ofUsers,
    limit: 'reactivationsMax',
  },
  RENAMES: { count: ({ renamed }) => renamed, of: ofUsers, limit: 'renamesMax' },
  CREATES: { count: ({ created }) => created, of: ofUsers, limit: 'createsMax' },
  FAILURES: { count: ({ failed }) => failed, of: ({ rows }) => rows, limit: 'failuresMax' },
  WITHDRAWALS: { count: ({ withdrawn }) => withdrawn, of: ({ planned }) => planned, limit: 'withdrawalsMax' },
};
const countCodes = Object.keys(counts) as CountCode[]; // Object.keys forgets the type's keys

export function countFindings(comparison: Comparison): CountFinding[] {
  const { profile } = comparison;
  const isFirstRun = comparison.runs.length === 0;
  return countCodes.flatMap((code) => {
    const { count, of, limit } = counts[code];
    const excess = excessOf(comparison, comparison.runs, count, of(profile), countAllowances[code], limit);
    if (!excess) return [];
    return [{ code, isFirstRun, ...excess, ...(code === 'DEACTIVATIONS' && { missing: profile.missing }) }];
  });
}

/** What applies to the run, by the name of the explicit limit. A count without a limit is left out. */
export function countLimits(comparison: Comparison): Partial<Record<keyof ExplicitLimits, number>> {
  return Object.fromEntries(
    countCodes.flatMap((code) => {
      const { count, of, limit: name } = counts[code];
      const base = of(comparison.profile);
      const { limit } = limitFor(comparison, comparison.runs, count, base, countAllowances[code], name);
      return Number.isFinite(limit) ? [[name, Math.floor(limit)]] : [];
    }),
  );
}

/** The share of users for which several fields change if columns have moved. A reorganization stays below it. */
const movedPercent = 50;

export function fieldFindings(comparison: Comparison): (FieldFinding | ColumnsMoved)[] {
  const { users } = comparison.profile;
  const emptied = excessiveFields(comparison, 'FIELD_EMPTIED');
  // A value that becomes empty also changes.
  const changed = excessiveFields(comparison, 'FIELD_CHANGES').filter(
    ({ field }) => !emptied.some((other) => other.field === field),
  );
  const moved = changed.filter(({ actual }) => actual * 100 > movedPercent * users);
  if (moved.length < 2) return [...emptied, ...changed];
  const others = changed.filter((finding) => !moved.includes(finding));
  return [{ code: 'COLUMNS_MOVED', fields: moved, of: users }, ...emptied, ...others];
}

/** A field is compared with the runs that had it, because a new column fills it for everyone. */
function excessiveFields(comparison: Comparison, code: FieldFinding['code']): FieldFinding[] {
  const { profile, runs } = comparison;
  const fields = Object.keys(code === 'FIELD_EMPTIED' ? profile.emptied : profile.changed);
  return fields.flatMap((field) => {
    const runsWithField = runs.filter(({ profile: { columns } }) => field in columns);
    const allowance = code === 'FIELD_EMPTIED' ? emptiedAllowance : changesAllowance(field);
    const limit = code === 'FIELD_EMPTIED' ? 'emptiedMax' : 'changesMax';
    const count: Quantity = ({ emptied, changed }) =>
      (code === 'FIELD_EMPTIED' ? emptied : changed)[field] ?? 0;
    const excess = excessOf(comparison, runsWithField, count, profile.users, allowance, limit);
    const column = profile.columns[field];
    return excess ? [{ code, field, ...(column && { column }), ...excess }] : [];
  });
}

function excessOf(
  comparison: Comparison,
  runs: readonly PastRun[],
  count: Quantity,
  of: number,
  allowance: Allowance,
  limitName: keyof ExplicitLimits,
): Excess | undefined {
  const actual = count(comparison.profile);
  const applied = limitFor(comparison, runs, count, of, allowance, limitName);
  return actual <= applied.limit ? undefined : { actual, of, ...applied };
}

function limitFor(
  { isMonthTurn, learn, explicit }: Comparison,
  runs: readonly PastRun[],
  count: Quantity,
  of: number,
  allowance: Allowance,
  limitName: keyof ExplicitLimits,
): Pick<Excess, 'limit' | 'source' | 'usual' | 'highest'> {
  const own = explicit[limitName];
  const isUsual = learn && runs.length >= evidenceRunsMin;
  const evidence = isUsual ? evidenceOf(runs, count) : undefined;
  const past = evidence && { usual: evidence.median, highest: evidence.highest };
  if (own !== undefined) return { limit: countOf(own, of), source: 'explicit', ...past };
  const fixed = fixedLimit(shareOf(allowance, runs.length, isUsual, isMonthTurn), of);
  const learned = evidence ? learnedLimit(evidence) : 0;
  return { limit: Math.max(fixed, learned), source: learned > fixed ? 'learned' : 'fixed', ...past };
}
