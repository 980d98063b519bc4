import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/scim/language/json.js';
import { parsePaths } from '../../../src/scim/language/path.js';
import { project, projection } from '../../../src/scim/language/project.js';
import { enterprise, userSchema } from './user-schema.js';

const work = { value: 'ada@work.example', type: 'work', primary: true };
const home = { value: 'ada@home.example', type: 'home' };

const ada: JsonObject = {
  schemas: [userSchema.id, enterprise],
  id: '1',
  userName: 'ada',
  password: 'secret',
  notes: 'long',
  name: { familyName: 'Lovelace', givenName: 'Ada' },
  emails: [work, home],
  [enterprise]: { department: 'Engines', manager: { value: 'm1', displayName: 'Mary' } },
};

function projected(attributes?: string, excludedAttributes?: string): JsonObject {
  return project(
    ada,
    { attributes: paths(attributes), excludedAttributes: paths(excludedAttributes) },
    userSchema,
  );
}

function paths(text: string | undefined) {
  if (text === undefined) return undefined;
  const parsed = parsePaths(text);
  if (!parsed.ok) throw new Error(`expected ${parsed.problem.expected}`);
  return parsed.value;
}

/** What is returned always. */
const always = { schemas: ada.schemas, id: '1' };

describe('attributes', () => {
  test('by default, all are returned except those on request and never', () => {
    const { password: _, notes: __, ...rest } = ada;
    expect(projected()).toEqual(rest);
  });

  test.each([
    ['userName', { userName: 'ada' }],
    ['USERNAME, notes', { userName: 'ada', notes: 'long' }],
    ['name', { name: ada.name }],
    ['name.familyName', { name: { familyName: 'Lovelace' } }],
    ['name.familyName,name', { name: ada.name }],
    ['urn:ietf:params:scim:schemas:core:2.0:User:name.familyName', { name: { familyName: 'Lovelace' } }],
    [enterprise, { [enterprise]: ada[enterprise] }],
    [`${enterprise}:department`, { [enterprise]: { department: 'Engines' } }],
    [`${enterprise}:manager.value`, { [enterprise]: { manager: { value: 'm1' } } }],
    ['emails.value', { emails: [{ value: work.value }, { value: home.value }] }],
    ['emails[type eq "work"]', { emails: [work] }],
    ['emails[type eq "work"].value', { emails: [{ value: work.value }] }],
    [
      'emails[type eq "work"].value,emails.type',
      { emails: [{ value: work.value, type: 'work' }, { type: 'home' }] },
    ],
    ['emails[type eq "other"]', {}],
    ['password', {}],
    ['unknown,emails[unknown eq 1]', {}],
  ])('%s', (attributes, selected) => {
    expect(projected(attributes)).toEqual({ ...always, ...selected });
  });
});

test('paths are looked up once for all resources of a page', () => {
  let lookups = 0;
  const counting = {
    id: userSchema.id,
    get attributes() {
      lookups++;
      return userSchema.attributes;
    },
  };
  const projectOne = projection({ attributes: paths('userName'), excludedAttributes: undefined }, counting);
  lookups = 0;
  expect([projectOne(ada), projectOne(ada)]).toEqual(Array(2).fill({ ...always, userName: 'ada' }));
  expect(lookups).toBe(2);
});

describe('excludedAttributes', () => {
  test.each([
    [`emails,name,${enterprise}`, { userName: 'ada' }],
    [
      `emails,name.familyName,${enterprise}:manager`,
      {
        userName: 'ada',
        name: { givenName: 'Ada' },
        [enterprise]: { department: 'Engines' },
      },
    ],
    [`emails[type eq "home"],name,${enterprise}`, { userName: 'ada', emails: [work] }],
    [`id,schemas,emails,name,unknown,${enterprise}`, { userName: 'ada' }],
    [`emails,name.givenName,name.familyName,${enterprise}`, { userName: 'ada' }],
  ])('%s', (excluded, selected) => {
    expect(projected(undefined, excluded)).toEqual({ ...always, ...selected });
  });

  test('also applies to what is requested', () => {
    expect(projected('name,userName', 'name.givenName,userName')).toEqual({
      ...always,
      name: { familyName: 'Lovelace' },
    });
  });
});
