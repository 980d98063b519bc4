import { describe, expect, test } from 'vitest';
import { deactivationLimit, defaultSettings, providerPresets } from '../../../src/scim/provider-settings.js';

describe('the settings of a provider', () => {
  test('never erase, guess employee IDs or lift the limit unless someone chooses so', () => {
    for (const preset of Object.values(providerPresets)) {
      expect(preset).toMatchObject({ onDelete: 'deactivate', employeeId: 'reject', deactivationPercent: 5 });
    }
  });

  test('ignore unknown attributes only of providers that send attributes nobody can leave out', () => {
    const { okta, entra, other } = providerPresets;
    const choices = [okta, entra, other].map(({ unknownAttributes }) => unknownAttributes);
    expect(choices).toEqual(['ignore', 'ignore', 'reject']);
  });

  test('are those of the kind other for a client without any', () => {
    expect(defaultSettings('client-1')).toEqual({ clientId: 'client-1', ...providerPresets.other });
  });
});

describe('the limit of deactivations', () => {
  test.each([
    ['10 users in a small company', { activeUsers: 100, percent: 5, allowedMore: 0 }, 10],
    ['the share, rounded down, in a larger one', { activeUsers: 399, percent: 5, allowedMore: 0 }, 19],
    ['more while an administrator allows it', { activeUsers: 399, percent: 5, allowedMore: 100 }, 119],
    ['no limit with 0 percent', { activeUsers: 399, percent: 0, allowedMore: 0 }, undefined],
    ['10 users before anyone is known', { activeUsers: 0, percent: 100, allowedMore: 0 }, 10],
  ])('is %s', (_, counts, limit) => {
    expect(deactivationLimit(counts)).toBe(limit);
  });
});
