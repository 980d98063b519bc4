import { limits } from '@rollcall/client';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formatDay } from '../../../console/src/copy/format.js';
import { filterText } from '../../../console/src/users/filters/filter-text.js';
import {
  addFilter,
  choices,
  filterQuery,
  initialFilter,
  readFilters,
  removeFilter,
  replaceFilter,
  roleValues,
  type UserFilter,
  withTyped,
  writeFilters,
} from '../../../console/src/users/filters/user-filters.js';

const read = (address: string) => readFilters(new URLSearchParams(address));
const write = (filters: readonly UserFilter[]) => new URLSearchParams(writeFilters(filters)).toString();

const serials = fc.uniqueArray(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((text) => text.trim() === text),
  { minLength: 1, maxLength: 5 },
);
const day = fc.constantFrom('', '2024-02-29', '2026-10-25', '2026-11-15');
const anyFilter: fc.Arbitrary<UserFilter> = fc.oneof(
  fc.record({ kind: fc.constant('status' as const), value: fc.constantFrom(...choices.status) }),
  fc.record({ kind: fc.constant('password' as const), value: fc.constantFrom(...choices.password) }),
  fc.record({ kind: fc.constant('signIn' as const), value: fc.constantFrom(...choices.signIn) }),
  fc.record({
    kind: fc.constantFrom('organization' as const, 'tag' as const),
    isNot: fc.boolean(),
    values: serials,
  }),
  fc.record({
    kind: fc.constantFrom('organization' as const, 'tag' as const),
    isNone: fc.constant(true as const),
  }),
  fc.record({
    kind: fc.constant('role' as const),
    isNot: fc.boolean(),
    values: fc.subarray([...roleValues]),
  }),
  fc.record({ kind: fc.constantFrom('created' as const, 'updated' as const), from: day, until: day }),
  fc.record({
    ...{ kind: fc.constant('attribute' as const), key: fc.constantFrom('site', 'startDate') },
    values: serials,
  }),
  fc.record({
    ...{ kind: fc.constant('attribute' as const), key: fc.constantFrom('site', 'startDate') },
    ...{ from: day, until: day },
  }),
  fc.record({
    ...{ kind: fc.constant('attribute' as const), key: fc.constantFrom('site', 'startDate') },
    isSet: fc.boolean(),
  }),
);

describe('filters in the URL', () => {
  it('are read as they were written, whatever was added in whatever order', () => {
    fc.assert(
      fc.property(fc.array(anyFilter, { maxLength: 12 }), (added) => {
        const filters = added.reduce<UserFilter[]>(addFilter, []);
        expect(read(write(filters))).toEqual(filters);
      }),
    );
  });

  it('repeat the name for several values', () => {
    const address = 'tag=T1&tag=T2&notTag=T3&role=viewer&role=none&createdFrom=2026-11-01';
    expect(write(read(address))).toBe(address);
  });

  it('are ignored if they are invalid, blank or repeated', () => {
    expect(read('role=king&signIn=often&createdFrom=soon&updatedUntil=&tag=+')).toEqual([]);
    expect(read(`organization=${'x'.repeat(201)}`)).toEqual([]);
    expect(read('noTags=yes&noOrganization=')).toEqual([]);
    expect(read('attributes.site=&attributes.Site=A&attributes.site.isSet=maybe')).toEqual([]);
    expect(read('tag=T1&tag=+T1+&role=none&role=viewer&role=none')).toEqual([
      { kind: 'tag', isNot: false, values: ['T1'] },
      { kind: 'role', isNot: false, values: ['viewer', 'none'] },
    ]);
    const many = Array.from({ length: limits.filterValuesMax + 1 }, (_, n) => `tag=T${n}`).join('&');
    expect(read(many)).toMatchObject([{ values: { length: limits.filterValuesMax } }]);
  });
});

