import { describe, expect, test } from 'vitest';
import { scimLimits } from '../../../src/contract/limits.js';
import { bindQuery, readListQuery, readSearchRequest } from '../../../src/scim/list-query.js';
import { urns, userSchema } from '../../../src/scim/schemas.js';

const schema = userSchema([]);

function read(sent: Record<string, unknown>) {
  const query = readListQuery(sent);
  if (!query.ok) return query.scimType;
  const bound = bindQuery(query.value, schema);
  return bound.ok ? query.value : bound.scimType;
}

describe('a list query', () => {
  test.each([
    [{}, { count: 100, paging: { kind: 'index', startIndex: 1 } }],
    [
      { startIndex: '0', count: '-1' },
      { count: 0, paging: { kind: 'index', startIndex: 1 } },
    ],
    [
      { startindex: '7', COUNT: '5000' },
      { count: 1000, paging: { kind: 'index', startIndex: 7 } },
    ],
    [
      { cursor: '', count: 10 },
      { count: 10, paging: { kind: 'cursor', cursor: '' } },
    ],
    [
      { sortBy: 'emails', sortOrder: 'Descending' },
      { sortBy: 'emails', descending: true },
    ],
  ])('is read: %j', (sent, expected) => {
    expect(read(sent)).toMatchObject(expected);
  });

  test.each([
    ['more than the service counts', { startIndex: scimLimits.startIndexMax + 1 }, 'tooMany'],
    ['both kinds of pages', { cursor: '', startIndex: 1 }, 'invalidCursor'],
    ['a count that is no number', { count: 'ten' }, 'invalidValue'],
    ['the same with a cursor', { count: 'ten', cursor: '' }, 'invalidCount'],
    ['a repeated filter', { filter: ['id pr', 'id pr'] }, 'invalidFilter'],
    ['an unknown order', { sortOrder: 'up' }, 'invalidValue'],
    ['an unknown attribute to sort by', { sortBy: 'shoeSize' }, 'invalidValue'],
    ['an attribute without values to sort by', { sortBy: 'name' }, 'invalidValue'],
    ['an unknown attribute', { filter: 'shoeSize eq 1' }, 'invalidFilter'],
    ['a value of another type', { filter: 'active eq "perhaps"' }, 'invalidFilter'],
    ['NUL', { filter: 'userName eq "\\u0000"' }, 'invalidFilter'],
    ['a lone surrogate', { filter: 'userName eq "\\ud800"' }, 'invalidFilter'],
    ['a filter of 11 KB', { filter: `userName eq "${'x'.repeat(11_000)}"` }, 'invalidFilter'],
    ['deep nesting', { filter: `${'('.repeat(1_000)}id pr${')'.repeat(1_000)}` }, 'invalidFilter'],
    ['many comparisons', { filter: Array(51).fill('id pr').join(' or ') }, 'invalidFilter'],
  ])('fails for %s', (_, sent, expected) => {
    expect(read(sent)).toBe(expected);
  });

  test.each([
    ['many attributes', Array.from({ length: 101 }, (_, at) => `a${at}`)],
    ['many comparisons', [`emails[${Array(51).fill('type pr').join(' or ')}]`]],
    ['many comparisons in all', Array.from({ length: 51 }, (_, at) => `emails[type eq "${at}"]`)],
  ])('fails for attributes with %s', (_, paths) => {
    expect(read({ attributes: paths.join(',') })).toBe('invalidValue');
    expect(read({ excludedAttributes: paths })).toBe('invalidValue');
    expect(read({ attributes: paths.slice(1) })).not.toBe('invalidValue');
  });

  test('has each requested attribute once, in any case', () => {
    const attributes = [...Array(3_000).fill('id'), 'ID', 'emails[type eq "a"]', 'emails[type eq "A"]'];
    expect(read({ attributes: attributes.join(',') })).toMatchObject({
      requested: { attributes: [{ attribute: 'ID' }, { attribute: 'emails' }, { attribute: 'emails' }] },
    });
  });

  test('in a body has the schema of a search', () => {
    expect(readSearchRequest({ filter: 'id pr' })).toMatchObject({ ok: false, scimType: 'invalidSyntax' });
    expect(readSearchRequest({ schemas: [urns.search], count: 1 })).toMatchObject({ value: { count: 1 } });
  });
});
