import { describe, expect, test } from 'vitest';
import type { ExplicitLimits } from '../../src/domain/feeds/limits/explicit-limits.js';
import { findingText } from '../../src/domain/feeds/limits/finding-text.js';
import { judge, limitsOf } from '../../src/domain/feeds/limits/judge.js';
import type { PastRun, RunProfile } from '../../src/domain/feeds/limits/run-profile.js';

const columns = {
  name: { number: 2, heading: 'Name' },
  phone: { number: 7, heading: 'Telefon' },
  'attributes.department': { number: 8, heading: '' },
};
const msPerDay = 86_400_000;
const ordinary = '2026-03-18T02:00:00.000Z';
const monthTurn = '2026-04-01T02:00:00.000Z';

function profile(changes: Partial<RunProfile> = {}): RunProfile {
  const { users = 800 } = changes;
  return {
    rows: users,
    users,
    created: 0,
    rehired: 0,
    updated: 0,
    renamed: 0,
    deactivated: changes.missing ?? 0,
    reactivated: 0,
    failed: 0,
    unchanged: users,
    missing: 0,
    planned: 0,
    withdrawn: 0,
    reverted: 0,
    changed: {},
    emptied: {},
    columns,
    fileSeenBefore: null,
    ...changes,
  };
}

/** Runs on the nights before a night, the latest last. */
function past(
  count: number,
  changes: Partial<RunProfile> = {},
  before = ordinary,
  wasApproved = false,
): PastRun[] {
  return Array.from({ length: count }, (_, index) => ({
    profile: profile(changes),
    at: new Date(Date.parse(before) - (count - index) * msPerDay).toISOString(),
    wasApproved,
  }));
}

function findings(
  changes: Partial<RunProfile>,
  history: readonly PastRun[] = past(10, changes.users === undefined ? {} : { users: changes.users }),
  {
    explicit = null,
    at = ordinary,
    learn = true,
  }: { explicit?: ExplicitLimits | null; at?: string; learn?: boolean } = {},
) {
  return judge(profile(changes), history, explicit, { at, learn });
}

const codes = (...args: Parameters<typeof findings>) => findings(...args).map(({ code }) => code);
const texts = (...args: Parameters<typeof findings>) => findings(...args).map(findingText);

describe('a first run', () => {
  test('can create everyone, and fill fields of users who exist', () => {
    expect(codes({ users: 0, rows: 800, created: 800 }, [])).toEqual([]);
    expect(codes({ changed: { phone: 800 } }, [])).toEqual([]);
  });

  test('waits before it deactivates anyone', () => {
    expect(texts({ missing: 1 }, [])).toEqual([
      '1 user would be deactivated (0.1% of 800). The file lacks 1 of them. A first run deactivates users only with approval.',
    ]);
  });

  test('waits if more than half of its rows fail', () => {
    expect(codes({ failed: 400 }, [])).toEqual([]);
    expect(texts({ failed: 401 }, [])).toEqual(['401 rows would fail (50.1% of 800). The limit is 400.']);
  });
});

describe('early runs', () => {
  test('have wider limits than later ones', () => {
    expect(codes({ missing: 80 }, past(6))).toEqual([]);
    expect(codes({ missing: 81 }, past(6))).toEqual(['DEACTIVATIONS']);
    expect(codes({ missing: 6 }, past(7))).toEqual(['DEACTIVATIONS']);
    expect(codes({ renamed: 41 }, past(1))).toEqual(['RENAMES']);
  });

  test('set the limits of all later ones if nothing is learned', () => {
    expect(codes({ missing: 80 }, past(60), { learn: false })).toEqual([]);
    expect(codes({ missing: 81 }, past(60, { missing: 90 }), { learn: false })).toEqual(['DEACTIVATIONS']);
    expect(codes({ rows: 300 }, past(60), { learn: false })).toEqual([]);
  });
});

describe('in a small company', () => {
  test.each([
    [10, 2],
    [40, 4],
    [60, 5],
  ])('a few of %i users always go through', (users, few) => {
    expect(codes({ users, missing: few, rows: users })).toEqual([]);
    expect(codes({ users, missing: few + 1, rows: users })).toEqual(['DEACTIVATIONS']);
  });
});

