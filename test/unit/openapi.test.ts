import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createConfig, lint } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { errorCatalogue, errorNames } from '../../src/contract/errors.js';
import { withInlinedParts } from '../../src/http/openapi-shared-parts.js';

interface Media {
  readonly schema: unknown;
  readonly examples?: Record<string, { value: { errorCode?: number } }>;
}

interface Operation {
  readonly tags: readonly string[];
  readonly description?: string;
  readonly operationId: string;
  readonly requestBody?: { content: Record<string, Media> };
  readonly responses: Record<string, { content: Record<string, Media> }>;
}

type Json = Readonly<Record<string, unknown>>;

/** The committed document. `npm run check` checks that it matches the code. */
const documentUrl = new URL('../../openapi.json', import.meta.url);
const text = readFileSync(documentUrl, 'utf8');
const document = JSON.parse(text);
const inlined = withInlinedParts(document);
const operations: [string, Operation][] = Object.entries(
  inlined.paths as Record<string, Record<string, Operation>>,
).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]): [string, Operation] => [`${method} ${path}`, operation]),
);

/** Every object of the document, with its JSON pointer. */
function* objectsOf(node: unknown, pointer = ''): Generator<[pointer: string, object: Json]> {
  if (typeof node !== 'object' || node === null) return;
  if (!Array.isArray(node)) yield [pointer, node as Json];
  for (const [key, value] of Object.entries(node)) {
    yield* objectsOf(value, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  }
}

/** Escapes and groups that mean the same in every language, and anchors at both ends. */
const portablePattern = /^\^(?:[^\\("']|\((?!\?)|\\(?:[s\\.]|x[0-7][0-9a-f]))*\$$/;

describe('openapi.json', () => {
  test('is a valid OpenAPI 3.1 document', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(document.openapi).toMatch(/^3\.1\./);
  });

  test('describes nothing twice: errors, their examples and repeated parameters are components', () => {
    const { responses, examples, parameters } = document.components;
    expect(new Set(Object.values(responses).map((each) => JSON.stringify(each))).size).toBe(
      Object.keys(responses).length,
    );
    expect(Object.keys(examples)).toContain('USER_NOT_FOUND');
    const inPlace = Object.values<Record<string, { parameters?: object[]; responses: Json }>>(document.paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ parameters = [], responses }) => [
        ...parameters,
        ...Object.entries(responses as Record<string, object>).flatMap(([status, each]) =>
          Number(status) < 400 ? [] : each,
        ),
      ])
      .filter((part) => !('$ref' in part))
      .map((part) => JSON.stringify(part));
    expect(inPlace.filter((part, index) => inPlace.indexOf(part) !== index)).toEqual([]);
    expect(Object.keys(parameters)).toContain('idempotency-key');
    expect(text.length).toBeLessThan(930_000);
  });

  test('passes the strict rules of Redocly', async () => {
    // The test of all examples below takes a fraction of the time.
    const examples = ['media-type', 'parameter', 'schema'].map((of) => [`no-invalid-${of}-examples`, 'off']);
    const config = await createConfig({
      extends: ['recommended-strict'],
      rules: Object.fromEntries(examples),
    });
    const problems = await lint({ ref: fileURLToPath(documentUrl), config });
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  });

  test('describes its tags, and every operation in a sentence', () => {
    const declared = document.tags.map(({ name }: { name: string }) => name);
    for (const [name, { tags, description }] of operations) {
      expect(declared, name).toEqual(expect.arrayContaining([...tags]));
      expect(description, name).toMatch(/\.$/m);
    }
  });

  test('describes every operation', () => {
    expect(operations.map(([name]) => name).sort()).toEqual([
      'delete /service/applications/{id}',
      'delete /service/attributes/{key}',
      'delete /service/clients/{id}/tokens/{tokenId}',
      'delete /service/feeds/{key}',
      'delete /service/me/applications/{id}',
      'delete /service/me/factors/{id}',
      'delete /service/me/profile/{field}',
      'delete /service/me/sessions',
      'delete /service/me/sessions/{id}',
      'delete /service/organizations/{serial}',
      'delete /service/scim/targets/{id}',
      'delete /service/sessions',
      'delete /service/sessions/{id}',
      'delete /service/tags/{serial}',
      'delete /service/users/{serial}',
      'delete /service/users/{serial}/factors',
      'delete /service/users/{serial}/sessions',
      'delete /service/views/{id}',
      'delete /service/webhooks/{id}',
      'get /.well-known/jwks.json',
      'get /.well-known/oauth-authorization-server',
      'get /healthz',
      'get /readyz',
      'get /service/access-events',
      'get /service/activity',
      'get /service/applications',
      'get /service/applications/{id}',
      'get /service/attributes',
      'get /service/attributes/{key}',
      'get /service/auth/applications/{id}',
      'get /service/auth/me',
      'get /service/auth/methods',
      'get /service/backup',
      'get /service/calls',
      'get /service/calls/{id}',
      'get /service/calls/{id}/items',
      'get /service/changes',
      'get /service/clients',
      'get /service/clients/{id}',
      'get /service/clients/{id}/scim',
      'get /service/clients/{id}/scim/requests',
      'get /service/clients/{id}/tokens',
      'get /service/deliveries',
      'get /service/employee-ids/{employeeID}',
      'get /service/events',
      'get /service/feeds',
      'get /service/feeds/{key}',
      'get /service/feeds/{key}/runs',
      'get /service/feeds/{key}/runs/{run}',
      'get /service/feeds/{key}/runs/{run}/rows',
      'get /service/feeds/{key}/versions',
      'get /service/me/applications',
      'get /service/me/factors',
      'get /service/me/history',
      'get /service/me/notices',
      'get /service/me/profile',
      'get /service/me/sessions',
      'get /service/organizations',
      'get /service/organizations/{serial}',
      'get /service/scim/providers',
      'get /service/scim/targets',
      'get /service/scim/targets/{id}',
      'get /service/scim/targets/{id}/differences',
      'get /service/scim/targets/{id}/failures',
      'get /service/sessions',
      'get /service/settings',
      'get /service/statistics',
      'get /service/status',
      'get /service/tags',
      'get /service/tags/{serial}',
      'get /service/users',
      'get /service/users/{serial}',
      'get /service/users/{serial}/employee-ids',
      'get /service/users/{serial}/history',
      'get /service/users/{serial}/language',
      'get /service/users/{serial}/personal-data',
      'get /service/users/{serial}/reports',
      'get /service/users/{serial}/role',
      'get /service/views',
      'get /service/webhooks',
      'get /service/webhooks/{id}',
      'get /service/webhooks/{id}/deliveries',
      'get /service/webhooks/{id}/deliveries/{deliveryId}',
      'patch /service/applications/{id}',
      'patch /service/attributes/{key}',
      'patch /service/clients/{id}',
      'patch /service/feeds/{key}',
      'patch /service/me/factors/{id}',
      'patch /service/me/notices',
      'patch /service/me/profile',
      'patch /service/scim/targets/{id}',
      'patch /service/users/{serial}',
      'patch /service/views/{id}',
      'patch /service/webhooks/{id}',
      'post /oauth/revoke',
      'post /oauth/token',
      'post /service/applications',
      'post /service/applications/{id}/rotate',
      'post /service/attributes',
      'post /service/auth/change-password',
      'post /service/auth/check-password-link',
      'post /service/auth/factor',
      'post /service/auth/forgot-password',
      'post /service/auth/open-session',
      'post /service/auth/passkey/open-session',
      'post /service/auth/passkey/options',
      'post /service/auth/passkey/sign-in',
      'post /service/auth/prove',
      'post /service/auth/reset-password-with-link',
      'post /service/auth/sign-in',
      'post /service/auth/sign-out',
      'post /service/auth/sso/backchannel-logout',
      'post /service/calls/{id}/approve',
      'post /service/calls/{id}/cancel',
      'post /service/calls/{id}/take-over',
      'post /service/calls/{id}/undo',
      'post /service/clients',
      'post /service/clients/{id}/rotate',
      'post /service/clients/{id}/scim/allow-deactivations',
      'post /service/clients/{id}/tokens',
      'post /service/deliveries/release',
      'post /service/deliveries/{id}/resend',
      'post /service/employee-ids/{employeeID}/release',
      'post /service/feeds',
      'post /service/feeds/{key}/runs',
      'post /service/feeds/{key}/runs/{run}/approve',
      'post /service/feeds/{key}/runs/{run}/cancel',
      'post /service/feeds/{key}/runs/{run}/undo',
      'post /service/me/factors/passkeys',
      'post /service/me/factors/passkeys/options',
      'post /service/me/factors/recovery-codes',
      'post /service/me/factors/totp',
      'post /service/me/factors/totp/confirm',
      'post /service/me/profile/confirm',
      'post /service/organizations/merge',
      'post /service/organizations/remember-names',
      'post /service/organizations/rename',
      'post /service/organizations/resolve-names',
      'post /service/scim/targets',
      'post /service/scim/targets/{id}/compare',
      'post /service/scim/targets/{id}/repair',
      'post /service/scim/targets/{id}/sync',
      'post /service/tags/merge',
      'post /service/tags/remember-names',
      'post /service/tags/rename',
      'post /service/tags/resolve-names',
      'post /service/usernames/{username}/release',
      'post /service/users',
      'post /service/users/create-bulk',
      'post /service/users/erase-bulk',
      'post /service/users/lookup',
      'post /service/users/update-bulk',
      'post /service/users/update-matching',
      'post /service/users/upsert-bulk',
      'post /service/users/{serial}/reset-password',
      'post /service/views',
      'post /service/webhooks',
      'post /service/webhooks/{id}/deliveries/{deliveryId}/resend',
      'post /service/webhooks/{id}/replay',
      'post /service/webhooks/{id}/rotate',
      'post /service/webhooks/{id}/test',
      'put /service/auth/language',
      'put /service/clients/{id}/scim',
      'put /service/feeds/{key}/file',
      'put /service/organizations/{serial}',
      'put /service/tags/{serial}',
      'put /service/users/{serial}/language',
      'put /service/users/{serial}/role',
    ]);
  });

  test('has examples of every body and reply, and errors with the status and code of the catalogue', () => {
    for (const [name, { requestBody, responses }] of operations) {
      const { default: unrouted, ...replies } = responses;
      expect(unrouted, name).toEqual({ $ref: '#/components/responses/Unrouted' });
      for (const { content } of [...(requestBody ? [requestBody] : []), ...Object.values(replies)]) {
        for (const media of Object.values(content))
          expect(Object.keys(media.examples ?? {}), name).not.toEqual([]);
      }
      for (const [status, { content }] of Object.entries(replies).filter(([code]) => Number(code) >= 400)) {
        for (const [error, { value }] of Object.entries(content['application/json']?.examples ?? {})) {
          const entry = errorCatalogue[error as keyof typeof errorCatalogue];
          expect([String(entry.status), entry.code], name).toEqual([status, value.errorCode]);
        }
      }
    }
  });
});

describe('the schemas in openapi.json', () => {
  const objects = [...objectsOf(inlined)];
  const patterns = new Set(
    objects.map(([, { pattern }]) => pattern).filter((pattern) => typeof pattern === 'string'),
  );

  test('every pattern works in every language', () => {
    expect(patterns.size).toBeGreaterThan(10);
    for (const pattern of patterns) {
      expect(pattern).toMatch(portablePattern);
      expect(() => [new RegExp(pattern), new RegExp(pattern, 'u')]).not.toThrow();
    }
  });

  test.each([
    ['a Unicode class', '^\\p{L}+$'],
    ['a lookahead', '^(?=a)a$'],
    ['a named group', '^(?<a>b)$'],
    ['a Unicode escape', '^\\u0041$'],
    ['a class that differs between languages', '^\\d$'],
    ['a byte that is not a character in Ruby', '^[\\x7f-\\x9f]$'],
    ['a quote, which ends a literal in generated Python', '^"$'],
    ['no anchors', 'a'],
  ])('%s would not pass as portable', (_, pattern) => {
    expect(pattern).not.toMatch(portablePattern);
  });

  test('every example matches its schema', () => {
    const ajv = new Ajv2020({ strict: false, validateSchema: false, code: { optimize: false } });
    addFormats.default(ajv);
    ajv.addSchema(document, 'openapi.json');
    const validators = new Map<string, ValidateFunction>();
    const checked = new Set<string>();
    const mismatches: unknown[] = [];
    let count = 0;
    /** Most schemas and examples occur in many operations. */
    const check = (pointer: string, schema: unknown, value: unknown) => {
      count++;
      const text = JSON.stringify(schema).replaceAll('"#/components/', '"openapi.json#/components/');
      const pair = text + JSON.stringify(value);
      if (checked.has(pair)) return;
      checked.add(pair);
      const validate = validators.get(text) ?? ajv.compile(JSON.parse(text));
      validators.set(text, validate);
      if (!validate(value)) mismatches.push({ pointer, value, errors: validate.errors });
    };
    for (const [pointer, object] of objects) {
      const { schema, example, examples, type, anyOf } = object;
      if (schema !== undefined) {
        if (example !== undefined) check(pointer, schema, example);
        const named = (examples ?? {}) as Record<string, { value: unknown }>;
        for (const { value } of Object.values(named)) check(pointer, schema, value);
      } else if (Array.isArray(examples) && (type !== undefined || anyOf !== undefined)) {
        for (const value of examples) check(pointer, object, value);
      }
    }
    expect(mismatches).toEqual([]);
    expect(count).toBeGreaterThan(500);
  });
});

describe('docs/errors.md', () => {
  test('has a row for every error', () => {
    const page = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8');
    for (const name of errorNames) {
      const { code, status } = errorCatalogue[name];
      expect(page).toContain(`| ${code} | \`${name}\` | ${status} |`);
    }
  });
});
