import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { withInlinedParts } from '../../src/http/openapi-shared-parts.js';
import { breakingEntries, isAnnounced } from '../support/api-compatibility/announcements.js';
import { breakingChanges } from '../support/api-compatibility/breaking-changes.js';
import type { ApiDocument, Operation, Schema } from '../support/api-compatibility/document.js';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

/** By release: what the service already rejected, but only later descriptions mention. */
const documentedLater: Readonly<Record<string, readonly RegExp[]>> = {
  '0.2.0': [
    /: parameter confirm has a maximum of 999999999 instead of none$/,
    /: parameter (?:cursor|idempotency-key|if-match) has a minLength of 1 instead of none$/,
    /: parameter \S+ has a pattern without "(?:\\u0000)?"$/,
    /^POST \/oauth\/token: body field scope has a pattern without "\\u0000"$/,
    /^POST \/oauth\/revoke: body field token has a minLength of 1 instead of none$/,
    /webhooks\S*: body field url has a (?:maxLength of 2000 instead of none|pattern without "")$/,
    /: body field (?:eventTypes|scopes) has a maxItems of 100 instead of none$/,
    /^PUT \/service\/users\/\{serial\}\/role: body field role is required$/,
    /^POST \/service\/deliveries\/release: body does not accept object ReleaseDeliveries$/,
  ],
};

describe('openapi.json', () => {
  const released = withInlinedParts(JSON.parse(read('test/support/api-compatibility/released.json')));
  const changes = breakingChanges(released, withInlinedParts(JSON.parse(read('openapi.json'))));
  const entries = breakingEntries(read('CHANGELOG.md'));
  const exceptions = documentedLater[released.info.version] ?? [];

  test('breaks nothing since the last release that CHANGELOG.md does not announce as **Breaking**', () => {
    const silent = changes.filter(
      (change) =>
        !exceptions.some((exception) => exception.test(change.problem)) && !isAnnounced(change, entries),
    );
    expect(silent.map(({ problem }) => problem)).toEqual([]);
  });

  test('has every exception that this file lists', () => {
    const unused = exceptions.filter((exception) => !changes.some(({ problem }) => exception.test(problem)));
    expect(unused).toEqual([]);
  });
});

const text: Schema = { type: 'string' };
const nothing: Schema = { type: 'null' };
const object = (properties: Record<string, Schema>, required = Object.keys(properties)): Schema => ({
  type: 'object',
  properties,
  required,
});
const json = (schema: Schema) => ({ content: { 'application/json': { schema } } });
const error = (errorCode: number, message: string, data: Schema = object({})): Schema =>
  object({
    errorCode: { type: 'number', const: errorCode },
    message: { type: 'string', const: message },
    data,
  });

const operation: Operation = { operationId: 'set', responses: { 200: json(object({})) } };

/** An API with one operation. */
function api(changed: Partial<Operation>, schemas: Record<string, Schema> = {}): ApiDocument {
  return { paths: { '/users': { post: { ...operation, ...changed } } }, components: { schemas } };
}

function problems(before: ApiDocument, after: ApiDocument): string[] {
  return breakingChanges(before, after).map(({ problem }) => problem.replace(/^POST \/users: /, ''));
}

describe('breaking changes of an operation', () => {
  test('are its removal, another name and a new need for a token', () => {
    const secured = { security: [{ bearer: [] }] };
    expect(problems(api({}), { paths: {} })).toEqual(['was removed']);
    expect(problems(api({}), { paths: { '/users': { put: operation } } })).toEqual(['was removed']);
    expect(problems(api({}), api({ operationId: 'put' }))).toEqual(['is called put instead of set']);
    expect(problems(api({}), api(secured))).toEqual(['needs a token']);
    expect(problems(api(secured), api({}))).toEqual([]);
  });

  test('are a parameter that is removed, moved or required', () => {
    const parameter = { in: 'query', name: 'mode', schema: text };
    const one = api({ parameters: [parameter] });
    expect(problems(one, api({}))).toEqual(['parameter mode was removed']);
    expect(problems(one, api({ parameters: [{ ...parameter, in: 'header' }] }))).toEqual([
      'parameter mode was removed',
    ]);
    expect(problems(one, api({ parameters: [{ ...parameter, required: true }] }))).toEqual([
      'parameter mode is required',
    ]);
    expect(problems(api({}), api({ parameters: [{ ...parameter, required: true }] }))).toEqual([
      'parameter mode is required',
    ]);
    expect(problems(api({}), one)).toEqual([]);
  });

  test('are a media type, a status and a header that are removed', () => {
    const form = { 'application/x-www-form-urlencoded': { schema: text } };
    const both = { ...json(text).content, ...form };
    const withHeader = { responses: { 200: { headers: { ETag: {} }, ...json(text) } } };
    expect(
      problems(api({ requestBody: { content: both } }), api({ requestBody: { content: form } })),
    ).toEqual(['body cannot be application/json']);
    expect(
      problems(api({ requestBody: { content: form } }), api({ requestBody: { content: both } })),
    ).toEqual([]);
    expect(problems(api({}), api({ responses: { 201: json(object({})) } }))).toEqual([
      'never replies with 200',
    ]);
    expect(problems(api(withHeader), api({ responses: { 200: json(text) } }))).toEqual([
      'reply header ETag was removed',
    ]);
  });

  test('are a body that is newly required or no longer accepted', () => {
    const body = json(text);
    expect(problems(api({}), api({ requestBody: { ...body, required: true } }))).toEqual(['needs a body']);
    expect(problems(api({ requestBody: body }), api({ requestBody: { ...body, required: true } }))).toEqual([
      'needs a body',
    ]);
    expect(problems(api({ requestBody: body }), api({}))).toEqual(['does not accept a body']);
    expect(problems(api({}), api({ requestBody: body }))).toEqual([]);
  });
});

