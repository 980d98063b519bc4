import { describe, expect, test } from 'vitest';
import { parsePath, parsePaths } from '../../../src/scim/language/path.js';
import { enterprise } from './user-schema.js';

const typeIsWork = { kind: 'compare', attribute: 'type', operator: 'eq', value: 'work' };

describe('parsePath', () => {
  test.each([
    ['members', { attribute: 'members' }],
    ['name.familyName', { attribute: 'name.familyName' }],
    ['addresses[type eq "work"]', { attribute: 'addresses', filter: typeIsWork }],
    ['addresses[type eq work]', { attribute: 'addresses', filter: typeIsWork }],
    [
      'addresses[type eq "work"].streetAddress',
      { attribute: 'addresses', filter: typeIsWork, subAttribute: 'streetAddress' },
    ],
    [enterprise, { attribute: enterprise }],
    [`${enterprise}:manager.displayName`, { attribute: `${enterprise}:manager.displayName` }],
    [
      'urn:ietf:params:scim:schemas:core:2.0:User:emails[type eq "work"].value',
      {
        attribute: 'urn:ietf:params:scim:schemas:core:2.0:User:emails',
        filter: typeIsWork,
        subAttribute: 'value',
      },
    ],
  ])('reads %s', (text, path) => {
    expect(parsePath(text)).toEqual({
      ok: true,
      value: { filter: undefined, subAttribute: undefined, ...path },
    });
  });

  test.each([
    ['', 0, 'an attribute'],
    ['name..x', 0, 'an attribute'],
    ['__proto__', 0, 'an attribute'],
    ['emails[]', 7, 'an attribute'],
    ['emails[type eq "work"].', 22, 'the end'],
    ['emails[type eq "work"]value', 22, 'the end'],
    ['userName eq "x"', 9, 'the end'],
    ['emails, name', 6, 'the end'],
  ])('rejects %j', (text, position, expected) => {
    expect(parsePath(text)).toEqual({ ok: false, problem: { position, expected } });
  });

  test('a list has commas between its paths, not within their texts', () => {
    const read = parsePaths('userName, emails[type eq "a,b"],name.givenName');
    expect(read.ok && read.value.map(({ attribute }) => attribute)).toEqual([
      'userName',
      'emails',
      'name.givenName',
    ]);
    expect(parsePaths('userName,')).toEqual({
      ok: false,
      problem: { position: 9, expected: 'an attribute' },
    });
    expect(parsePaths('a b')).toEqual({
      ok: false,
      problem: { position: 2, expected: 'a comma or the end' },
    });
  });
});