describe('what is usual', () => {
  test('raises the limit by the spread of such a count', () => {
    const history = past(10, { missing: 25 });
    expect(codes({ missing: 40 }, history)).toEqual([]);
    expect(findings({ missing: 41 }, history)).toEqual([
      expect.objectContaining({
        code: 'DEACTIVATIONS',
        limit: 40,
        usual: 25,
        highest: 25,
        source: 'learned',
      }),
    ]);
  });

  test('follows slow growth, and not a jump', () => {
    const growing = Array.from({ length: 60 }, (_, night) => past(1, { missing: 20 + 3 * night })).flat();
    for (let night = 10; night < 60; night++)
      expect(
        judge(growing[night]?.profile ?? profile(), growing.slice(0, night), null, {
          at: ordinary,
          learn: true,
        }),
      ).toEqual([]);
    expect(codes({ missing: 400 }, growing)).toEqual(['DEACTIVATIONS']);
  });

  test('is forgotten after 60 runs', () => {
    expect(codes({ missing: 25 }, [...past(1, { missing: 25 }), ...past(59)])).toEqual([]);
    expect(codes({ missing: 25 }, [...past(1, { missing: 25 }), ...past(60)])).toEqual(['DEACTIVATIONS']);
  });

  test('is not lowered by nights without changes', () => {
    const history = [...past(8, { changed: { phone: 30 } }), ...past(40)];
    expect(codes({ changed: { phone: 40 } }, history)).toEqual([]);
  });

  test('includes what was approved twice, and not what was approved once', () => {
    const approved = (count: number) => past(count, { changed: { phone: 790 } }, ordinary, true);
    expect(codes({ changed: { phone: 800 } }, [...past(10), ...approved(1)])).toEqual(['FIELD_CHANGES']);
    expect(codes({ changed: { phone: 800 } }, [...past(10), ...approved(2)])).toEqual([]);
  });

  test('around the first of a month is no measure for other nights', () => {
    const turn = past(1, { missing: 30 }, monthTurn);
    const others = past(20, {}, '2026-03-25T02:00:00.000Z');
    expect(codes({ missing: 30 }, [...others, ...turn], { at: monthTurn })).toEqual([]);
    expect(codes({ missing: 33 }, others, { at: monthTurn })).toEqual(['DEACTIVATIONS']);
    expect(codes({ missing: 30 }, [...others, ...turn], { at: '2026-04-16T02:00:00.000Z' })).toEqual([
      'DEACTIVATIONS',
    ]);
  });
});

describe('planned changes that the file no longer contains', () => {
  test('stop a run if they are more than a tenth of all, and more than a few', () => {
    expect(codes({ planned: 500, withdrawn: 50 })).toEqual([]);
    expect(texts({ planned: 500, withdrawn: 412 })).toEqual([
      'The file no longer plans 412 of 500 later changes, usually none. The limit is 50.',
    ]);
    expect(codes({ planned: 1, withdrawn: 1 })).toEqual([]);
    expect(codes({ planned: 12, withdrawn: 12 }, [])).toEqual(['WITHDRAWALS']);
  });

  test('have a limit of their own', () => {
    const explicit = { withdrawalsMax: 0 } as const;
    expect(codes({ planned: 1, withdrawn: 1 }, past(9), { explicit })).toEqual(['WITHDRAWALS']);
  });
});

describe('a field', () => {
  test('that belongs to one person has a lower limit than one that describes work', () => {
    expect(codes({ changed: { phone: 16, 'attributes.department': 320 } })).toEqual([]);
    expect(codes({ changed: { phone: 17 } })).toEqual(['FIELD_CHANGES']);
    expect(codes({ changed: { 'attributes.department': 321 } })).toEqual(['FIELD_CHANGES']);
  });

  test('that has moved is explained by its column', () => {
    expect(texts({ changed: { phone: 488 } }, past(10, { changed: { phone: 3 } }))).toEqual([
      'Phone changes for 61% of users (488 of 800), usually 0.4% and at most 0.4%. The limit is 16. Column 7 ("Telefon") may have moved.',
    ]);
  });

  test('that becomes empty is not reported as changed as well', () => {
    expect(texts({ changed: { phone: 600 }, emptied: { phone: 600 } })).toEqual([
      'Phone becomes empty for 75% of users (600 of 800), usually none. The limit is 16. Check column 7 ("Telefon").',
    ]);
  });

  test('that is new to the feed fills everyone', () => {
    const { phone: _, ...withoutPhone } = columns;
    expect(codes({ changed: { phone: 800 } }, past(20, { columns: withoutPhone }))).toEqual([]);
  });

  test('that changes for most users together with another means that columns have moved', () => {
    expect(texts({ changed: { name: 800, phone: 790, 'attributes.department': 10 } })).toEqual([
      'Name and Phone change for at least 98.8% of users at once. The columns of the file may have moved.',
    ]);
  });
});

