import { describe, expect, test } from 'vitest';
import { changedMembers } from '../../../src/scim/group-members.js';
import { patchWithMembers, readGroupPatch } from '../../../src/scim/group-patch.js';
import { runToEnd } from '../../support/steps.js';

const group = { id: 'g', displayName: 'Sales', externalId: 'e' };

/** What operations do to members; undefined if that depends on who they are. */
function changesOf(...operations: object[]) {
  const patch = runToEnd(readGroupPatch)(group, operations);
  if (!patch.ok) return patch;
  if (!patch.value.isIncremental) return undefined;
  const { clears, added, removed } = patch.value.members;
  return { clears, added: Object.fromEntries(added), removed: [...removed] };
}

const add = (value: unknown) => ({ op: 'add', path: 'members', value });
const uuid = '0198F2A0-0000-7000-8000-00000000000A';

describe('operations on members', () => {
  test('are read without the members there are', () => {
    expect(changesOf(add([{ value: 'a', display: 'A' }, { value: uuid }]))).toEqual({
      ...{ clears: false, removed: [] },
      added: { a: { display: 'A' }, [uuid.toLowerCase()]: {} },
    });
    expect(changesOf({ op: 'Remove', path: 'members[value eq "a" or value eq "b"]' })).toEqual({
      ...{ clears: false, added: {}, removed: ['a', 'b'] },
    });
    expect(changesOf({ op: 'remove', path: 'members', value: [{ value: 'a' }] })).toEqual({
      ...{ clears: false, added: {}, removed: ['a'] },
    });
    expect(changesOf({ op: 'remove', path: 'members' })).toEqual({ clears: true, added: {}, removed: [] });
    expect(changesOf({ op: 'replace', value: { Members: [{ value: 'a' }], displayName: 'X' } })).toEqual({
      ...{ clears: true, added: { a: {} }, removed: [] },
    });
    const urn = 'urn:ietf:params:scim:schemas:core:2.0:Group:members';
    expect(changesOf({ op: 'add', path: urn, value: 'a' })).toMatchObject({ added: { a: {} } });
  });

  test('take precedence over earlier ones', () => {
    const remove = { op: 'remove', path: 'members[value eq "a"]' };
    expect(changesOf(add('a'), remove)).toEqual({ clears: false, added: {}, removed: ['a'] });
    expect(changesOf(remove, add('a'))).toEqual({ clears: false, added: { a: {} }, removed: [] });
    expect(changesOf(add('a'), { op: 'remove', path: 'members' }, add('b'))).toEqual({
      ...{ clears: true, added: { b: {} }, removed: [] },
    });
  });

  test.each([
    { op: 'remove', path: 'members[type eq "Group"]' },
    { op: 'remove', path: 'members[not (value eq "a")]' },
    { op: 'replace', path: 'members[value eq "a"]', value: { display: 'A' } },
    { op: 'replace', path: 'members[value eq "a"].display', value: 'A' },
  ])('depend on who the members are: %o', (operation) => {
    expect(changesOf(operation)).toBeUndefined();
  });

  test('are refused without a value, with their position', () => {
    const position = /^Operations\[1\]: A member must have a "value"/;
    expect(changesOf(add('a'), add([{ display: 'A' }]))).toMatchObject({
      ...{ ok: false, scimType: 'invalidValue', detail: expect.stringMatching(position) },
    });
    expect(changesOf(add('a'), { op: 'add', path: 'unknown', value: 1 })).toMatchObject({
      ...{ ok: false, scimType: 'invalidPath', detail: expect.stringMatching(/^Operations\[1\]/) },
    });
    expect(changesOf(add('x'.repeat(501)))).toMatchObject({ ok: false, scimType: 'invalidValue' });
    expect(changesOf(add('\0'))).toMatchObject({ ok: false, scimType: 'invalidValue' });
  });
});

test('other attributes change as in any resource', () => {
  const patch = runToEnd(readGroupPatch)(group, [
    { op: 'replace', value: { displayName: 'Support', members: ['a'] } },
    { op: 'remove', path: 'externalId' },
  ]);
  expect(patch).toMatchObject({ ok: true, value: { resource: { id: 'g', displayName: 'Support' } } });
  expect(patch).not.toHaveProperty('value.resource.externalId');
});

describe('what is stored about members', () => {
  const names = new Map([['u', 'Ada']]);
  const added = (value: string, details: object) => ({
    ...{ clears: false, added: new Map([[value, { ...details }]]), removed: new Set<string>() },
  });

  test('is what the names of users do not say, and everything about others', () => {
    expect(changedMembers({}, added('u', { display: 'Ada' }), names)).toEqual({ ok: true, value: {} });
    const noted = { u: { isUser: true as const, displayName: 'Countess' } };
    expect(changedMembers({}, added('u', { displayName: 'Countess', type: 'User' }), names)).toEqual({
      ...{ ok: true, value: noted },
    });
    expect(changedMembers(noted, added('u', { displayName: 'Ada' }), names)).toEqual({ ok: true, value: {} });
    expect(changedMembers({}, added('__proto__', { type: 'Group' }), names)).toEqual({
      ...{ ok: true, value: Object.fromEntries([['__proto__', { type: 'Group' }]]) },
    });
  });

  test('is limited: notes about users are left out, other members are refused', () => {
    const full = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`n${index}`, {}]));
    expect(changedMembers(full, added('u', { display: 'Countess' }), names)).toEqual({
      ok: true,
      value: full,
    });
    expect(changedMembers(full, added('n', {}), names)).toMatchObject({
      ok: false,
      scimType: 'invalidValue',
    });
    const long = { display: 'x'.repeat(140_000) };
    expect(changedMembers({}, added('n', long), names)).toMatchObject({
      ok: false,
      scimType: 'invalidValue',
    });
  });
});

test('many operations that compare many members are refused', () => {
  const members = Array.from({ length: 30_000 }, (_, index) => ({ value: `${index}`, type: 'User' }));
  const rename = { op: 'replace', path: 'members[type eq "User"].display', value: 'x' };
  const renamed = (count: number, times: number) =>
    runToEnd(patchWithMembers)(group, [
      add(members.slice(0, count)),
      ...Array.from({ length: times }, () => rename),
    ]);
  expect(renamed(30_000, 100)).toMatchObject({ ok: false, scimType: 'tooMany' });
  expect(renamed(10_000, 60)).toMatchObject({ ok: false, scimType: 'tooMany' });
  expect(renamed(1_000, 20)).toMatchObject({ ok: true });
  expect(runToEnd(patchWithMembers)(group, [rename, { op: 'add', path: 'unknown', value: 1 }])).toMatchObject(
    {
      ...{ ok: false, detail: expect.stringMatching(/^Operations\[0\]/) },
    },
  );
});

test('members that cannot be users are refused beyond what groups keep, before they are all read', () => {
  const strangers = Array.from({ length: 1_001 }, (_, index) => ({ value: `${index}` }));
  expect(changesOf(add(strangers))).toMatchObject({ ok: false, scimType: 'invalidValue' });
  expect(changesOf(add(strangers.slice(1)))).not.toHaveProperty('ok');
});
