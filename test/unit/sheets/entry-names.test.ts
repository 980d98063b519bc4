import { describe, expect, test } from 'vitest';
import {
  applyNameDecisions,
  createItemReader,
  createNameCollector,
  type DecidedNames,
  groupNames,
  isUndecided,
  type Mapping,
  type NameGroup,
  namesToRemember,
  newSerialOf,
  type ResolvedName,
  type Row,
} from '../../../sheets/src/index.js';

const headings = ['ID', 'Organization', 'Tags'].map((name, column) => ({
  ...{ column, letter: '', name, isEmpty: false },
}));
const mapping: Mapping = { employeeID: [0], organizationSerial: [1], tagSerials: [2] };
const rowOf = (number: number, organization: string, tags = '', notes?: Row['notes']): Row => ({
  ...{ number, line: number, cells: [`E${number}`, organization, tags], ...(notes && { notes }) },
});

const sales = { serial: 'ORG7', displayName: 'Sales' };
const resolved = (name: string, match: ResolvedName['match'], entry = sales): ResolvedName => ({
  ...{ name, key: name.trim().toLowerCase(), match, candidates: [] },
  entry: isUndecided({ match }) ? null : entry,
});

const group = (field: NameGroup['field'], ...names: ResolvedName[]) =>
  groupNames(
    field,
    names.map(({ name }, at) => ({ name, rows: 1, firstRow: at + 2 })),
    names,
  );

describe('the names in a file', () => {
  test('are collected with their rows, each once, from cells whose value is certain', () => {
    const collector = createNameCollector(mapping);
    const uncertain = [{ code: 'VALUE_UNCERTAIN', column: 1, reason: 'DATE' }] as const;
    collector.add(rowOf(2, 'Sales', 'T1, First aiders'));
    collector.add(rowOf(3, 'Sales', '["T1","a, b"]'));
    collector.add(rowOf(4, '3-4', '', uncertain));
    collector.add(rowOf(5, '#N/A', 'T1'));
    collector.add(rowOf(6, 'x'.repeat(201)));
    expect(collector.names('organizationSerial')).toEqual([{ name: 'Sales', rows: 2, firstRow: 2 }]);
    expect(collector.names('tagSerials')).toEqual([
      { name: 'T1', rows: 3, firstRow: 2 },
      { name: 'First aiders', rows: 1, firstRow: 2 },
      { name: 'a, b', rows: 1, firstRow: 3 },
    ]);
  });

  test('are one name if they are written differently, but serials are exact', () => {
    const groups = group(
      'organizationSerial',
      ...[resolved('New', 'unknown'), resolved('NEW ', 'unknown'), resolved('ORG7', 'serial')],
      ...[resolved('org7', 'unknown')],
    );
    expect(groups.map(({ name, rows, spellings }) => [name, rows, spellings])).toEqual([
      ['New', 2, ['New', 'NEW ']],
      ['ORG7', 1, ['ORG7']],
      ['org7', 1, ['org7']],
    ]);
    const { meaningOf } = applyNameDecisions(groups, ({ key }) =>
      key === 'new' ? { kind: 'create' } : undefined,
    );
    const meanings = ['New', 'NEW ', 'ORG7', 'org7'].map((name) => meaningOf('organizationSerial', name));
    expect(meanings).toEqual(['New', 'New', 'ORG7', undefined]);
    expect(meaningOf('tagSerials', 'New')).toBeUndefined();
  });

  test('are undecided until somebody decides, and a decision ends where a serial or an entry is meant', () => {
    const matches = ['unknown', 'ambiguous', 'name', 'serial'] as const;
    const groups = group('organizationSerial', ...matches.map((match) => resolved(match, match)));
    const named = ({ undecided }: DecidedNames) => undecided.map(({ name }) => name);
    expect(named(applyNameDecisions(groups, () => undefined))).toEqual(['unknown', 'ambiguous']);
    const created = applyNameDecisions(groups, () => ({ kind: 'create' }));
    expect(named(created)).toEqual([]);
    expect([...created.newSerials.organizationSerial]).toEqual(['unknown', 'ambiguous']);
    expect(groups.map((each) => created.decisionOf(each)?.kind)).toEqual([
      ...['create', 'create', undefined, undefined],
    ]);
  });

  test.each([
    ['unknown', { kind: 'leaveOut' }, [{ name: 'Sales', serial: null }]],
    ['unknown', { kind: 'use', entry: sales }, [{ name: 'Sales', serial: 'ORG7' }]],
    ['unknown', { kind: 'create' }, []],
    ['decision', { kind: 'create' }, [{ name: 'Sales', isForgotten: true }]],
    ['decision', { kind: 'use', entry: sales }, []],
    ['decision', { kind: 'leaveOut' }, [{ name: 'Sales', serial: null }]],
    ['name', { kind: 'leaveOut' }, []],
  ] as const)('matched by %s and decided as %j are remembered as %j', (match, decision, remembered) => {
    expect(namesToRemember(resolved('Sales', match), decision)).toEqual(remembered);
  });

  test.each([
    ['Sales\u00a0\n Berlin', 'Sales Berlin'],
    ['x'.repeat(65), undefined],
    ['1.23E+15', undefined],
  ])('%j creates the serial %j', (name, serial) => {
    expect(newSerialOf({ name })).toBe(serial);
  });
});

describe('items', () => {
  const groups = [
    ...group(
      'organizationSerial',
      ...[resolved('Sales', 'name'), resolved('n/a', 'decision'), resolved('Nobody', 'unknown')],
      resolved('L'.repeat(100), 'name'),
    ),
    ...group(
      'tagSerials',
      resolved('One', 'name'),
      resolved('Eins', 'formerName'),
      resolved('n/a', 'unknown'),
    ),
  ].map((each) => (each.name === 'n/a' ? { ...each, entry: null } : each));
  const { meaningOf } = applyNameDecisions(groups, ({ field, name }) =>
    field === 'tagSerials' && name === 'n/a' ? { kind: 'leaveOut' } : undefined,
  );
  const read = (organization: string, tags: string) =>
    createItemReader({ operation: 'sync', headings, mapping, empty: 'clears', meaningOf })(
      rowOf(2, organization, tags),
    );

  test.each([
    ['Sales', 'One, Eins', { organizationSerial: 'ORG7', tagSerials: ['ORG7'] }],
    ['L'.repeat(100), 'n/a|One', { organizationSerial: 'ORG7', tagSerials: ['ORG7'] }],
    // What is left out is not cleared, unlike an empty cell.
    ['n/a', 'n/a', {}],
    ['', '', { organizationSerial: '', tagSerials: [] }],
  ])('with %j and %j have the serials that the names mean', (organization, tags, fields) => {
    const { item, problems } = read(organization, tags);
    expect([item, problems]).toEqual([{ employeeID: 'E2', ...fields }, []]);
  });

  test('are refused if nobody knows what a name means', () => {
    const { item, problems } = read('Nobody', 'x'.repeat(201));
    expect(item).toBeUndefined();
    expect(problems.map(({ code, field, text }) => [code, field, text])).toEqual([
      ['FIELD_INVALID', 'tagSerials', 'x'.repeat(201)],
      ['NAME_UNKNOWN', 'organizationSerial', 'Nobody'],
    ]);
  });
});
