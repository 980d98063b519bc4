import { readFileSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { createdClient } from '../../support/api-clients.js';
import { useOwnService } from '../../support/service.js';

const page = readFileSync('docs/contract.md', 'utf8');
const document = JSON.parse(readFileSync('openapi-contract.json', 'utf8'));

/** The users of the page must not exist yet. */
const service = useOwnService();

interface Message {
  readonly start: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** The requests and responses of the page, in turn. */
const messages = [...page.matchAll(/^```http\n(.*?)^```$/gms)].map(([, text = '']): Message => {
  const [head = '', body = ''] = text.split(/\n\n(.*)/s);
  const [start = '', ...lines] = head.trimEnd().split('\n');
  const headers = lines.map((line) => line.split(/: (.*)/, 2) as [string, string]);
  return { start, headers, body: body.trim() };
});
const serial = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;

test('every request of docs/contract.md gets the response that follows it', async () => {
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  ajv.addSchema(document, 'contract');
  const { clientId, clientSecret } = await createdClient(service, ['users:read', 'users:write']);
  const values = new Map([
    ['<base64 of CLIENT_ID:CLIENT_SECRET>', Buffer.from(`${clientId}:${clientSecret}`).toString('base64')],
  ]);
  const filled = (text: string) =>
    [...values].reduce((all, [name, value]) => all.replaceAll(name, value), text);
  expect(messages.length).toBeGreaterThan(10);
  for (let at = 0; at < messages.length; at += 2) {
    const [request, response] = messages.slice(at, at + 2) as [Message, Message];
    const [method = '', path = ''] = request.start.split(' ');
    const headers = Object.fromEntries(
      request.headers.map(([name, value]) => [name.toLowerCase(), filled(value)]),
    );
    const reply = await service.request(method, path, {
      token: null,
      rawBody: request.body,
      headers: { 'content-type': 'application/json', ...headers },
    });
    const expected = filled(response.body);
    // Tokens and serials are new each time. Those of the page stand for the same value wherever they occur.
    if (reply.json.access_token) values.set('<ACCESS_TOKEN>', reply.json.access_token);
    const [shown = [], sent = []] = [response, { body: reply.text }].map(
      ({ body }) => body.match(serial) ?? [],
    );
    shown.forEach((name, index) => {
      if (!values.has(name) && sent[index]) values.set(name, sent[index]);
    });
    const what = `${request.start} ${request.body}`;
    expect([what, `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status]}`]).toEqual([what, response.start]);
    expect(reply.json, what).toEqual(JSON.parse(filled(expected)));
    for (const [name, value] of response.headers)
      expect([name, reply.headers.get(name)]).toEqual([name, filled(value)]);
    const [operation = ''] = path.split('?');
    const { content } = document.paths[operation].post.responses[reply.status];
    const schema = content?.['application/json'].schema.$ref ?? '#/components/schemas/Error';
    const validate = ajv.getSchema(`contract${schema}`);
    expect([what, validate?.(reply.json), validate?.errors]).toEqual([what, true, null]);
  }
});
