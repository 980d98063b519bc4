import { describe, expect, test } from 'vitest';
import { formatDay } from '../../../console/src/copy/format.js';
import { leavingText, whenText } from '../../../console/src/users/detail/leaving.js';

const planned = (effectiveAt: string | null, state: 'planned' | 'awaitingApproval' = 'planned') => ({
  callId: 'c1',
  state,
  effectiveAt,
  effect: { kind: 'updated' as const, fields: { isActive: { before: true, after: false } } },
});

const lastDay = formatDay('2026-12-31');

function texts(change: ReturnType<typeof planned>, timeZone: string | undefined) {
  return [whenText(change, timeZone), leavingText([change], timeZone)];
}

describe('a planned deactivation', () => {
  test('at midnight of the service is shown as being after a day', () => {
    const midnight = planned('2026-12-31T23:00:00.000Z');
    expect(texts(midnight, 'Europe/Berlin')).toEqual([`After ${lastDay}`, `Leaves after ${lastDay}`]);
    const toApprove = planned('2026-12-31T23:00:00.000Z', 'awaitingApproval');
    expect(texts(toApprove, 'Europe/Berlin')).toEqual([
      `After ${lastDay}, once approved`,
      `Leaves after ${lastDay}, once approved`,
    ]);
  });

  test('at any other time is shown with its time', () => {
    for (const [time, zone] of [
      ['2026-12-31T22:30:00.000Z', 'Europe/Berlin'],
      ['2026-12-31T23:00:00.000Z', 'UTC'],
      ['2026-12-31T23:00:00.000Z', undefined],
    ] as const) {
      const [when, leaving] = texts(planned(time), zone);
      expect([when, leaving]).toEqual([expect.stringMatching(/^On /), expect.not.stringContaining('after')]);
    }
  });

  test('at no certain time is not shown as leaving', () => {
    expect(texts(planned(null, 'awaitingApproval'), 'UTC')).toEqual(['Once approved', undefined]);
  });
});
