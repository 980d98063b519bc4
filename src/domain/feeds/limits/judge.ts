import { comparableRuns, isMonthTurn } from './evidence.js';
import { type Comparison, countFindings, countLimits, fieldFindings } from './excesses.js';
import type { ExplicitLimits } from './explicit-limits.js';
import { changesReverted, fileSeenBefore, rowsFindings, rowsLimits } from './file-rules.js';
import type { Finding } from './finding.js';
import type { PastRun, RunProfile } from './run-profile.js';

export interface JudgeOptions {
  /** When the run takes place, as an ISO time. */
  readonly at: string;
  /** Whether limits follow past runs. Otherwise, those of the first runs stay. */
  readonly learn: boolean;
}

/** Why a run must wait for a person; empty if it can go on. The latest past run is the last. */
export function judge(
  profile: RunProfile,
  history: readonly PastRun[],
  explicit: ExplicitLimits | null,
  options: JudgeOptions,
): Finding[] {
  const comparison = comparisonOf(profile, history, explicit, options);
  const { learn } = options;
  return [
    ...fileSeenBefore(profile, history),
    ...changesReverted(profile, history),
    ...rowsFindings(profile, learn ? history : [], explicit ?? {}),
    ...countFindings(comparison),
    ...fieldFindings(comparison),
  ];
}

/** By the names of explicit limits, those that applied to a run. Limits of single fields are not among them. */
export type AppliedLimits = Readonly<Partial<Record<keyof ExplicitLimits, number>>>;

/** The limits that `judge` applies. */
export function limitsOf(
  profile: RunProfile,
  history: readonly PastRun[],
  explicit: ExplicitLimits,
  options: JudgeOptions,
): AppliedLimits {
  return {
    ...rowsLimits(profile, options.learn ? history : [], explicit),
    ...countLimits(comparisonOf(profile, history, explicit, options)),
  };
}

function comparisonOf(
  profile: RunProfile,
  history: readonly PastRun[],
  explicit: ExplicitLimits | null,
  { at, learn }: JudgeOptions,
): Comparison {
  return {
    profile,
    runs: comparableRuns(history, at),
    isMonthTurn: isMonthTurn(at),
    learn,
    explicit: explicit ?? {},
  };
}
