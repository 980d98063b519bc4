import { comparableRuns, isMonthTurn } from './evidence.js';
import { type Comparison, countFindings, fieldFindings } from './excesses.js';
import type { ExplicitLimits } from './explicit-limits.js';
import { changesReverted, fileSeenBefore, rowsFindings } from './file-rules.js';
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
  { at, learn }: JudgeOptions,
): Finding[] {
  const comparison: Comparison = {
    profile,
    runs: comparableRuns(history, at),
    isMonthTurn: isMonthTurn(at),
    learn,
    explicit: explicit ?? {},
  };
  return [
    ...fileSeenBefore(profile, history),
    ...changesReverted(profile, history),
    ...rowsFindings(profile, learn ? history : [], explicit ?? {}),
    ...countFindings(comparison),
    ...fieldFindings(comparison),
  ];
}
