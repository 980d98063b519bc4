import { describe, expect, test } from 'vitest';
import { bindFilter } from '../../../src/scim/language/bound-filter.js';
import { parseFilter } from '../../../src/scim/language/filter.js';
import { instantOf } from '../../../src/scim/language/instant.js';
import type { JsonObject } from '../../../src/scim/language/json.js';
import { matches } from '../../../src/scim/language/matches.js';
import { enterprise, userSchema } from './user-schema.js';

const barbara: JsonObject = {
  schemas: [userSchema.id, enterprise],
  id: 'aB1',
  userName: 'bJensen',
  name: { familyName: 'Jensen', givenName: 'Barbara' },
  title: '',
  userType: 'Employee',
  active: false,
  logins: 12,
  emails: [
    { value: 'bjensen@example.com', type: 'work', primary: true },
    { value: 'babs@jensen.org', type: 'home' },
  ],
  phoneNumbers: [],
  meta: { resourceType: 'User', lastModified: '2011-05-13T04:42:34.842Z' },
  [enterprise]: { employeeNumber: '007', manager: { value: '26118915' } },
};

function bound(text: string) {
  const filter = parseFilter(text);
  if (!filter.ok) throw new Error(`expected ${filter.problem.expected}`);
  return bindFilter(filter.value, userSchema);
}

function isMatch(text: string): boolean {
  const filter = bound(text);
  if (!filter.ok) throw new Error(filter.detail);
  return matches(filter.value, barbara);
}

describe('a filter matches', () => {
  test.each([
    ...['userName eq "bjensen"', 'USERNAME eq "BJENSEN"', 'userName ne "x"', 'userName co "JENS"'],
    ...['userName sw "B"', 'userName ew "sen"', 'userName gt "bj"', 'userName le "bjensen"'],
    ...[
      'id eq "aB1"',
      'name.familyName eq "jensen"',
      'urn:ietf:params:scim:schemas:core:2.0:User:userName sw "b"',
    ],
    ...[`${enterprise}:employeeNumber eq "007"`, `${enterprise}:manager eq "26118915"`, `${enterprise} pr`],
    ...[`schemas eq "${enterprise}"`, 'schemas[value ew "User"]'],
    ...['active eq false', 'active eq "False"', 'active pr', 'not (active eq true)'],
    ...['logins gt 9', 'logins eq "12"', 'logins le 12.0'],
    ...['emails co "example.com"', 'emails.type eq "home"', 'emails[type eq "home" and value ew ".org"]'],
    ...['emails.type ne "work"', 'emails pr', 'name pr'],
    ...['userType eq "Employee" and (emails co "example.com" or emails.value co "example.org")'],
    ...['meta.lastModified gt "2011-05-13T04:42:34Z"', 'meta.lastModified lt 2011-05-13T04:42:34.8420001Z'],
    ...['meta.lastModified eq "2011-05-13T06:42:34.842+02:00"'],
  ])('%s', (text) => {
    expect(isMatch(text)).toBe(true);
  });

  test.each([
    ...['userName eq "x"', 'userName ne "BJENSEN"', 'id eq "ab1"', 'schemas eq "x"'],
    ...['title pr', 'nickName pr', 'phoneNumbers pr', 'phoneNumbers[value pr]', 'externalId eq "x"'],
    ...['emails[type eq "home" and value co "example.com"]', 'not (emails.type eq "work")'],
    ...[
      'logins lt 9',
      'meta.created gt "2011-05-13T04:42:34Z"',
      'meta.lastModified ge 2011-05-13T04:42:34.8420001Z',
    ],
  ])('not %s', (text) => {
    expect(isMatch(text)).toBe(false);
  });

  test('an attribute without a value as if it were null', () => {
    expect(isMatch('nickName eq null')).toBe(true);
    expect(isMatch('nickName ne "x"')).toBe(true);
    expect(isMatch('nickName ne null')).toBe(false);
    expect(isMatch('userName eq null')).toBe(false);
    expect(isMatch('nickName lt "x"')).toBe(false);
    expect(isMatch('nickName co ""')).toBe(false);
  });
});

describe('a filter is not valid', () => {
  test.each([
    ['usrName pr', '"usrName" is not an attribute. Did you mean "userName"?'],
    [
      `${enterprise}:departmnt pr`,
      `"${enterprise}:departmnt" is not an attribute. Did you mean "${enterprise}:department"?`,
    ],
    ['emails[typ eq "x"]', '"typ" is not an attribute. Did you mean "type"?'],
    ['userName.x pr', '"userName.x" is not an attribute.'],
    ['active gt true', '"active" cannot be compared with gt true.'],
    ['active eq "yes"', '"active" is a boolean, and "yes" is not.'],
    ['logins co 1', '"logins" cannot be compared with co 1.'],
    ['logins eq "x"', '"logins" is an integer, and "x" is not.'],
    ['meta.created gt "yesterday"', '"meta.created" is a date-time, and "yesterday" is not.'],
    ['name eq "x"', '"name" cannot be compared with eq "x".'],
    ['userName gt null', '"userName" cannot be compared with gt null.'],
  ])('%s', (text, detail) => {
    expect(bound(text)).toEqual({ ok: false, scimType: 'invalidFilter', detail });
  });
});

test('a date-time has one form, in UTC and with all of its digits', () => {
  expect(instantOf('2015-10-10T14:38:21.8617979-07:00')).toBe('2015-10-10T21:38:21.861797900Z');
  expect(instantOf('2015-10-10T14:38:21')).toBe('2015-10-10T14:38:21.000000000Z');
  expect(instantOf('0001-01-03T00:00:00.0000000Z')).toBe('0001-01-03T00:00:00.000000000Z');
  expect(
    ['2015-10-10', '2015-13-10T00:00:00Z', '9999-12-31T23:59:59-01:00', '2026-02-30T00:00:00Z', ''].map(
      instantOf,
    ),
  ).toEqual(Array(5).fill(undefined));
});
