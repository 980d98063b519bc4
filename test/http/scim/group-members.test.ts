import { beforeAll, describe, expect, test } from 'vitest';
import { patchScimGroup } from '../../../src/domain/scim/groups.js';
import { defaultSettings } from '../../../src/scim/provider-settings.js';
import { serialsOf } from '../../support/bulk-reports.js';
import {
  add,
  filterBy,
  givenScimProvider,
  idsIn,
  removeMember,
  type ScimProvider,
  valuesOf,
} from '../../support/scim.js';
import { aUser, useOwnService } from '../../support/service.js';

const service = useOwnService();
const membersMany = 1_200;
let provider: ScimProvider;
let many: string[];

beforeAll(async () => {
  provider = await givenScimProvider(service, { kind: 'entra' });
  many = serialsOf(await service.createBulk(Array.from({ length: membersMany }, () => aUser())));
});

const asMembers = (serials: readonly string[]) => serials.map((value) => ({ value }));

/** The statements of a PATCH, and how many rows they have read or written. */
async function costOf(
  id: string,
  operations: readonly object[],
): Promise<{ statements: string[]; rows: number }> {
  const statements: string[] = [];
  let rows = 0;
  const counted = <T extends object>(executor: T): T =>
    new Proxy(executor, {
      get(target, name) {
        // biome-ignore lint/suspicious/noExplicitAny: a method of any signature
        const value: any = Reflect.get(target, name);
        if (name === 'connect')
          return async () => counted((await Reflect.apply(value, target, [])) as object);
        if (name !== 'query') return typeof value === 'function' ? value.bind(target) : value;
        return async (statement: string | { text: string }, values?: unknown[]) => {
          statements.push(typeof statement === 'string' ? statement : statement.text);
          const result = (await Reflect.apply(value, target, [statement, values])) as {
            rowCount: number | null;
          };
          rows += result.rowCount ?? 0;
          return result;
        };
      },
    });
  const database = { ...service.database, pool: counted(service.database.pool) };
  const { clientId } = provider;
  const patched = await patchScimGroup(
    { ...service.context, database },
    { id, ifMatch: undefined },
    operations,
    undefined,
    {
      provider: defaultSettings(clientId),
      caller: { actor: { kind: 'client', id: clientId, scopes: new Set(['scim']) }, requestId: 'r' } as never,
      baseUrl: '',
    },
  );
  expect(patched).toMatchObject({ ok: true });
  return { statements, rows };
}

describe('a group with many members', () => {
  test('costs the same to change as one with few', async () => {
    const [few, large] = [
      await provider.givenGroup({ members: asMembers(many.slice(0, 2)) }),
      await provider.givenGroup({ members: asMembers(many.slice(0, -1)) }),
    ];
    const user = many.at(-1) ?? '';
    for (const operation of [
      add([{ value: user }]),
      removeMember(user),
      { op: 'replace', path: 'externalId', value: 'e' },
    ]) {
      const cost = await costOf(few.id, [operation]);
      expect(await costOf(large.id, [operation])).toEqual(cost);
      expect(cost.rows).toBeLessThan(20);
    }
    expect(
      idsIn(await provider.get(filterBy(`members.value eq "${many[0]}"`, '&excludedAttributes=members'))),
    ).toEqual([few.id, large.id].sort());
  });

  test('shows them on request, page by page, and says where the next page is', async () => {
    const { id } = await provider.givenGroup({ members: asMembers(many) });
    const whole = await provider.get(`/Groups/${id}`);
    expect(whole.json).not.toHaveProperty('members');
    const found: string[] = [];
    let reply = whole;
    for (let link = reply.headers.get('link'); link; link = reply.headers.get('link')) {
      const path = /\/scim\/v2(\/Groups\/[^>]+)>; rel="next"$/.exec(link)?.[1] ?? '';
      reply = await provider.get(path);
      found.push(...valuesOf(reply));
    }
    expect(found.sort()).toEqual([...many].sort());
    const listed = await provider.get(filterBy(`id eq "${id}"`));
    expect(listed.json.Resources[0]).not.toHaveProperty('members');
  });

  test('refuses operations that depend on all of them', async () => {
    const { id } = await provider.givenGroup({ members: asMembers(many) });
    expect(await provider.patchGroup(id, [{ op: 'remove', path: 'members[type eq "User"]' }])).toMatchObject({
      status: 400,
      json: { scimType: 'tooMany' },
    });
    expect(
      (
        await provider.patchGroup(id, [
          { op: 'replace', path: 'members', value: asMembers(many.slice(0, 3)) },
        ])
      ).status,
    ).toBe(204);
    expect(valuesOf(await provider.get(`/Groups/${id}`))).toEqual(many.slice(0, 3).sort());
  });
});

test('requests that change different members of a group at once all succeed', async () => {
  const { id } = await provider.givenGroup({ members: asMembers(many.slice(0, 10)) });
  const replies = await Promise.all([
    ...many.slice(10, 30).map((value) => provider.patchGroup(id, [add([{ value }])])),
    ...many.slice(0, 10).map((value) => provider.patchGroup(id, [removeMember(value)])),
    provider.patchGroup(id, [add([{ value: 'nested', type: 'Group' }])]),
    provider.patchGroup(id, [{ op: 'replace', path: 'externalId', value: 'e' }]),
  ]);
  expect([...new Set(replies.map(({ status }) => status))]).toEqual([204]);
  const read = await provider.get(`/Groups/${id}`);
  expect(valuesOf(read)).toEqual([...many.slice(10, 30), 'nested'].sort());
  expect(read.json.externalId).toBe('e');
});
