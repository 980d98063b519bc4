import { describe, expect, test } from 'vitest';
import type { Role, Scope } from '../../../src/contract/scopes.js';
import { expectFailure } from '../../support/expect-failure.js';
import { type GivenPerson, givenPerson } from '../../support/people.js';
import { type SecuredOperation, securedOperations } from '../../support/secured-operations.js';
import { newId, type Reply, useService } from '../../support/service.js';

const service = useService();

// Written out instead of derived from the code, because permissions are part of the contract.
const allowed: Readonly<Record<string, readonly Scope[]>> = {
  none: [],
  viewer: ['users:read'],
  operator: ['users:read', 'users:write'],
  administrator: ['users:read', 'users:write', 'access:admin', 'audit:read'],
};

const people = new Map<string, Promise<GivenPerson>>();

/** One user per role; nothing in these tests changes them. */
function somebodyWith(role: string): Promise<GivenPerson> {
  const known = people.get(role) ?? givenPerson(service, role === 'none' ? null : (role as Role));
  people.set(role, known);
  return known;
}

async function ask(role: string, { method, path, body }: SecuredOperation): Promise<Reply> {
  const { token } = await somebodyWith(role);
  return service.request(method, path, { body, token });
}

describe.each(Object.entries(allowed))('with the role %s', (role, scopes) => {
  const mayDo = ({ scope, alsoScope }: SecuredOperation) =>
    [scope, alsoScope].every((each) => each === undefined || scopes.includes(each));

  test.each(securedOperations.filter(mayDo))('$method $path is allowed', async (operation) => {
    expect([200, 400, 404]).toContain((await ask(role, operation)).status);
  });

  const others = securedOperations.filter((operation) => !mayDo(operation));
  if (others.length > 0) {
    test.each(others)('$method $path is rejected: it requires $scope', async (operation) => {
      const reply = await ask(role, operation);
      const detail = new RegExp(
        `^This operation requires the scope ${operation.scope}\\. Your role does not include it; ask an administrator for access\\.$`,
      );
      expectFailure(reply, 403, 10203, 'ACCESS_SCOPE_MISSING', detail);
      expect(reply.headers.get('www-authenticate')).toBe(
        `Bearer error="insufficient_scope", scope="${operation.scope}"`,
      );
    });
  }
});

test('every secured operation is covered', async () => {
  const { paths } = (await service.get('/openapi.json')).json as {
    paths: Record<string, Record<string, { security?: unknown[] }>>;
  };
  const secured = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => security && security.length > 0)
      .map(([method]) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '*')}`),
  );
  const asked = securedOperations.map(
    ({ method, path }) =>
      `${method} ${path.replace(/\/(?:nobody|[0-9a-f]{8}-[0-9a-f-]{27})/, '/*').replace(/\?.*/, '')}`,
  );
  const forPeople = [
    'POST /service/auth/sign-out',
    'POST /service/auth/change-password',
    'PUT /service/auth/language',
  ];
  expect(secured.sort()).toEqual([...asked, ...forPeople].sort());
});

test('the API description lists the scopes that each operation requires', async () => {
  const { paths } = (await service.get('/openapi.json')).json as {
    paths: Record<string, Record<string, { security: [{ clientCredentials: string[] }] }>>;
  };
  for (const { method, path, scope, alsoScope } of securedOperations) {
    const sent = path.replace(/\?.*/, '').replace(/\/(?:nobody|[0-9a-f]{8}-[0-9a-f-]{27})/, '/*');
    const [, methods = {}] =
      Object.entries(paths).find(([each]) => each.replaceAll(/\{\w+\}/g, '*') === sent) ?? [];
    const listed = methods[method.toLowerCase()]?.security[0].clientCredentials;
    expect([method, sent, listed]).toEqual([method, sent, [scope, alsoScope].filter(Boolean)]);
  }
});

describe('a role takes effect with the next request of a session', () => {
  const setRole = (serial: string, role: Role | null) =>
    service.request('PUT', `/service/users/${serial}/role`, { body: { role } });
  const list = ({ token }: GivenPerson) => service.get('/service/users?limit=1', { token });

  test('when it is assigned', async () => {
    const person = await givenPerson(service);
    expect((await list(person)).status).toBe(403);
    await setRole(person.serial, 'viewer');
    expect((await list(person)).status).toBe(200);
  });

  test('when it is removed', async () => {
    const person = await givenPerson(service, 'viewer');
    expect((await list(person)).status).toBe(200);
    await setRole(person.serial, null);
    const reply = await list(person);
    expectFailure(reply, 403, 10203, 'ACCESS_SCOPE_MISSING', /requires the scope users:read. Your role/);
  });

  test('when it is reduced', async () => {
    const person = await givenPerson(service, 'operator');
    const create = () => service.post('/service/users', {}, { token: person.token });
    expect((await create()).status).toBe(400);
    await setRole(person.serial, 'viewer');
    expect((await create()).status).toBe(403);
    expect((await list(person)).status).toBe(200);
  });

  test('when administrators change their own role', async () => {
    const person = await givenPerson(service, 'administrator');
    const path = `/service/users/${person.serial}/role`;
    const give = { body: { role: 'operator' }, token: person.token };
    expect((await service.request('PUT', path, give)).status).toBe(200);
    expect((await service.request('PUT', path, give)).status).toBe(403);
  });
});

test('an operator cannot become an administrator through user updates', async () => {
  const person = await givenPerson(service, 'operator');
  const { token, serial, employeeID } = person;
  const role = 'administrator';
  const replies = [
    await service.request('PATCH', `/service/users/${serial}`, { body: { role }, token }),
    await service.post(
      '/service/users',
      { employeeID: newId(), name: 'A', email: 'a@b.c', isActive: true, role },
      { token },
    ),
  ];
  for (const reply of replies) {
    expectFailure(reply, 400, 10108, 'USER_FIELD_NOT_ACCEPTED', /^"role" is not a field of this operation/);
  }
  const bulk = await service.post(
    '/service/users/update-bulk',
    { items: [{ employeeID, name: 'A', isActive: true, role }] },
    { token },
  );
  expect(bulk.json.data.failedItems[0].error.errorCode).toBe(10108);
  expect((await service.get('/service/auth/me', { token })).json.data.role).toBe('operator');
});
