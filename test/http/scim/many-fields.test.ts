import { describe, expect, test } from 'vitest';
import { aResource, enterprise, givenScimProvider } from '../../support/scim.js';
import { newId, useService } from '../../support/service.js';

const service = useService();

/** More fields than any operation of the other API has. */
const manyFields = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`field${at}`, at]));

describe('a body with many fields is read whole', () => {
  test('in POST and PUT', async () => {
    const provider = await givenScimProvider(service);
    const known = { [enterprise]: { employeeNumber: newId(), department: 'Engines' } };
    const user = await provider.givenUser({ 'urn:nobody:User': manyFields, ...known });
    expect(user).toMatchObject(known);
    const replaced = await provider.put(`/Users/${user.id}`, { ...user, ...manyFields });
    expect(replaced.status, replaced.text).toBe(200);
    expect(replaced.json).toMatchObject(known);
  });

  test('in PATCH and searches', async () => {
    const provider = await givenScimProvider(service);
    const { id } = await provider.givenUser();
    const operations = Array.from({ length: 150 }, (_, at) => ({
      ...{ op: 'replace', path: 'title', value: `Countess ${at}` },
    }));
    expect((await provider.patch(`/Users/${id}`, ...operations)).status).toBe(204);
    expect((await provider.get(`/Users/${id}`)).json.title).toBe('Countess 149');
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'];
    const search = { schemas, filter: `id eq "${id}"`, attributes: ['title'], ...manyFields };
    expect((await provider.post('/Users/.search', search)).json.Resources).toMatchObject([{ id }]);
  });

  test('and "__proto__" is a name like any other, and nesting has a limit', async () => {
    const provider = await givenScimProvider(service);
    const body = JSON.stringify(aResource(manyFields));
    const polluting = body.replace('{', '{"__proto__": {"active": false}, ');
    const created = await provider.send('POST', '/Users', undefined, { rawBody: polluting });
    expect(created.status, created.text).toBe(201);
    expect(created.json.active).toBe(true);
    const deep = body.replace('{', `{"deep": ${'['.repeat(1_000)}${']'.repeat(1_000)}, `);
    expect((await provider.send('POST', '/Users', undefined, { rawBody: deep })).status).toBe(400);
  });
});