describe('filters for the service', () => {
  const zone = process.env.TZ;
  beforeEach(() => {
    process.env.TZ = 'Europe/Berlin';
  });
  afterEach(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  it.each([
    ['status=inactive', { isActive: false }],
    ['password=notChosen', { mustChangePassword: true }],
    ['password=chosen', { mustChangePassword: false }],
    ['signIn=never', { neverSignedIn: true }],
    ['signIn=signedIn', { neverSignedIn: false }],
    ['organization=A&organization=B', { organizationSerial: ['A', 'B'] }],
    ['notOrganization=A', { notOrganizationSerial: ['A'] }],
    ['organization=A&includeParts=true', { organizationSerial: ['A'], includeParts: true }],
    ['notOrganization=A&includeParts=true', { notOrganizationSerial: ['A'] }],
    ['includeParts=true', {}],
    ['noOrganization=true', { hasOrganization: false }],
    ['noTags=true', { hasTags: false }],
    ['manager=E1&manager=E2', { manager: ['E1', 'E2'] }],
    ['noManager=true', { hasManager: false }],
    ['managerStatus=managerInactive', { managerIsActive: false }],
    ['managerStatus=managerActive', { managerIsActive: true }],
    ['tag=T1&notTag=T2', { tagSerial: ['T1'], notTagSerial: ['T2'] }],
    ['role=none&notRole=viewer', { role: ['none'], notRole: ['viewer'] }],
    ['attributes.site=A&attributes.site=B', { 'attributes.site': ['A', 'B'] }],
    ['attributes.start.from=2026-11-15', { 'attributes.start.from': '2026-11-15' }],
    [
      'attributes.hours.to=40&attributes.site.isSet=false',
      { 'attributes.hours.to': '40', 'attributes.site.isSet': false },
    ],
    ['createdFrom=2026-11-15', { createdSince: '2026-11-14T23:00:00.000Z' }],
    ['updatedUntil=2026-11-15', { updatedUntil: '2026-11-15T23:00:00.000Z' }],
  ])('%s', (address, query) => {
    expect(filterQuery(read(address))).toEqual(query);
  });
});

describe('changing filters', () => {
  const tags = (...values: string[]): UserFilter => ({ kind: 'tag', isNot: false, values });
  const notTags = (...values: string[]): UserFilter => ({ kind: 'tag', isNot: true, values });
  const active: UserFilter = { kind: 'status', value: 'active' };
  const inactive: UserFilter = { kind: 'status', value: 'inactive' };

  it('adds values to a list, and replaces a choice', () => {
    expect(addFilter([tags('T1')], tags('T2', 'T1'))).toEqual([tags('T1', 'T2')]);
    expect(addFilter([active], inactive)).toEqual([inactive]);
  });

  it('keeps "is" apart from "is not", in the order of the menu', () => {
    expect(addFilter(addFilter([notTags('T1')], tags('T1')), active)).toEqual([
      active,
      tags('T1'),
      notTags('T1'),
    ]);
  });

  it('adds nothing without values, and removes a filter that becomes empty', () => {
    expect(addFilter([active], tags())).toEqual([active]);
    expect(replaceFilter([active, tags('T1')], tags('T1'), tags())).toEqual([active]);
  });

  it('keeps including those below when an organization is added', () => {
    const [first] = read('organization=A&includeParts=true');
    const second: UserFilter = { kind: 'organization', isNot: false, values: ['B'] };
    expect(write(addFilter(first ? [first] : [], second))).toBe(
      'organization=A&organization=B&includeParts=true',
    );
  });

  it('combines a filter that turns into another one', () => {
    expect(replaceFilter([tags('T1'), notTags('T2')], tags('T1'), notTags('T1'))).toEqual([
      notTags('T2', 'T1'),
    ]);
  });

  it('replaces a list with none, and none with a list', () => {
    const noTags: UserFilter = { kind: 'tag', isNone: true };
    expect(addFilter([active, tags('T1'), notTags('T2')], noTags)).toEqual([active, noTags]);
    expect(addFilter([active, noTags], notTags('T2'))).toEqual([active, notTags('T2')]);
    expect(addFilter([{ kind: 'organization', isNone: true }], noTags)).toHaveLength(2);
    expect(withTyped(noTags, 'T2')).toEqual(noTags);
  });

  it('includes a value that was typed but not confirmed', () => {
    expect(withTyped(tags('T1'), ' T2 ')).toEqual(tags('T1', 'T2'));
    expect(withTyped(tags('T1'), 'T1')).toEqual(tags('T1'));
    expect(withTyped(tags('T1'), ' ')).toEqual(tags('T1'));
  });

  it('removes one filter', () => {
    expect(removeFilter([active, tags('T1'), notTags('T1')], tags('T1'))).toEqual([active, notTags('T1')]);
  });

  it('starts with the current choice, and with an empty list', () => {
    expect(initialFilter('status', [inactive])).toEqual(inactive);
    expect(initialFilter('tag', [tags('T1')])).toEqual(tags());
  });
});

describe('filters in words', () => {
  const [first, last] = [formatDay('2026-11-01'), formatDay('2026-11-15')];

  it.each([
    ['status=inactive', 'Inactive'],
    ['signIn=never', 'Never signed in'],
    ['organization=A&organization=B', 'Organization is A or B'],
    ['organization=A&includeParts=true', 'Organization is A, including those below'],
    ['notTag=A&notTag=B&notTag=C', 'Tag is not A or B or C'],
    ['tag=A&tag=B&tag=C&tag=D', 'Tag is A or B or 2 more'],
    ['noOrganization=true', 'No organization'],
    ['noTags=true', 'No tags'],
    ['role=viewer&role=none', 'Role is Viewer or No role'],
    ['createdFrom=2026-11-15', `Created since ${last}`],
    ['createdUntil=2026-11-15', `Created until ${last}`],
    ['updatedFrom=2026-11-15&updatedUntil=2026-11-15', `Updated on ${last}`],
    ['updatedFrom=2026-11-01&updatedUntil=2026-11-15', `Updated ${first} – ${last}`],
    ['attributes.site=A&attributes.site=B', 'site is A or B'],
    ['attributes.site.isSet=false', 'site is empty'],
    ['attributes.hours.from=30', 'hours from 30'],
  ])('%s', (address, text) => {
    expect(read(address).map((filter) => filterText(filter))).toEqual([text]);
  });

  it('can show all values', () => {
    const [filter] = read('tag=A&tag=B&tag=C&tag=D');
    expect(filter && filterText(filter, { valuesMax: Infinity })).toBe('Tag is A or B or C or D');
  });

  it('names organizations and tags that have a name', () => {
    const names = {
      ...{ organization: new Map([['A', 'Sales']]), tag: new Map([['A', 'First aiders']]) },
      ...{ manager: new Map([['E1', 'Grace Hopper']]), attributes: [] },
    };
    const filters = read('organization=A&organization=B&notTag=A&manager=E1&manager=E2');
    expect(filters.map((filter) => filterText(filter, { names }))).toEqual([
      'Organization is Sales or B',
      'Tag is not First aiders',
      'Manager is Grace Hopper or E2',
    ]);
  });
});