describe('the file', () => {
  test('may have a tenth fewer or more rows than recent runs', () => {
    expect(codes({ rows: 720 })).toEqual([]);
    expect(codes({ rows: 880 })).toEqual([]);
    expect(texts({ rows: 719 })).toEqual([
      'The file has 719 rows. The last one had 800. Expected at least 720.',
    ]);
    expect(texts({ rows: 1_600 })).toEqual([
      'The file has 1,600 rows. The last one had 800. Expected at most 880.',
    ]);
  });

  test('grows with an approved merger, which is not reported again', () => {
    const merger = past(1, { rows: 1_000, created: 200 }, ordinary, true);
    expect(codes({ users: 1_000 }, [...past(20), ...merger])).toEqual([]);
  });

  test('of an earlier run is recognized, unless it is that of the last run', () => {
    const history = past(10);
    const seen = (run: number) => ({ fileSeenBefore: { at: history.at(run)?.at ?? '' }, updated: 3 });
    expect(codes(seen(-1), history)).toEqual([]);
    expect(texts(seen(-3), history)).toEqual([
      'This is the file of 15 March 2026 again. Newer files have been synced since then.',
    ]);
    expect(codes({ ...seen(-3), updated: 2 }, history), 'a correction can lead back to it').toEqual([]);
  });

  test('is an older one if it mostly takes back changes, among them those of the last run', () => {
    const history = past(10, { updated: 10 });
    expect(texts({ updated: 12, reverted: 11 }, history)).toEqual([
      '11 of 12 users would get back values that recent changes replaced. The file may be an older one.',
    ]);
    expect(codes({ updated: 30, reverted: 11 }, history), 'most changes are new').toEqual([]);
    expect(codes({ updated: 5, reverted: 5 }, history), 'corrections').toEqual([]);
  });
});

describe('explicit limits', () => {
  test('replace the fixed and learned ones, in both directions', () => {
    expect(codes({ missing: 200, rows: 800 }, past(20), { explicit: { deactivationsMax: '25%' } })).toEqual(
      [],
    );
    expect(
      findings({ missing: 2 }, past(20, { missing: 20 }), { explicit: { deactivationsMax: 1 } }),
    ).toEqual([expect.objectContaining({ code: 'DEACTIVATIONS', limit: 1, source: 'explicit' })]);
    expect(codes({ missing: 3 }, [], { explicit: { deactivationsMax: 5 } })).toEqual([]);
  });

  test('are numbers or percentages of users, and for failures of rows', () => {
    const explicit = { failuresMax: '10%', createsMax: 7, changesMax: '1%', rowsMin: '50%' } as const;
    expect(
      codes({ rows: 400, failed: 40, created: 7, changed: { phone: 8 } }, past(9), { explicit }),
    ).toEqual([]);
    expect(
      codes({ rows: 399, failed: 40, created: 8, changed: { phone: 9 } }, past(9), { explicit }),
    ).toEqual(['ROWS_BELOW', 'CREATES', 'FAILURES', 'FIELD_CHANGES']);
  });

  test('apply without learning, and are named as such', () => {
    expect(texts({ renamed: 3 }, [], { explicit: { renamesMax: 2 }, learn: false })).toEqual([
      '3 users would be given another employee ID (0.4% of 800). The configured limit is 2.',
    ]);
  });
});

describe('the limits of a run', () => {
  test('are those that it is judged by, as numbers', () => {
    const options = { at: ordinary, learn: true };
    const applied = (deactivated: number) =>
      limitsOf(profile({ deactivated }), past(10, { deactivated: 4 }), { createsMax: '1%' }, options);
    const { deactivationsMax: limit = 0, ...others } = applied(0);
    expect(others).toMatchObject({ rowsMin: 720, rowsMax: 880, createsMax: 8, failuresMax: 16 });
    expect(limit).toBe(10); // 4, and three times its square root
    expect(applied(50).deactivationsMax).toBe(limit);
    expect(codesOf(limit)).toEqual([]);
    expect(codesOf(limit + 1)).toEqual(['DEACTIVATIONS']);
  });

  test('lack what has none, such as the users whom a first run creates', () => {
    const first = limitsOf(profile(), [], {}, { at: ordinary, learn: true });
    expect(first).toMatchObject({ deactivationsMax: 0 });
    expect(first).not.toHaveProperty('createsMax');
    expect(first).not.toHaveProperty('rowsMin');
  });

  function codesOf(deactivated: number) {
    return findings({ deactivated }, past(10, { deactivated: 4 })).map(({ code }) => code);
  }
});
