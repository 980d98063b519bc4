import { beforeAll, describe, expect, test } from 'vitest';
import { rawRequest, sendRaw } from '../../support/raw-http.js';
import {
  bodyVariants,
  type DescribedBody,
  type DescribedOperation,
  type DescribedParameter,
  describedOperations,
  type ParameterVariant,
  parameterVariants,
} from '../../support/schema-variants.js';
import { useOwnService } from '../../support/service.js';
import { givenSignedInUser } from '../../support/signed-in-users.js';

const service = useOwnService({
  ROLLCALL_PUBLIC_URL: 'https://people.example.com',
  ROLLCALL_SECURITY_CONTACT: 'security@example.com',
  ROLLCALL_SIGN_IN_FREE_FAILURES: '1000000',
  ROLLCALL_SIGN_IN_FREE_FAILURES_PER_ADDRESS: '1000000',
  ROLLCALL_TOKEN_REQUESTS_PER_MINUTE_MAX: '0',
  ROLLCALL_WEBHOOK_HOSTS: 'hooks.invalid', // so that no name has to be resolved
});

const operations = describedOperations();
let userToken: string;
beforeAll(async () => {
  userToken = (await givenSignedInUser(service, 'viewer')).token;
  // An upsert requires a name only for a new user.
  const upsert = operations.find(({ id }) => id === 'upsertUsersBulk')?.body?.examples[0];
  await service.upsertBulk((upsert as { items: unknown[] }).items);
});

const ofUsers = new Set([
  'addPasskey',
  'changeOwnProfile',
  'changePassword',
  'confirmContact',
  'confirmTotp',
  'createView',
  'deleteView',
  'endOtherSessions',
  'endOwnAccess',
  'endOwnSession',
  'getNoticeChoices',
  'getOwnHistory',
  'getOwnProfile',
  'giveFactor',
  'listOwnApplications',
  'listOwnFactors',
  'listOwnSessions',
  'listViews',
  'prove',
  'removeFactor',
  'renameFactor',
  'renewRecoveryCodes',
  'setNoticeChoices',
  'setOwnLanguage',
  'startPasskey',
  'startTotp',
  'updateView',
  'withdrawContact',
]);

interface Answer {
  readonly status: number;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: replies of every shape
  readonly json: any;
}

/** Calls that notice when their client disconnects, for which there has to be one. */
const needsNetwork = /Bulk$|Matching$|^undo|^createUser$/;

