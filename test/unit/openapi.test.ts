import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { errorCatalogue, errorNames } from '../../src/contract/errors.js';

interface Media {
  readonly schema: unknown;
  readonly examples?: Record<string, { value: { errorCode?: number } }>;
}

interface Operation {
  readonly operationId: string;
  readonly requestBody?: { content: Record<string, Media> };
  readonly responses: Record<string, { content: Record<string, Media> }>;
}

/** The committed document. `npm run check` checks that it matches the code. */
const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'));
const operations: [string, Operation][] = Object.entries(
  document.paths as Record<string, Record<string, Operation>>,
).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]): [string, Operation] => [`${method} ${path}`, operation]),
);

describe('openapi.json', () => {
  test('is a valid OpenAPI 3.1 document', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(document.openapi).toMatch(/^3\.1\./);
  });

  test('describes every operation', () => {
    expect(operations.map(([name]) => name).sort()).toEqual([
      'delete /service/webhooks/{id}',
      'get /.well-known/jwks.json',
      'get /.well-known/oauth-authorization-server',
      'get /healthz',
      'get /readyz',
      'get /service/access-events',
      'get /service/auth/me',
      'get /service/calls',
      'get /service/calls/{id}',
      'get /service/changes',
      'get /service/clients',
      'get /service/clients/{id}',
      'get /service/deliveries',
      'get /service/events',
      'get /service/users',
      'get /service/users/{serial}',
      'get /service/users/{serial}/history',
      'get /service/users/{serial}/role',
      'get /service/webhooks',
      'get /service/webhooks/{id}',
      'patch /service/clients/{id}',
      'patch /service/users/{serial}',
      'patch /service/webhooks/{id}',
      'post /oauth/revoke',
      'post /oauth/token',
      'post /service/auth/change-password',
      'post /service/auth/sign-in',
      'post /service/auth/sign-out',
      'post /service/calls/{id}/undo',
      'post /service/clients',
      'post /service/clients/{id}/rotate',
      'post /service/deliveries/release',
      'post /service/deliveries/{id}/resend',
      'post /service/users',
      'post /service/users/create-bulk',
      'post /service/users/lookup',
      'post /service/users/update-bulk',
      'post /service/users/{serial}/reset-password',
      'post /service/webhooks',
      'post /service/webhooks/{id}/replay',
      'post /service/webhooks/{id}/rotate',
      'put /service/users/{serial}/role',
    ]);
  });

  test.each(operations)('%s has examples of its body and every reply', (_, { requestBody, responses }) => {
    const contents = [...(requestBody ? [requestBody] : []), ...Object.values(responses)].map(
      ({ content }) => content,
    );
    for (const media of contents.flatMap((content) => Object.values(content))) {
      expect(Object.keys(media.examples ?? {})).not.toEqual([]);
    }
  });

  test.each(operations)('%s lists errors with the status and code from the catalogue', (_, { responses }) => {
    for (const [status, { content }] of Object.entries(responses).filter(([code]) => Number(code) >= 400)) {
      for (const [name, { value }] of Object.entries(content['application/json']?.examples ?? {})) {
        const entry = errorCatalogue[name as keyof typeof errorCatalogue];
        expect([String(entry.status), entry.code]).toEqual([status, value.errorCode]);
      }
    }
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

  test('no two errors have the same number', () => {
    expect(new Set(errorNames.map((name) => errorCatalogue[name].code)).size).toBe(errorNames.length);
  });
});
