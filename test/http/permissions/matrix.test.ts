import { beforeAll, describe, expect, test } from 'vitest';
import { type Role, type Scope, scopes } from '../../../src/contract/scopes.js';
import { revoke } from '../../support/api-clients.js';
import { givenClient } from '../../support/clients.js';
import { signedToken } from '../../support/own-tokens.js';
import { giveRole } from '../../support/protected-users.js';
import { patternOf, type SecuredOperation, securedOperations } from '../../support/secured-operations.js';
import { issueToken, useService } from '../../support/service.js';
import { givenNewcomer, givenSignedInUser } from '../../support/signed-in-users.js';

/** Every operation with every kind of token: what is allowed, and exactly how the rest is rejected. */
const service = useService();

// Written out instead of derived from the code, because permissions are part of the contract.
const rolesAllow: readonly (readonly [role: Role | null, scopes: readonly Scope[]])[] = [
  [null, []],
  ['viewer', ['users:read']],
  ['operator', ['users:read', 'users:write']],
  [
    'administrator',
    ['users:read', 'users:write', 'access:admin', 'audit:read', 'attributes:sensitive', 'scim'],
  ],
];

/** Each scope alone, and all of them. */
const scopesOfClients: readonly (readonly Scope[])[] = [...scopes.map((scope) => [scope]), scopes];

/** The outcome of a request: `allowed`, or status, code, challenge and detail of the rejection. */
type Outcome = string;
type Expected = (operation: SecuredOperation) => Outcome;

/** Sent without a socket, because a thousand connections cost more than what is tested here. */
async function outcomeOf({ method, path, body }: SecuredOperation, token: string | null): Promise<Outcome> {
  const { statusCode, headers, payload } = await service.app.inject({
    method: method as 'GET',
    url: path,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  });
  if ([200, 400, 404].includes(statusCode)) return 'allowed';
  const { errorCode, detail } = JSON.parse(payload);
  return rejection(statusCode, errorCode, headers['www-authenticate'], detail);
}

function rejection(status: number, code: number, challenge: unknown, detail: string): Outcome {
  return `${status} ${code} [${challenge ?? ''}] ${detail}`;
}

const tokenRequired = rejection(
  401,
  10201,
  'Bearer',
  'Send "Authorization: Bearer <token>" with a token from POST /oauth/token or POST /service/auth/sign-in.',
);
const invalid = (detail: string) => rejection(401, 10202, 'Bearer error="invalid_token"', detail);
const tokenInvalid = invalid('The token is invalid or has expired. Get a new one from POST /oauth/token.');
const sessionEnded = invalid(
  'Your session has ended: it has expired, was not used for a while, or was ended elsewhere. Sign in again with POST /service/auth/sign-in.',
);
const changeRequired = rejection(
  403,
  10211,
  null,
  'Change your initial password first, with POST /service/auth/change-password.',
);
const userRequired = rejection(
  403,
  10214,
  null,
  'This operation requires a user session. Get one from POST /service/auth/sign-in.',
);

/** The first scope that the operation requires and the caller lacks. */
function missingScope(
  { scope, orScopes, alsoScope }: SecuredOperation,
  allowed: readonly Scope[],
): Scope | undefined {
  if (orScopes?.every((each) => allowed.includes(each))) return undefined;
  return [scope, alsoScope].find((each) => each !== undefined && !allowed.includes(each));
}

function scopeMissing(scope: Scope, advice: string): Outcome {
  const challenge = `Bearer error="insufficient_scope", scope="${scope}"`;
  return rejection(403, 10203, challenge, `This operation requires the scope ${scope}. ${advice}`);
}

const always =
  (outcome: Outcome): Expected =>
  () =>
    outcome;

const ofClient =
  (allowed: readonly Scope[]): Expected =>
  (operation) => {
    if (operation.forUsers) return userRequired;
    const missing = missingScope(operation, allowed);
    return missing ? scopeMissing(missing, 'Request a token that includes it.') : 'allowed';
  };

const ofUser =
  (allowed: readonly Scope[]): Expected =>
  (operation) => {
    const missing = missingScope(operation, allowed);
    const advice = 'Your role does not include it; ask an administrator for access.';
    return missing ? scopeMissing(missing, advice) : 'allowed';
  };