describe('in a request', () => {
  const sending = (schema: Schema) => api({ requestBody: json(object({ phone: schema })) });
  const changes = (before: Schema, after: Schema) => problems(sending(before), sending(after));
  const orNull = (schema: Schema): Schema => ({ anyOf: [schema, nothing] });

  test.each<[string, Schema, Schema, string]>([
    ['another type', text, { type: 'integer' }, 'does not accept string'],
    ['null is rejected', orNull(text), text, 'does not accept null'],
    ['fewer numbers', { type: 'number' }, { type: 'integer' }, 'does not accept number'],
    [
      'a lower maximum',
      { ...text, maxLength: 64 },
      { ...text, maxLength: 32 },
      'has a maxLength of 32 instead of 64',
    ],
    [
      'a new maximum',
      { type: 'integer' },
      { type: 'integer', maximum: 9 },
      'has a maximum of 9 instead of none',
    ],
    ['a new minimum', text, { ...text, minLength: 1 }, 'has a minLength of 1 instead of none'],
    [
      'a minimum of 0',
      { type: 'integer' },
      { type: 'integer', minimum: 0 },
      'has a minimum of 0 instead of none',
    ],
    ['a removed value', { ...text, enum: ['a', 'b'] }, { ...text, enum: ['a', 'c'] }, 'does not accept "b"'],
    ['an enum', text, { ...text, enum: ['a'] }, 'is limited to certain values'],
    ['a new pattern', text, { ...text, pattern: '^[^@]*$' }, 'has a pattern without "@"'],
    [
      'a narrower pattern',
      { ...text, pattern: '^[\\w ]+$' },
      { ...text, pattern: '^\\w+$' },
      'has a pattern without " "',
    ],
    ['a format', text, { ...text, format: 'uuid' }, 'has the format uuid'],
    [
      'another default',
      { ...text, default: 'clear' },
      { ...text, default: 'keep' },
      'defaults to keep instead of clear',
    ],
    ['a removed field', object({ ext: text }, []), object({}), 'field ext was removed'],
    ['a required field', object({ ext: text }, []), object({ ext: text }), 'field ext is required'],
    ['a new required field', object({}), object({ ext: text }), 'field ext is required'],
    [
      'no other fields',
      object({}),
      { ...object({}), additionalProperties: false },
      'does not accept other fields',
    ],
    [
      'narrower elements',
      { type: 'array', items: orNull(text) },
      { type: 'array', items: text },
      'does not accept null',
    ],
    [
      'fewer elements',
      { type: 'array', maxItems: 9 },
      { type: 'array', maxItems: 8 },
      'has a maxItems of 8 instead of 9',
    ],
    [
      'narrower values under any name',
      { ...object({}), additionalProperties: text },
      { ...object({}), additionalProperties: nothing },
      'does not accept string',
    ],
  ])('%s is breaking', (_, before, after, problem) => {
    expect(changes(before, after)).toEqual([`body field phone ${problem}`]);
  });

  test.each<[string, Schema, Schema]>([
    ['more types', text, orNull(text)],
    ['more numbers', { type: 'integer' }, { type: 'number' }],
    ['wider limits', { ...text, minLength: 3, maxLength: 32 }, { ...text, maxLength: 64 }],
    ['more values', { ...text, enum: ['a'] }, { ...text, enum: ['a', 'b'] }],
    ['any value', { ...text, enum: ['a'] }, text],
    ['a wider pattern', { ...text, pattern: '^(?=.*\\p{L})[^@]+$' }, { ...text, pattern: '^[^@]*$' }],
    ['no pattern', { ...text, pattern: '^a$' }, text],
    ['a new optional field', object({}), object({ ext: text }, [])],
    ['a field that is no longer required', object({ ext: text }), object({ ext: text }, [])],
    ['a default', text, { ...text, default: 'keep' }],
  ])('%s: not breaking', (_, before, after) => {
    expect(changes(before, after)).toEqual([]);
  });
});

