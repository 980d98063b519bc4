import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type EventType, eventTypes } from '../../src/contract/enums.js';
import { allEventTypes, eventOf } from '../../src/domain/events/events.js';
import type { FeedRow } from '../../src/storage/changes/change-feed.js';

function aRow(overrides: Partial<FeedRow> = {}): FeedRow {
  return {
    sequence: 4711,
    at: new Date('2026-11-15T08:30:00.123Z'),
    kind: 'updated',
    userSerial: '0198c0de-7a11-7000-8000-5f1e2d3c4b5a',
    employeeID: 'E1001',
    version: 3,
    callId: '0198c0de-7a11-7000-8000-5f1e2d3c4b5d',
    actor: { kind: 'client', id: 'client-1f2e3d4c5b6a' },
    requestId: 'nightly',
    fields: '{"phone":{"before":null,"after":"+49 30 123"}}',
    ...overrides,
  };
}

const changed = (...fields: [name: string, before: unknown, after: unknown][]) =>
  JSON.stringify(Object.fromEntries(fields.map(([name, before, after]) => [name, { before, after }])));

const renamed = ['employeeID', 'E1', 'E2'] as const;
const deactivated = ['isActive', true, false] as const;
const reactivated = ['isActive', false, true] as const;

const jsonOf = (row: FeedRow, wanted: ReadonlySet<EventType> = allEventTypes) =>
  JSON.parse(eventOf(row, wanted)?.json ?? 'null');

describe('event types', () => {
  test.each<[string, Partial<FeedRow>, EventType[]]>([
    ['an erasure', { kind: 'erased', fields: '{}' }, ['user.erased', 'user.deleted']],
    [
      'a change of a user who was erased later',
      { fields: changed(['isActive', null, null], ['employeeID', null, null]) },
      ['user.renamed', 'user.updated'],
    ],
    ['a create', { kind: 'created', fields: changed(['employeeID', null, 'E1']) }, ['user.created']],
    [
      'a create of an inactive user',
      { kind: 'created', fields: changed(['isActive', null, false]) },
      ['user.created'],
    ],
    ['a deletion', { kind: 'deleted', fields: changed(['isActive', true, null]) }, ['user.deleted']],
    ['a call', { kind: 'call', userSerial: null, fields: '{"succeeded":3}' }, ['call.completed']],
    ['an update', { fields: changed(['name', 'A', 'B']) }, ['user.updated']],
    ['a rename', { fields: changed([...renamed]) }, ['user.renamed', 'user.updated']],
    ['a deactivation', { fields: changed([...deactivated]) }, ['user.deactivated', 'user.updated']],
    ['a reactivation', { fields: changed([...reactivated]) }, ['user.reactivated', 'user.updated']],
    [
      'a rename with a deactivation',
      { fields: changed([...deactivated], [...renamed]) },
      ['user.renamed', 'user.deactivated', 'user.updated'],
    ],
    [
      'a rename with a reactivation',
      { fields: changed(['name', 'A', 'B'], [...reactivated], [...renamed]) },
      ['user.renamed', 'user.reactivated', 'user.updated'],
    ],
    [
      'a rehire',
      { kind: 'rehired', fields: changed([...reactivated]) },
      ['user.rehired', 'user.reactivated', 'user.updated'],
    ],
    ['a rehire after a deactivation', { kind: 'rehired', fields: '{}' }, ['user.rehired', 'user.updated']],
  ])('of %s, from most to least specific', (_, overrides, types) => {
    const row = aRow(overrides);
    expect(jsonOf(row).data.types).toEqual(types);
    expect(types).toEqual(eventTypes.filter((type) => types.includes(type)));
    expect(eventOf(row, allEventTypes)?.type).toBe(types[0]);
  });

  test('the event matches each of its types individually, and no other', () => {
    const row = aRow({ fields: changed([...renamed], [...deactivated]) });
    const under = eventTypes.map((type) => eventOf(row, new Set([type]))?.type);
    const own = ['user.renamed', 'user.deactivated', 'user.updated'];
    expect(under).toEqual(eventTypes.map((type) => (own.includes(type) ? type : undefined)));
  });

  test('an event that matches several types appears once, under the most specific, with all its types', () => {
    const row = aRow({ fields: changed([...renamed], [...deactivated]) });
    const wanted = new Set<EventType>(['user.updated', 'user.deactivated', 'user.created']);
    expect(eventOf(row, wanted)?.type).toBe('user.deactivated');
    expect(jsonOf(row, wanted)).toMatchObject({
      type: 'user.deactivated',
      data: { types: ['user.renamed', 'user.deactivated', 'user.updated'] },
    });
  });

  test('field names inside values do not count', () => {
    const row = aRow({ fields: changed(['name', 'isActive', '"employeeID":{"before"']) });
    expect(jsonOf(row).data.types).toEqual(['user.updated']);
  });
});

