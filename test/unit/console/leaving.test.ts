import { describe, expect, test } from 'vitest';
import { lastDayText } from '../../../console/src/components/calls.js';
import { formatDay, formatStart } from '../../../console/src/copy/format.js';
import { leavingText, upcomingText } from '../../../console/src/users/detail/leaving.js';

const lastWorkingDay = '2026-12-31';
const start = '2026-12-31T23:00:00.000Z';

function texts(
  plan: { readonly effectiveAt: string | null; readonly lastWorkingDay: string | null },
  state: 'planned' | 'awaitingApproval' = 'planned',
) {
  const fields = { isActive: { before: true, after: false } };
  const change = { callId: 'c1', state, ...plan, effect: { kind: 'updated' as const, fields } };
  return [upcomingText(change), leavingText([change])];
}

describe('a planned deactivation', () => {
  test('names the last working day that was entered, and the first inactive one, in every time zone', () => {
    const lastDay = `Last working day ${formatDay(lastWorkingDay)}`;
    const both = `${lastDay}, inactive from ${formatDay('2027-01-01')}.`;
    expect(lastDayText(lastWorkingDay)).toBe(both);
    const leaving = { effectiveAt: start, lastWorkingDay };
    expect(texts(leaving)).toEqual([both, lastDay]);
    expect(texts(leaving, 'awaitingApproval')).toEqual([
      `${both} Someone else has to approve it first.`,
      `${lastDay}, once approved`,
    ]);
  });

  test('at a time is shown with its time', () => {
    const day = formatStart(start);
    const leaving = { effectiveAt: start, lastWorkingDay: null };
    expect(texts(leaving)).toEqual([`On ${day}: deactivate`, `Inactive from ${day}`]);
  });

  test('at no certain time is not shown as leaving', () => {
    const leaving = { effectiveAt: null, lastWorkingDay: null };
    expect(texts(leaving, 'awaitingApproval')).toEqual(['Once approved: deactivate', undefined]);
  });
});