describe('in a reply', () => {
  const replying = (schema: Schema) => api({ responses: { 200: json(object({ user: schema })) } });
  const changes = (before: Schema, after: Schema) => problems(replying(before), replying(after));
  const user: Schema = { ...object({ name: text }), title: 'User' };
  const version: Schema = { ...object({ version: text }), title: 'Version' };

  test.each<[string, Schema, Schema, string]>([
    ['a removed field', user, object({}), 'field name was removed'],
    ['an optional field', user, object({ name: text }, []), 'field name can be absent'],
    ['another type', text, { type: 'integer' }, 'can be integer'],
    ['null', text, { anyOf: [text, nothing] }, 'can be null'],
    ['any number', { type: 'integer' }, { type: 'number' }, 'can be number'],
    ['a renamed value', { ...text, const: 'success' }, { ...text, const: 'ok' }, 'is never "success"'],
    ['another format', { ...text, format: 'date-time' }, { ...text, format: 'date' }, 'has the format date'],
    [
      'another object',
      { anyOf: [user, version] },
      { anyOf: [user, { ...version, title: 'Other' }] },
      'can be object Other',
    ],
    [
      'other events',
      { ...text, 'x-event-data': user },
      { ...text, 'x-event-data': object({}) },
      'field name was removed',
    ],
  ])('%s is breaking', (_, before, after, problem) => {
    expect(changes(before, after)).toEqual([`reply field user ${problem}`]);
  });

  test.each<[string, Schema, Schema]>([
    ['a new field', user, object({ name: text, phone: text })],
    ['more values', { ...text, enum: ['a'] }, { ...text, enum: ['a', 'b'] }],
    ['never null', { anyOf: [text, nothing] }, text],
    ['whole numbers', { type: 'number' }, { type: 'integer' }],
    ['other limits', { ...text, maxLength: 32, pattern: '^a$' }, { ...text, maxLength: 64, pattern: '^b$' }],
    ['an item error', { anyOf: [user, error(1, 'OLD')] }, { anyOf: [user, error(2, 'NEW')] }],
  ])('%s: not breaking', (_, before, after) => {
    expect(changes(before, after)).toEqual([]);
  });
});

describe('of an error', () => {
  const failing = (status: number, schema: Schema) =>
    api(
      { responses: { ...operation.responses, [status]: json({ $ref: '#/components/schemas/Failure' }) } },
      {
        Failure: schema,
      },
    );
  const before = failing(409, error(10304, 'CALL_REFUSED', object({ total: text })));

  test('another name, another status and removed data are breaking', () => {
    expect(problems(before, failing(409, error(10304, 'CALL_LIMITED', object({ total: text }))))).toEqual([
      'error CALL_REFUSED field message is never "CALL_REFUSED"',
    ]);
    expect(problems(before, failing(422, error(10304, 'CALL_REFUSED', object({ total: text }))))).toEqual([
      'error CALL_REFUSED of POST /users has the status 422 instead of 409',
    ]);
    expect(problems(before, failing(409, error(10304, 'CALL_REFUSED')))).toEqual([
      'error CALL_REFUSED field data field total was removed',
    ]);
  });

  test('more data, another error and no error are not', () => {
    const more = error(10304, 'CALL_REFUSED', object({ total: text, cleared: text }));
    expect(problems(before, failing(409, more))).toEqual([]);
    expect(problems(before, failing(422, error(10305, 'CALL_UNDONE')))).toEqual([]);
    expect(problems(before, api({}))).toEqual([]);
  });
});

describe('an announcement', () => {
  const changelog = (section: string, entry: string) =>
    `# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A thing.\n\n### ${section}\n\n${entry}\n- Another \`thing\`.\n\n## [0.1.0] - 2026-01-01\n\n### Changed\n\n- **Breaking** \`old\`.\n`;
  const removed = breakingChanges(api({}), { paths: {} });
  const ofField = [{ subject: 'phone', problem: '' }];

  test.each([
    ['names the operation', 'Removed', '- **Breaking**: `POST /users` is gone.', removed],
    ['names the field', 'Changed', '- **Breaking**: an item needs\n  `phone`.', ofField],
    ['names the field with its path', 'Changed', '- **Breaking**: `items[].phone` is gone.', ofField],
  ])('%s', (_, section, entry, changes) => {
    const entries = breakingEntries(changelog(section, entry));
    expect(changes.map((change) => isAnnounced(change, entries))).toEqual([true]);
  });

  test.each([
    ['is not marked as breaking', 'Changed', '- `phone` is gone.'],
    ['is among the additions', 'Fixed', '- **Breaking**: `phone` is gone.'],
    ['names another field', 'Changed', '- **Breaking**: `phones` and `thing` are gone, but not the phone.'],
    [
      'is of an earlier release',
      'Changed',
      '- Nothing.\n\n## [0.2.0] - 2026-02-02\n\n### Changed\n\n- **Breaking** `phone`',
    ],
  ])('does not count if it %s', (_, section, entry) => {
    const entries = breakingEntries(changelog(section, entry));
    expect(ofField.map((change) => isAnnounced(change, entries))).toEqual([false]);
  });
});
