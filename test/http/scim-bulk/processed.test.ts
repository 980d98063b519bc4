import { describe, expect, test } from 'vitest';
import { enterprise, givenScimProvider } from '../../support/scim.js';
import { newId, useService } from '../../support/service.js';

const service = useService();

function aResource(others: object = {}, manager?: string) {
  const employeeNumber = newId('E').replace(/[^A-Za-z0-9]/g, '');
  return {
    userName: employeeNumber,
    emails: [{ value: 'someone@x.example' }],
    [enterprise]: { employeeNumber, ...(manager !== undefined && { manager: { value: manager } }) },
    ...others,
  };
}

const post = (bulkId: string, data: object) => ({ method: 'post', path: '/Users', bulkId, data });
const statusesIn = (json: { Operations: { status: string }[] }) =>
  json.Operations.map(({ status }) => status);

describe('the response', () => {
  test('has location, version and status of each operation, and the error of those that failed', async () => {
    const client = await givenScimProvider(service, { kind: 'other', employeeId: 'reject' });
    const user = aResource();
    const reply = await client.bulk([
      post('a', user),
      post('b', user),
      {
        method: 'PATCH',
        path: '/scim/v2/Users/bulkId:a',
        data: { Operations: [{ op: 'replace', value: { displayName: 'Ada' } }] },
      },
    ]);
    expect(reply.status).toBe(200);
    expect(reply.json.schemas).toEqual(['urn:ietf:params:scim:api:messages:2.0:BulkResponse']);
    const [created, failed, patched] = reply.json.Operations;
    expect(created).toEqual({
      method: 'POST',
      bulkId: 'a',
      location: expect.stringMatching(/\/scim\/v2\/Users\/[0-9a-f-]{36}$/),
      version: 'W/"1"',
      status: '201',
    });
    expect(failed).toEqual({
      method: 'POST',
      bulkId: 'b',
      status: '409',
      response: {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
        status: '409',
        scimType: 'uniqueness',
        detail: expect.not.stringContaining('items['),
      },
    });
    expect(patched).toEqual({ method: 'PATCH', location: created.location, version: 'W/"2"', status: '200' });
  });

  test('omits operations after as many failures as failOnErrors allows, and they are not applied', async () => {
    const client = await givenScimProvider(service, { kind: 'other', employeeId: 'reject' });
    const [first, last] = [aResource(), aResource()];
    const operations = [
      post('a', first),
      post('b', first),
      post('c', aResource()),
      post('d', first),
      post('e', last),
    ];
    const reply = await client.bulk(operations, { failOnErrors: 2 });
    expect(statusesIn(reply.json)).toEqual(['201', '409', '201', '409']);
    expect((await client.send('POST', '/Users', last)).status).toBe(201);
    for (const failOnErrors of [0, -1, 1.5, '2']) {
      expect((await client.bulk(operations, { failOnErrors })).json).toMatchObject({
        status: '400',
        scimType: 'invalidValue',
      });
    }
  });
});

describe('references', () => {
  test('may lead forward, and make a line that is as long as a call', async () => {
    const client = await givenScimProvider(service, { kind: 'other', employeeId: 'reject' });
    const count = 90;
    const line = Array.from({ length: count }, (_, at) =>
      post(`${at}`, aResource({}, at === count - 1 ? undefined : `bulkId:${at + 1}`)),
    );
    const reply = await client.bulk(line);
    expect(new Set(statusesIn(reply.json))).toEqual(new Set(['201']));
    const [first, second] = reply.json.Operations;
    const read = await client.send('GET', first.location.split('/scim/v2')[1]);
    expect(read.json[enterprise].manager.value).toBe(second.location.split('/').at(-1));
  });

  test('in circles, to nothing, and to what fails are errors of these operations alone', async () => {
    const client = await givenScimProvider(service, { kind: 'other', employeeId: 'reject' });
    const reply = await client.bulk([
      post('a', aResource({}, 'bulkId:b')),
      post('b', aResource({}, 'bulkId:a')),
      post('c', aResource({}, 'bulkId:nothing')),
      post('d', aResource({ emails: [] })),
      post('e', aResource({}, 'bulkId:d')),
      post('f', aResource({}, 'bulkId:e')),
      { method: 'DELETE', path: '/Users/bulkId:a' },
      post('g', aResource()),
      post('g', aResource()),
    ]);
    expect(statusesIn(reply.json)).toEqual(['409', '409', '400', '400', '409', '409', '409', '201', '400']);
  });

  test('of ten thousand operations in a line take time in proportion', async () => {
    const client = await givenScimProvider(service, { kind: 'other', employeeId: 'reject' });
    const line = Array.from({ length: 10_000 }, (_, at) => post(`${at}`, aResource({}, `bulkId:${at + 1}`)));
    const statuses = statusesIn((await client.bulk(line)).json);
    expect(new Set(statuses)).toEqual(new Set(['400', '409']));
  });
});

