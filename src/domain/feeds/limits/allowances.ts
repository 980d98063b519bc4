import type { Evidence } from './evidence.js';
import type { CountCode } from './finding.js';

/** What always goes through, in percent of all users, rows or planned changes. */
export interface Allowance {
  /** In a first run. */
  readonly first: number;
  /** In the runs after it, as long as nothing is usual yet. */
  readonly early: number;
  /** Later, even if it is more than usual. */
  readonly later: number;
  /** The same around the first of a month. */
  readonly monthTurn?: number;
}

const unlimited = Number.POSITIVE_INFINITY;

export const countAllowances: Readonly<Record<CountCode, Allowance>> = {
  DEACTIVATIONS: { first: 0, early: 10, later: 0.25, monthTurn: 4 },
  REACTIVATIONS: { first: 10, early: 10, later: 3 },
  RENAMES: { first: 5, early: 5, later: 1 },
  CREATES: { first: unlimited, early: 10, later: 5 },
  FAILURES: { first: 50, early: 50, later: 2 },
  WITHDRAWALS: { first: 10, early: 10, later: 10 },
};

/** One person's values change one by one. */
const personalFields: readonly string[] = ['name', 'username', 'email', 'phone'];
const personalAllowance: Allowance = { first: unlimited, early: 25, later: 2 };
/** All others describe work, which a reorganization changes for many at once. */
const workAllowance: Allowance = { first: unlimited, early: 50, later: 40 };

export function changesAllowance(field: string): Allowance {
  return personalFields.includes(field) ? personalAllowance : workAllowance;
}

export const emptiedAllowance: Allowance = { first: 10, early: 10, later: 2 };

export function shareOf(
  { first, early, later, monthTurn = later }: Allowance,
  runs: number,
  isUsual: boolean,
  isMonthTurn: boolean,
): number {
  if (runs === 0) return first;
  if (!isUsual) return early;
  return isMonthTurn ? monthTurn : later;
}

/** A share, and in small companies a few users. A share of 0 admits none at all. */
export function fixedLimit(share: number, base: number): number {
  if (share === 0 || share === unlimited) return share;
  return Math.max(fewOf(base), Math.floor((share * base) / 100));
}

/** Independent events exceed their mean by three standard deviations, its square root each, about once in two years. */
const spreads = 3;

/**
 * The most that past runs did, plus the spread of a count of that size. Past runs raise the limit no faster, so it follows
 * a company that grows, but not a fault.
 */
export function learnedLimit({ highest }: Evidence): number {
  return Math.floor(highest + spreads * Math.sqrt(highest));
}

/** In a small company, two leavers are a large share of it. */
export function fewOf(base: number): number {
  return Math.min(5, Math.max(2, Math.round(base / 10)));
}
