import { evidenceRunsMax } from '../../src/domain/feeds/limits/evidence.js';
import type { Finding } from '../../src/domain/feeds/limits/finding.js';
import { judge } from '../../src/domain/feeds/limits/judge.js';
import type { PastRun, RunProfile } from '../../src/domain/feeds/limits/run-profile.js';
import { Company, isAnnounced, type NightKind } from './company.js';
import { Dice } from './dice.js';
import { type FaultName, faultNames, faults, isHarmful } from './faults.js';
import { fingerprint, type Sheet } from './sheet.js';
import { SyncedUsers } from './synced-users.js';

export interface Simulation {
  readonly employees: number;
  readonly nights: number;
  readonly seed: number;
  /** How often each fault is injected into a copy of a night. */
  readonly faultsPerNight: number;
}

/** What the limits did with one kind of night or fault. */
export interface Tally {
  readonly runs: number;
  readonly stopped: number;
  /** How many runs each finding stopped. */
  readonly by: Readonly<Partial<Record<Finding['code'], number>>>;
}

export type Tallies = ReadonlyMap<NightKind | FaultName, Tally>;

/** A week and a few runs, so that limits are learned. */
const faultsFromNight = 10;
const keptSheets = 30;

/** Runs a feed every night. Faults are judged and never applied; a good night that is stopped is approved at once. */
export function simulate({ employees, nights, seed, faultsPerNight }: Simulation): Tallies {
  const tallies = new Map<NightKind | FaultName, Tally>();
  const company = new Company(employees, nights, seed);
  const dice = new Dice(seed + 1);
  const stranger = new Company(
    Math.round(employees * (0.7 + 0.6 * dice.next())),
    nights,
    seed + 2,
  ).nextNight().sheet;
  const users = new SyncedUsers();
  const seen = new Map<string, string>();
  const earlier: Sheet[] = [];
  let history: PastRun[] = [];
  for (let night = 0; night < nights; night++) {
    const { at, kind, sheet } = company.nextNight();
    const profileOf = (file: Sheet): RunProfile => {
      const lastSeen = seen.get(fingerprint(file));
      return users.profile(file, night, lastSeen === undefined ? null : { at: lastSeen });
    };
    const judged = (profile: RunProfile) => judge(profile, history, null, { at, learn: true });
    if (night >= faultsFromNight && !isAnnounced(kind)) {
      for (const name of faultNames) {
        if (!dice.chance(faultsPerNight)) continue;
        const file = faults[name]({ sheet, earlier, stranger, dice });
        if (isHarmful(file, sheet, earlier.at(-1) ?? sheet))
          add(tallies, name, tallyOf(judged(profileOf(file))));
      }
    }
    const profile = profileOf(sheet);
    const findings = judged(profile);
    add(tallies, kind, tallyOf(findings));
    users.apply(sheet, night);
    seen.set(fingerprint(sheet), at);
    earlier.push(sheet);
    if (earlier.length > keptSheets) earlier.shift();
    history = [...history, { profile, at, wasApproved: findings.length > 0 }].slice(-evidenceRunsMax);
  }
  return tallies;
}

export function sumOf(all: readonly Tallies[]): Tallies {
  const sum = new Map<NightKind | FaultName, Tally>();
  for (const tallies of all) for (const [kind, tally] of tallies) add(sum, kind, tally);
  return sum;
}

function tallyOf(findings: readonly Finding[]): Tally {
  const by = Object.fromEntries(findings.map(({ code }) => [code, 1]));
  return { runs: 1, stopped: findings.length > 0 ? 1 : 0, by };
}

function add(sum: Map<NightKind | FaultName, Tally>, kind: NightKind | FaultName, tally: Tally): void {
  const { runs, stopped, by } = sum.get(kind) ?? { runs: 0, stopped: 0, by: {} };
  const codes = [...new Set([...Object.keys(by), ...Object.keys(tally.by)])] as Finding['code'][]; // of both
  sum.set(kind, {
    runs: runs + tally.runs,
    stopped: stopped + tally.stopped,
    by: Object.fromEntries(codes.map((code) => [code, (by[code] ?? 0) + (tally.by[code] ?? 0)])),
  });
}
