import type { PastRun, RunProfile } from './run-profile.js';

/** What past runs say about one quantity. */
export interface Evidence {
  readonly median: number;
  readonly highest: number;
}

/** Older runs say little about how a company works today. */
export const evidenceRunsMax = 60;
/** A week of nightly runs. With fewer, nothing is usual yet. */
export const evidenceRunsMin = 7;

/**
 * The runs that a run is compared with, the latest last. Many people join, move and leave around the first of a month, so
 * other nights are only compared with each other, as soon as there are enough of them.
 */
export function comparableRuns(history: readonly PastRun[], at: string): readonly PastRun[] {
  const recent = history.slice(-evidenceRunsMax);
  if (isMonthTurn(at)) return recent;
  const others = recent.filter((run) => !isMonthTurn(run.at));
  return others.length < evidenceRunsMin ? recent : others;
}

const msPerDay = 86_400_000;

/** The last day of a month up to the fourth of the next, which is the latest first working day after New Year. */
export function isMonthTurn(at: string): boolean {
  const day = new Date(at);
  const dayAfter = new Date(day.getTime() + msPerDay);
  return day.getUTCDate() <= 4 || dayAfter.getUTCDate() === 1;
}

/**
 * The highest value is that of the runs that went through by themselves, and the second highest of those that a person
 * approved: what was approved once, such as a new phone system, does not happen every night.
 */
export function evidenceOf(runs: readonly PastRun[], quantity: (profile: RunProfile) => number): Evidence {
  const values = runs.map(({ profile }) => quantity(profile));
  const passed = values.filter((_, index) => !runs[index]?.wasApproved);
  const approved = values.filter((_, index) => runs[index]?.wasApproved).sort((a, b) => b - a);
  return {
    median: medianOf(values),
    highest: Math.max(0, ...passed, approved[1] ?? 0),
  };
}

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}
