import { evidenceRunsMax } from '../../src/domain/feeds/limits/evidence.js';
import type { Finding } from '../../src/domain/feeds/limits/finding.js';
import { judge } from '../../src/domain/feeds/limits/judge.js';
import type { PastRun, RunProfile } from '../../src/domain/feeds/limits/run-profile.js';
import { Company, isAnnounced, type NightKind } from './company.js';
import { Dice } from './dice.js';
import { faults, isHarmful } from './faults.js';
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
  runs: number;
  stopped: number;
  /** How many runs each finding stopped. */
  readonly by: Map<Finding['code'], number>;
}

export interface Tallies {
  readonly nights: Map<NightKind, Tally>;
  readonly faults: Map<string, Tally>;
}

/** By the first night, a company has been observed long enough for limits to be learned. */
const faultsFromNight = 10;
const keptSheets = 30;

/** Runs a feed every night. Faults are judged and never applied; a good night that is stopped is approved at once. */
export function simulate({ employees, nights, seed, faultsPerNight }: Simulation, tallies: Tallies): void {
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
      for (const [name, faulty] of Object.entries(faults)) {
        if (!dice.chance(faultsPerNight)) continue;
        const file = faulty({ sheet, earlier, stranger, dice });
        if (isHarmful(file, sheet, earlier.at(-1) ?? sheet))
          count(tallies.faults, name, judged(profileOf(file)));
      }
    }
    const profile = profileOf(sheet);
    const findings = judged(profile);
    count(tallies.nights, kind, findings);
    users.apply(sheet, night);
    seen.set(fingerprint(sheet), at);
    earlier.push(sheet);
    if (earlier.length > keptSheets) earlier.shift();
    history = [...history, { profile, at, wasApproved: findings.length > 0 }].slice(-evidenceRunsMax);
  }
}

function count<Kind>(tallies: Map<Kind, Tally>, kind: Kind, findings: readonly Finding[]): void {
  const tally = tallies.get(kind) ?? { runs: 0, stopped: 0, by: new Map() };
  tallies.set(kind, tally);
  tally.runs++;
  if (findings.length > 0) tally.stopped++;
  for (const code of new Set(findings.map((finding) => finding.code)))
    tally.by.set(code, (tally.by.get(code) ?? 0) + 1);
}