describe('event content', () => {
  test('for a user', () => {
    expect(eventOf(aRow(), allEventTypes)).toMatchObject({ sequence: 4711, type: 'user.updated' });
    expect(jsonOf(aRow())).toEqual({
      type: 'user.updated',
      timestamp: '2026-11-15T08:30:00.123Z',
      data: {
        sequence: 4711,
        types: ['user.updated'],
        userSerial: '0198c0de-7a11-7000-8000-5f1e2d3c4b5a',
        employeeID: 'E1001',
        version: 3,
        callId: '0198c0de-7a11-7000-8000-5f1e2d3c4b5d',
        actor: { kind: 'client', id: 'client-1f2e3d4c5b6a' },
        requestId: 'nightly',
        fields: { phone: { before: null, after: '+49 30 123' } },
      },
    });
  });

  test('for a call: its counts, and no user', () => {
    const row = aRow({
      kind: 'call',
      userSerial: null,
      employeeID: null,
      version: null,
      fields: '{"items":3}',
    });
    expect(jsonOf(row)).toEqual({
      type: 'call.completed',
      timestamp: '2026-11-15T08:30:00.123Z',
      data: {
        sequence: 4711,
        types: ['call.completed'],
        callId: '0198c0de-7a11-7000-8000-5f1e2d3c4b5d',
        actor: { kind: 'client', id: 'client-1f2e3d4c5b6a' },
        requestId: 'nightly',
        call: { items: 3 },
      },
    });
  });

  test('absent values are null, not omitted', () => {
    const { data } = jsonOf(aRow({ callId: null, actor: null, requestId: null }));
    expect(data).toMatchObject({ callId: null, actor: null, requestId: null });
  });

  test('the largest possible sequence number is exact', () => {
    expect(jsonOf(aRow({ sequence: Number.MAX_SAFE_INTEGER })).data.sequence).toBe(9007199254740991);
  });
});

describe('an event is JSON on one line, whatever it contains', () => {
  const oddTexts = [
    'a "quoted" \\ name',
    'line\nend\r\nand\ttab',
    'U+2028 \u2028 and U+2029 \u2029',
    'controls \u0001\u001f\u007f\u0085',
    '</script><!--',
    '"},"data":{"types":[]}',
    '\u{1F600} 夜间 \u202eמזמן',
    'id: 7\ndata: x\n\n',
    '__proto__',
    '',
  ];

  test.each(oddTexts)('%j', (odd) => {
    const fields = changed(['name', odd, odd]);
    const row = aRow({ requestId: odd, actor: { kind: odd, id: odd }, employeeID: odd, fields });
    const { json = '' } = eventOf(row, allEventTypes) ?? {};
    expect(json).not.toMatch(/[\n\r]/);
    expect(JSON.parse(json).data).toMatchObject({
      requestId: odd,
      actor: { kind: odd, id: odd },
      employeeID: odd,
      fields: { name: { before: odd, after: odd } },
    });
  });

  test('any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (before, after) => {
        const row = aRow({ fields: changed(['name', before, after]), requestId: after });
        const { json = '' } = eventOf(row, allEventTypes) ?? {};
        expect(json).not.toMatch(/[\n\r]/);
        expect(JSON.parse(json).data.fields).toEqual({ name: { before, after } });
      }),
    );
  });
});