/** Sends every operation with the token, and returns those with another outcome. */
async function surprises(token: string | null, expected: Expected): Promise<unknown[]> {
  const send = async (operation: SecuredOperation) => {
    const actual = await outcomeOf(operation, token);
    const wanted = expected(operation);
    return actual === wanted ? [] : [{ operation: patternOf(operation), wanted, actual }];
  };
  const signOut = securedOperations.at(-1) as SecuredOperation;
  const others = await Promise.all(securedOperations.slice(0, -1).map(send));
  return [...others.flat(), ...(await send(signOut))];
}

/** The scopes that were recorded as missing in requests of this caller. */
async function recordedAsForbidden(actorId: string): Promise<unknown[]> {
  const { rows } = await service.database.pool.query(
    `SELECT DISTINCT detail ->> 'scope' AS scope FROM access_events
     WHERE kind = 'request.forbidden' AND actor_id = $1 ORDER BY 1`,
    [actorId],
  );
  return rows.map(({ scope }) => scope);
}

/** The scopes that some operation reports as missing. */
function reportedAsMissing(allowed: readonly Scope[]): unknown[] {
  const missing = securedOperations.flatMap((operation) => missingScope(operation, allowed) ?? []);
  return [...new Set(missing)].sort();
}

describe('every operation is rejected', () => {
  let client: Awaited<ReturnType<typeof givenClient>>;
  beforeAll(async () => {
    client = await givenClient(service);
  });

  const tokens: Record<string, () => string | null | Promise<string>> = {
    'no token': () => null,
    'a client token that has expired': () => {
      const now = Math.floor(Date.now() / 1000);
      return signedToken(service, client.clientId, { claims: { iat: now - 120, exp: now - 1 } });
    },
    'a token of another issuer': () =>
      signedToken(service, client.clientId, { claims: { iss: 'https://elsewhere.example' } }),
    'a revoked client token': async () => {
      const token = await issueToken(service.url, client);
      expect((await service.get('/service/users?limit=1', { token })).status).toBe(200);
      expect((await revoke(service, client, token)).status).toBe(200);
      return token;
    },
    'a session that has ended': async () => {
      const { token } = await givenSignedInUser(service, 'administrator');
      expect((await service.request('POST', '/service/auth/sign-out', { token })).status).toBe(200);
      return token;
    },
  };

  test.each(Object.entries(tokens))('with %s', async (_, given) => {
    const token = await given();
    const outcome = token === null ? tokenRequired : token.startsWith('rcs_') ? sessionEnded : tokenInvalid;
    expect(await surprises(token, always(outcome))).toEqual([]);
  });

  test('with an initial password, except changing it and signing out, whatever the role', async () => {
    const { serial, username, password } = await givenNewcomer(service);
    await giveRole(service, serial, 'administrator');
    const token = (await service.signIn(username, password)).json.data.accessToken;
    const expected: Expected = ({ duringPasswordChange }) =>
      duringPasswordChange ? 'allowed' : changeRequired;
    expect(await surprises(token, expected)).toEqual([]);
    expect(await recordedAsForbidden(serial)).toEqual([]);
  });
});

describe('every operation is allowed with its scopes only, and the rest is recorded,', () => {
  test.each(scopesOfClients.map((each) => [each.join(' '), each] as const))(
    'for a client token with %s',
    async (_, allowed) => {
      const client = await givenClient(service);
      const token = await issueToken(service.url, client, allowed.join(' '));
      expect(await surprises(token, ofClient(allowed))).toEqual([]);
      expect(await recordedAsForbidden(client.clientId)).toEqual(reportedAsMissing(allowed));
    },
  );

  test.each(rolesAllow)('for a user with the role %s', async (role, allowed) => {
    const { serial, token } = await givenSignedInUser(service, role);
    expect(await surprises(token, ofUser(allowed))).toEqual([]);
    expect(await recordedAsForbidden(serial)).toEqual(reportedAsMissing(allowed));
  });
});

test('every secured operation of the API description is listed here, with its scopes', async () => {
  const { paths } = (await service.get('/openapi.json')).json as {
    paths: Record<string, Record<string, { security?: [{ clientCredentials: string[] }] }>>;
  };
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => security && security.length > 0)
      .map(([method, { security }]) => [patternOf({ method, path }), security?.[0].clientCredentials]),
  );
  const listed = securedOperations.map((operation) => [
    patternOf(operation),
    [operation.scope, operation.alsoScope].filter(Boolean),
  ]);
  expect(Object.fromEntries(described)).toEqual(Object.fromEntries(listed));
  expect(listed).toHaveLength(described.length);
});