describe('what is wrong', () => {
  test('with one operation fails that operation', async () => {
    const client = await givenScimProvider(service, { kind: 'other', employeeId: 'reject' });
    const reply = await client.bulk([
      { method: 'GET', path: '/Users' },
      { method: 'PATCH', path: '/Users' },
      { method: 'POST', path: '/Users', data: aResource() },
      { method: 'POST', path: '/Elsewhere', bulkId: 'x', data: {} },
      { method: 'PUT', path: '/Users/nobody', data: aResource() },
      { method: 'POST', path: '/Users', bulkId: 'y', data: 7 },
      post('large', aResource({ nickName: 'x'.repeat(1024 * 1024) })),
      post('text', aResource({ userName: '\ud800' })),
      7 as unknown as object,
      post('fine', aResource()),
    ]);
    expect(statusesIn(reply.json)).toEqual([
      '400',
      '400',
      '400',
      '400',
      '404',
      '400',
      '413',
      '400',
      '400',
      '201',
    ]);
    expect(reply.json.Operations[6]).toMatchObject({ method: 'POST', bulkId: 'large' });
  });

  test('with the request is a SCIM error', async () => {
    const client = await givenScimProvider(service, { kind: 'other', employeeId: 'reject' });
    const deep = `{"Operations":${'['.repeat(1_000)}${']'.repeat(1_000)}}`;
    const many = { Operations: Array.from({ length: 10_001 }, () => ({})) };
    const bodies = [
      ['{"Operations":', 400],
      [deep, 400],
      ['{}', 400],
      ['[]', 400],
      ['7', 400],
      ['{"Operations":{}}', 400],
      [JSON.stringify(many), 413],
    ] as const;
    for (const [rawBody, status] of bodies) {
      const reply = await client.send('POST', '/Bulk', undefined, { rawBody });
      expect(reply.status, rawBody.slice(0, 40)).toBe(status);
      expect(reply.json).toMatchObject({
        schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
        status: String(status),
      });
    }
  });
});

describe('safety', () => {
  test('deactivations beyond the limit fail, and all others succeed', async () => {
    const client = await givenScimProvider(service, { kind: 'other', employeeId: 'reject' });
    const created = await client.bulk(Array.from({ length: 14 }, (_, at) => post(`${at}`, aResource())));
    const paths: string[] = created.json.Operations.map(
      ({ location }: { location: string }) => location.split('/scim/v2')[1],
    );
    const limit = (await service.get(`${client.path}/scim`)).json.data.deactivations.limit as number;
    const operations = [...paths.map((path) => ({ method: 'DELETE', path })), post('last', aResource())];
    const statuses = statusesIn((await client.bulk(operations)).json);
    expect(statuses.filter((status) => status === '204')).toHaveLength(Math.min(limit, 14));
    expect(statuses.filter((status) => status === '403')).toHaveLength(Math.max(14 - limit, 0));
    expect(statuses.at(-1)).toBe('201');
  });

  test('one request is one call, which can be undone', async () => {
    const client = await givenScimProvider(service, { kind: 'other', employeeId: 'reject' });
    const kept = (await client.send('POST', '/Users', aResource({ displayName: 'Before' }))).json;
    const reply = await client.bulk([
      post('a', aResource()),
      {
        method: 'PATCH',
        path: `/Users/${kept.id}`,
        version: kept.meta.version,
        data: { Operations: [{ op: 'replace', value: { displayName: 'After' } }] },
      },
      {
        method: 'PATCH',
        path: `/Users/${kept.id}`,
        version: 'W/"1"',
        data: { Operations: [{ op: 'replace', value: { displayName: 'Lost' } }] },
      },
    ]);
    expect(statusesIn(reply.json)).toEqual(['201', '200', '412']);
    const calls = (await service.get(`/service/calls?actorId=${client.clientId}`)).json.data.items;
    expect(calls[0]).toMatchObject({
      kind: 'upsert-bulk',
      items: 3,
      succeeded: 2,
      failed: 1,
      changes: 2,
      source: 'SCIM',
    });
    const undone = await service.post(`/service/calls/${calls[0].id}/undo`, {});
    expect(undone.status, undone.text).toBe(200);
    expect((await client.send('GET', `/Users/${kept.id}`)).json.displayName).toBe('Before');
  });
});
