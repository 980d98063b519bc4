import { describe, expect, test } from 'vitest';
import type { FeedSettings } from '../../../src/contract/feeds.js';
import type { Scope } from '../../../src/contract/scopes.js';
import { lacksHidden, shownSettings } from '../../../src/domain/feeds/shown-settings.js';

const url = 'https://hr.example.com/staff.csv';
const columns = [
  { field: 'organizationSerial', constant: 'ORG7' },
  { field: 'attributes.desk', values: { A: 'North' } },
  { field: 'attributes.pay', columns: ['Pay'], values: { A: '1000' } },
  { field: 'attributes.bonus', constant: '7' },
  { field: 'attributes.deleted', constant: '8' },
  { field: 'attributes.grade', columns: ['Grade'] },
];
const definitions = [
  { key: 'desk', isSensitive: false },
  ...['pay', 'bonus', 'grade'].map((key) => ({ key, isSensitive: true })),
];
const settings: FeedSettings = {
  ...{ source: { type: 'https', url: `${url}?token=x` } as FeedSettings['source'], mapping: { columns } },
  ...{ schedule: null, rules: {}, limits: {}, inform: {} },
};

const shownTo = (...scopes: readonly Scope[]) =>
  shownSettings(settings, { scopes: new Set(scopes) }, definitions);

describe('the settings of a feed', () => {
  test('are complete for whoever may see everything', () => {
    expect(shownTo('access:admin', 'attributes:sensitive')).toEqual({ settings, hidden: [] });
  });

  test('have no query without access:admin', () => {
    const { settings: shown, hidden } = shownTo('users:read', 'attributes:sensitive');
    expect([shown.source, hidden]).toEqual([{ type: 'https', url: `${url}?…` }, ['source.url']]);
    expect(shown.mapping).toEqual(settings.mapping);
  });

  test('have no values of attributes that are sensitive, or may have been, without attributes:sensitive', () => {
    const { settings: shown, hidden } = shownTo('access:admin');
    expect(shown.mapping.columns).toEqual([
      ...columns.slice(0, 2),
      { field: 'attributes.pay', columns: ['Pay'], values: { '…': '…' } },
      { field: 'attributes.bonus', constant: '…' },
      { field: 'attributes.deleted', constant: '…' },
      columns.at(-1),
    ]);
    expect(hidden).toEqual(['pay', 'bonus', 'deleted'].map((key) => `mapping.attributes.${key}`));
  });

  test('have no values of such attributes in the scope, either', () => {
    const rules = { attributes: { desk: ['North'], pay: [1_000], deleted: ['8'] } };
    const scoped = { ...settings, mapping: {}, rules };
    const admin = { scopes: new Set<Scope>(['access:admin']) };
    const shown = shownSettings(scoped, admin, definitions);
    expect(shown.settings.rules).toEqual({ attributes: { desk: ['North'], pay: ['…'], deleted: ['…'] } });
    expect(shown.hidden).toEqual(['rules.attributes.pay', 'rules.attributes.deleted']);
    expect([lacksHidden(scoped), lacksHidden(shown.settings)]).toEqual([undefined, 'rules']);
  });

  test('cannot be stored as they are shown without some of their parts', () => {
    expect(lacksHidden(settings)).toBeUndefined();
    expect(lacksHidden({ ...settings, mapping: shownTo('access:admin').settings.mapping })).toBe('mapping');
    expect(lacksHidden(shownTo().settings)).toBe('source');
  });
});
