import { describe, expect, test } from 'vitest';
import { type Amounts, growthOf, growthText } from '../../../src/domain/feeds/limits/growth.js';

const none: Amounts = {
  ...{ created: 0, rehired: 0, updated: 0, renamed: 0, deactivated: 0, reactivated: 0 },
  ...{ failed: 0, withdrawn: 0, changed: {}, emptied: {} },
};
const growth = (checked: Partial<Amounts>, actual: Partial<Amounts>) =>
  growthOf({ ...none, ...checked }, { ...none, ...actual });

describe('a run does more than what was checked', () => {
  test.each([
    'created',
    'rehired',
    'updated',
    'renamed',
    'deactivated',
    'reactivated',
    'failed',
    'withdrawn',
  ])('if more are %s, apart from a few', (kind) => {
    expect(growth({ [kind]: 1 }, { [kind]: 6 })).toEqual([]);
    expect(growth({ [kind]: 1 }, { [kind]: 7 })).toEqual([{ kind, actual: 7, checked: 1 }]);
    expect(growth({ [kind]: 1_000 }, { [kind]: 1_020 })).toEqual([]);
    expect(growth({ [kind]: 1_000 }, { [kind]: 1_021 })).toHaveLength(1);
  });

  test.each(['changed', 'emptied'])('if a field is %s for more users, even if they are not more', (kind) => {
    const checked = { updated: 100, [kind]: { name: 100 } };
    const actual = { updated: 100, [kind]: { name: 10, phone: 90 } };
    const [first] = growth(checked, actual);
    expect(first).toEqual({ kind, field: 'phone', actual: 90, checked: 0 });
    expect(first && growthText(first)).toBe(`Phone ${kind} 90 instead of 0`);
  });
});