/** Thousands of requests, so without a network if possible. */
async function send(
  { id, method, path }: DescribedOperation,
  body: unknown,
  { query = '', isValid = true }: { query?: string | undefined; isValid?: boolean } = {},
): Promise<Answer> {
  const isOfUsers = ofUsers.has(id);
  if (isValid && needsNetwork.test(id)) {
    return service.request(method, path + query, { body, token: service.token });
  }
  const inject = (token: string) =>
    service.app.inject({
      method: method as 'POST',
      url: path + query,
      headers: {
        authorization: `Bearer ${token}`,
        'sec-fetch-site': 'same-origin', // as the console, for the operation that sets its cookie
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    });
  let reply = await inject(isOfUsers ? userToken : service.token);
  // A valid request of another operation has ended all sessions.
  if (isOfUsers && reply.statusCode === 401) reply = await inject(await signInAgain());
  return { status: reply.statusCode, text: reply.body, json: reply.json() };
}

async function signInAgain(): Promise<string> {
  userToken = (await givenSignedInUser(service)).token;
  return userToken;
}

/** Errors about the request itself, rather than about what it refers to. */
const ofTheRequest = /^(REQUEST_(BODY|PARAMETER)_INVALID|USER_(FIELD_\w+|NOT_AN_OBJECT|CONTACT_REQUIRED))$/;

/** These look for the client or the user first. */
const otherStatus: Readonly<Record<string, number>> = {
  issueToken: 401,
  revokeToken: 401,
  userHistory: 404,
  listCallItems: 404,
  listReports: 404,
  listFeedVersions: 404,
  listFeedRuns: 404,
  listFeedRows: 404,
  listClientTokens: 404,
  listScimRequests: 404,
  listScimDifferences: 404,
  listScimPushFailures: 404,
};

function isRejected({ id }: DescribedOperation, { status, json }: Answer, change: string): boolean {
  if (json?.message === 'WEBHOOK_URL_REFUSED' || json?.message === 'SCIM_TARGET_URL_REFUSED')
    return change.startsWith('.url');
  return status === 400 || status === otherStatus[id];
}

/**
 * A patch has to change something, and no tag in two ways, and the limits of an attribute depend on its type, which
 * schemas can't say. Nor can they check URLs, schedules and mappings.
 */
const acrossFields: Readonly<Record<string, RegExp>> = {
  updateMatching: /^patch(\.addTagSerials)?$/,
  createAttribute: /^(choices|maxLength|pattern|minimum|maximum|isUnique|isSearchable)$/,
  createFeed: /^(source|schedule|mapping|inform|chatUrl)$/,
  updateFeed: /^(source|schedule|mapping|inform|chatUrl)$/,
};

function isAccepted({ id }: DescribedOperation, { status, json }: Answer): boolean {
  if (status >= 500) return false;
  if (json?.data?.parameter === 'effectiveAt' && /in the future/.test(json.detail)) return true; // no schema can say that
  if (json?.data?.parameter === 'includeParts') return true; // nor that it needs an organization
  if (id === 'prove' && /"password" or a "passkey"/.test(json?.detail)) return true; // nor that one of them is needed
  if (id === 'createUser' && /^"EMPLOYEEID"/.test(json?.detail)) return true; // nor what is misspelled
  return !ofTheRequest.test(json?.message) || acrossFields[id]?.test(json.data?.field) === true;
}

/** Accepted, although the schema says otherwise: white space that is collapsed, and empty and repeated serials. */
const isNormalized =
  /too long because of white space$|(agSerials|organizationSerials)(\[0\])?( = \[?null\]?| too short| with too many elements)$/;

/** Which attributes exist depends on the company. */
const isUndefinedAttribute = /attributes( = \{| with )/;

const describedVariants = (body: DescribedBody) =>
  bodyVariants(body).filter(({ change, isValid }) =>
    isValid ? !isUndefinedAttribute.test(change) : !isNormalized.test(change),
  );

interface Variant {
  readonly change: string;
  readonly body: unknown;
  readonly query?: string;
  readonly isValid: boolean;
}

const isInvalid = ({ isValid }: Variant) => !isValid;

async function expectAgreement(operation: DescribedOperation, variants: readonly Variant[]): Promise<void> {
  const wrong: string[] = [];
  const check = async ({ change, body, query, isValid }: Variant) => {
    const reply = await send(operation, body, { query, isValid });
    if (isValid ? isAccepted(operation, reply) : isRejected(operation, reply, change)) return;
    wrong.push(`${isValid ? 'valid' : 'invalid'}: ${change}: ${reply.status} ${reply.text}`);
  };
  for (let at = 0; at < variants.length; at += sentAtOnce) {
    await Promise.all(variants.slice(at, at + sentAtOnce).map(check));
  }
  expect(wrong).toEqual([]);
  expect(variants.some(isInvalid)).toBe(true);
}

const sentAtOnce = 50;

const isBulk = ({ id }: DescribedOperation) => id.endsWith('UsersBulk');

describe('the schema of the body of', () => {
  const withBody = operations.flatMap(({ body, ...operation }) => (body ? [{ ...operation, body }] : []));

  test.each(withBody.filter((operation) => !isBulk(operation)))('$id says what is accepted', (operation) => {
    const query = operation.id === 'updateMatching' ? '?dryRun=true' : '';
    const variants = describedVariants(operation.body).map(({ value, ...variant }) => ({
      ...variant,
      body: value,
      query,
    }));
    // What is accepted is also tested with a bulk create, and with the filters of a list.
    const isSlow = ['createUser', 'updateMatching'].includes(operation.id);
    const sent = isSlow ? variants.filter(({ isValid }, at) => !isValid || at % 4 === 0) : variants;
    return expectAgreement(operation, sent);
  });

  test.each(withBody.filter(isBulk))('$id says what is accepted', async (operation) => {
    const variants = describedVariants(operation.body).map(({ value, ...variant }) => {
      const { items, ...others } = { ...(value as { items?: unknown }) };
      const isItem = Array.isArray(items) && items.length === 1 && Object.keys(others).length === 0;
      return { ...variant, value, item: isItem ? items[0] : undefined };
    });
    for (const { change, value } of variants.filter(({ item, isValid }) => item === undefined && !isValid)) {
      const reply = await send(operation, value, { query: '?dryRun=true', isValid: false });
      expect(reply.status, change).toBe(400);
    }
    // Items are reported one by one, so one call is enough for all of them.
    const inItems = variants.filter(({ item }) => item !== undefined);
    const query = operation.id === 'updateUsersBulk' ? '?dryRun=true&details=true' : '?dryRun=true';
    const reply = await send(operation, { items: inItems.map(({ item }) => item) }, { query });
    const rejected = new Map<number, unknown>();
    for (const { position, error } of reply.json.data.failedItems) {
      if (ofTheRequest.test(error.message)) rejected.set(position, error.detail);
    }
    const wrong = inItems
      .map(({ change, isValid }, position) => ({ change, isValid, error: rejected.get(position) }))
      .filter(({ isValid, error }) => isValid !== (error === undefined));
    expect(wrong).toEqual([]);
    expect(rejected.size).toBeGreaterThan(operation.id === 'eraseUsersBulk' ? 10 : 100); // one field, or many
  });
});

describe('the schemas of the query parameters of', () => {
  const withQuery = operations.filter(({ parameters }) => parameters.length > 0);
  const known = new Set<string>();

  /** All variants for the first operation with such a parameter. For the others, one of each kind shows that it is read. */
  function variantsOf(parameter: DescribedParameter): ParameterVariant[] {
    const variants = parameterVariants(parameter);
    const { name, schema } = parameter;
    const key = JSON.stringify({ name, schema });
    if (!known.has(key)) {
      known.add(key);
      return variants;
    }
    const one = (valid: boolean) => variants.filter(({ isValid }) => isValid === valid).slice(0, 1);
    return [...one(true), ...one(false)];
  }

  test.each(
    withQuery.map((operation) => {
      const body = operation.body?.examples[0];
      const requests = operation.parameters.flatMap((parameter) =>
        variantsOf(parameter).map(({ text, isValid }) => {
          const query = `?${new URLSearchParams({ [parameter.name]: text })}`;
          return { change: query, query, body, isValid };
        }),
      );
      return { ...operation, requests };
    }),
  )('$id say what is accepted', ({ requests, ...operation }) =>
    // A valid request to follow events would start a stream.
    expectAgreement(operation, operation.id === 'followEvents' ? requests.filter(isInvalid) : requests),
  );
});

const everywhere = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'rollcall-api-version': '1',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

const ofTheApi = {
  ...everywhere,
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

function expectHeaders(headers: Headers, expected: Record<string, string>, what: string): void {
  const got = Object.fromEntries(Object.keys(expected).map((name) => [name, headers.get(name)]));
  expect(got, what).toEqual(expected);
  expect(headers.get('access-control-allow-origin'), what).toBeNull();
}

/** Documents that are public and may be cached. */
const publicDocuments: Record<string, string> = {
  '/.well-known/jwks.json': 'public, max-age=60',
  '/.well-known/oauth-authorization-server': 'public, max-age=300',
  '/.well-known/security.txt': 'public, max-age=86400',
  '/openapi.json': 'public, max-age=60',
};

describe('every reply of the API', () => {
  test('is not stored, sniffed, framed or shared, whatever its operation and outcome', async () => {
    const { paths } = (await service.get('/openapi.json')).json;
    const described = Object.entries(paths as Record<string, object>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => [method.toUpperCase(), path] as const),
    );
    expect(described.length).toBeGreaterThan(30);
    const statuses = new Set<number>();
    for (const [method, path] of described) {
      const concrete = path.replaceAll(/\{\w+\}/g, '0198c0de-7a11-7000-8000-5f1e2d3c4b5a');
      const body = ['GET', 'HEAD', 'DELETE'].includes(method) ? {} : { body: {} };
      const isStream = path === '/service/events'; // which never ends
      const replies = [
        await service.request(method, concrete, { ...body, token: null }),
        ...(isStream ? [await streamHeaders(concrete)] : [await service.request(method, concrete, body)]),
        await sendRaw(service.url, rawRequest('TRACE', concrete, {})),
      ];
      for (const { status, headers } of replies) {
        statuses.add(status);
        const caching =
          status === 200 ? (publicDocuments[path] ?? (isStream && 'no-store, no-transform')) : '';
        const expected = { ...ofTheApi, 'cache-control': caching || 'no-store' };
        expectHeaders(headers, expected, `${method} ${path} ${status}`);
      }
    }
    expect([...statuses].sort()).toEqual(expect.arrayContaining([200, 400, 401, 404, 405]));
  });

  async function streamHeaders(path: string): Promise<Response> {
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${service.token}` };
    const response = await fetch(service.url + path, { headers, signal: leaving.signal });
    leaving.abort();
    return response;
  }

  test.each([
    ['an unknown path', () => rawRequest('GET', '/nope', {}), 404],
    ['a malformed URL', () => rawRequest('GET', '/%zz', {}), 400],
    ['an invalid Host', () => rawRequest('GET', '/healthz', { host: 'a b' }), 400],
    ['input that is not HTTP', () => 'hello\r\n\r\n', 400],
    ['headers that are too large', () => rawRequest('GET', '/', { a: 'x'.repeat(20_000) }), 431],
    ['an Expect header', () => rawRequest('GET', '/healthz', { expect: 'x' }), 400],
    ['an unknown asset', () => rawRequest('GET', '/assets/nothing.js', {}), 404],
  ])('including that to %s', async (_, request, status) => {
    const reply = await sendRaw(service.url, request());
    expect(reply.status).toBe(status);
    expectHeaders(reply.headers, ofTheApi, reply.text);
  });
});

describe('public documents', () => {
  test.each(Object.entries(publicDocuments))('%s may be cached: %s', async (path, caching) => {
    const reply = await service.get(path, { token: null });
    expect(reply.status).toBe(200);
    expectHeaders(reply.headers, { ...ofTheApi, 'cache-control': caching }, path);
  });

  test('security.txt has a contact, canonical URL and expiry', async () => {
    const { text, headers } = await service.get('/.well-known/security.txt', { token: null });
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const fields = Object.fromEntries(
      text
        .trim()
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
    );
    expect(fields).toMatchObject({
      Contact: 'mailto:security@example.com',
      Canonical: 'https://people.example.com/.well-known/security.txt',
      'Preferred-Languages': 'en',
    });
    const daysLeft = (Date.parse(fields.Expires ?? '') - Date.now()) / 86_400_000;
    expect(daysLeft).toBeGreaterThan(30);
    expect(daysLeft).toBeLessThan(365);
  });

  test.each(['/openapi.json', '/docs/yaml', '/docs/', '/docs/static/operations/createUser.json', '/'])(
    '%s is compressed and has an ETag',
    async (path) => {
      const read = async (headers: Record<string, string>) => {
        const response = await fetch(`${service.url}${path}`, { headers });
        return { response, text: await response.text() };
      };
      const plain = await read({ 'accept-encoding': 'identity' });
      expect(plain.response.status).toBe(200);
      for (const encoding of ['br', 'gzip']) {
        const { response, text } = await read({ 'accept-encoding': encoding });
        expect(response.headers.get('content-encoding')).toBe(encoding);
        expect(response.headers.get('vary')).toBe('accept-encoding');
        expect(text).toBe(plain.text);
        const etag = response.headers.get('etag') ?? '';
        expect(etag).toMatch(/^"[\w-]{20,}"$/);
        expect(etag).not.toBe(plain.response.headers.get('etag'));
        const again = await read({ 'accept-encoding': encoding, 'if-none-match': `"x", W/${etag}` });
        expect([again.response.status, again.text]).toEqual([304, '']);
        expect(again.response.headers.get('etag')).toBe(etag);
        expectHeaders(again.response.headers, everywhere, path);
      }
    },
  );

  test.each(['/.well-known/jwks.json', '/.well-known/oauth-authorization-server'])(
    '%s has an ETag too',
    async (path) => {
      const etag = (await service.get(path, { token: null })).headers.get('etag') ?? '';
      const again = await service.get(path, { token: null, headers: { 'if-none-match': etag } });
      expect([again.status, again.text]).toEqual([304, '']);
    },
  );
});

describe('pages', () => {
  test.each(['/', '/users', '/docs/', '/docs/static/page.js'])(
    '%s has its own policy and the common headers',
    async (path) => {
      const { headers, status } = await service.get(path, { token: null });
      expect(status).toBe(200);
      expectHeaders(headers, everywhere, path);
      expect(headers.get('content-security-policy')).toMatch(/script-src 'self';.*style-src 'self'/);
      expect(headers.get('content-security-policy')).toMatch(/frame-ancestors 'none'/);
    },
  );
});
