import swagger from '@fastify/swagger';
import Fastify, { type FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deprecated } from '../../src/contract/deprecation.js';
import { announceDeprecatedRequests, deprecationHeaders } from '../../src/http/deprecation.js';
import { describeOperation } from '../../src/http/openapi.js';
import { openApiDocument } from '../../src/http/openapi-document.js';

const link = '/docs';
const ofOperation = { since: '2027-01-01', sunset: '2027-12-31', link };
const ofParameter = { since: '2027-02-01', link };
const ofHeader = { since: '2027-03-01', link };
const ofField = { since: '2027-04-01', link };

const at = (date: string) => `@${Date.parse(date) / 1_000}`;
const success = { status: 200, description: 'Done.', schema: Type.Object({}), example: {} };

/** An app with deprecated routes, which the service itself does not have. */
let app: FastifyInstance;

beforeAll(async () => {
  app = Fastify();
  app.setValidatorCompiler(() => () => true);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, bytes, done) =>
    done(null, { bytes }),
  );
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, text, done) => done(null, new URLSearchParams(String(text))),
  );
  await app.register(swagger, openApiDocument());
  announceDeprecatedRequests(app);
  const described = { summary: '', tag: 'Users', secured: false, success, errors: [] } as const;
  app.get('/old', {
    schema: describeOperation({ ...described, operationId: 'old', deprecation: ofOperation }),
    handler: async () => ({}),
  });
  const item = Type.Object({ phone: Type.String(), fax: Type.Optional(Type.String(deprecated(ofField))) });
  app.post('/new', {
    schema: describeOperation({
      ...described,
      operationId: 'new',
      parameters: {
        querystring: Type.Object({
          brake: Type.Optional(Type.Boolean(deprecated(ofParameter))),
          limit: Type.Optional(Type.Boolean()),
        }),
        headers: Type.Object({ 'X-Old': Type.Optional(Type.String(deprecated(ofHeader))) }),
      },
      body: { types: ['application/json'], schema: Type.Object({ items: Type.Array(item) }), examples: {} },
    }),
    handler: async (_request, reply) => reply.code(400).send({}),
  });
  await app.ready();
});

afterAll(() => app.close());

interface Sent {
  readonly query?: Record<string, string>;
  readonly headers?: Record<string, string>;
  readonly body?: string | object;
}

async function announced(method: 'GET' | 'POST', url: string, { query = {}, headers = {}, body }: Sent = {}) {
  const reply = await app.inject({ method, url, query, headers, ...(body === undefined ? {} : { body }) });
  expect(reply.statusCode).toBe(method === 'GET' ? 200 : 400);
  const { deprecation, sunset, link: links } = reply.headers;
  return { deprecation, sunset, links };
}

const nothing = { deprecation: undefined, sunset: undefined, links: undefined };
const links = '</docs>; rel="deprecation"';

describe('a deprecated operation', () => {
  test('announces when it was deprecated, when it may be gone, and where to read more', async () => {
    expect(await announced('GET', '/old')).toEqual({
      deprecation: '@1798761600',
      sunset: 'Fri, 31 Dec 2027 00:00:00 GMT',
      links,
    });
  });
});

describe('an operation with deprecated parameters and fields', () => {
  test.each<[string, Sent]>([
    ['without any of them', { query: { limit: 'true' }, headers: { 'x-new': '1' } }],
    ['with the name of one as a value', { body: { items: [{ phone: 'fax' }, { phone: '"fax":' }] } }],
    ['without a body', {}],
  ])('announces nothing %s', async (_, sent) => {
    expect(await announced('POST', '/new', sent)).toEqual(nothing);
  });

  test.each<[string, Sent, string]>([
    ['a parameter', { query: { brake: 'false' } }, ofParameter.since],
    ['a header', { headers: { 'x-old': '1' } }, ofHeader.since],
    ['a field', { body: { items: [{ phone: '1' }, { phone: '1', fax: null }] } }, ofField.since],
    [
      'a field of a form',
      { body: 'fax=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      ofField.since,
    ],
    [
      'a field after white space',
      { body: '{"items":[{"fax" \n: "1"}]}', headers: { 'content-type': 'application/json' } },
      ofField.since,
    ],
  ])('announces the use of %s, even if the request fails', async (_, sent, since) => {
    expect(await announced('POST', '/new', sent)).toEqual({ ...nothing, deprecation: at(since), links });
  });

  test('announces the earliest date if several are used', async () => {
    const sent = { query: { brake: 'true' }, headers: { 'x-old': '1' }, body: { items: [{ fax: '1' }] } };
    expect(await announced('POST', '/new', sent)).toEqual({
      ...nothing,
      deprecation: at(ofParameter.since),
      links,
    });
  });
});

test('several deprecations share the earliest dates, and have a link each', () => {
  const later = { since: '2027-05-01', sunset: '2027-11-30', link: 'https://example.com/news' };
  expect(deprecationHeaders([ofOperation, later, ofField])).toEqual({
    deprecation: at(ofOperation.since),
    sunset: 'Tue, 30 Nov 2027 00:00:00 GMT',
    link: `${links}, <https://example.com/news>; rel="deprecation"`,
  });
});

test('the API description marks the operation, the parameters and the fields', () => {
  const { paths } = app.swagger() as unknown as { paths: Record<string, Record<string, unknown>> };
  const parameter = (name: string, deprecation: object) =>
    expect.objectContaining({
      name,
      deprecated: true,
      schema: expect.objectContaining({ 'x-deprecation': deprecation }),
    });
  expect(paths['/old']?.get).toMatchObject({ deprecated: true, 'x-deprecation': ofOperation });
  expect(paths['/new']?.post).not.toHaveProperty('deprecated');
  expect(paths['/new']?.post).toMatchObject({
    parameters: expect.arrayContaining([
      parameter('brake', ofParameter),
      parameter('X-Old', ofHeader),
      expect.not.objectContaining({ deprecated: true }),
    ]),
    requestBody: {
      content: {
        'application/json': {
          schema: {
            properties: {
              items: {
                items: { properties: { fax: { deprecated: true, 'x-deprecation': ofField } } },
              },
            },
          },
        },
      },
    },
  });
});
