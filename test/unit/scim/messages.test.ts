import { expect, test } from 'vitest';
import { failure } from '../../../src/contract/errors.js';
import { patchOperationsIn } from '../../../src/scim/bulk/operation.js';
import { versionsIn } from '../../../src/scim/entity-tags.js';
import { scimError } from '../../../src/scim/error-body.js';
import { listResponse } from '../../../src/scim/list-query.js';
import { urns } from '../../../src/scim/schemas.js';

const Operations = [{ op: 'remove', path: 'title' }];

test('the schema of a PATCH may be left out', () => {
  for (const schemas of [[urns.patch], undefined, null]) {
    expect(patchOperationsIn({ schemas, Operations })).toEqual({ ok: true, value: Operations });
  }
});

test('a message of another schema is no PATCH', () => {
  for (const schemas of [[urns.user], [], urns.patch, [urns.bulkRequest]]) {
    expect(patchOperationsIn({ schemas, Operations })).toMatchObject({
      ok: false,
      scimType: 'invalidSyntax',
      detail: `"schemas" must contain "${urns.patch}".`,
    });
  }
});

test('an error has its schema, its status as a string, and a scimType only if the RFC has one', () => {
  const taken = scimError(failure('USER_USERNAME_EXISTS', 'Taken.'));
  expect(taken).toMatchObject({
    status: 409,
    body: { schemas: [urns.error], status: '409', scimType: 'uniqueness', detail: 'Taken.' },
  });
  const invalid = scimError(failure('SCIM_REQUEST_INVALID', 'No.', { scimType: 'noTarget' }));
  expect(invalid.body).toMatchObject({ status: '400', scimType: 'noTarget' });
  expect(scimError(failure('SCIM_RESOURCE_NOT_FOUND', 'Gone.')).body).toEqual({
    ...{ schemas: [urns.error], status: '404', detail: 'Gone.' },
  });
});

test('a list says how many there are, and how many it has', () => {
  expect(listResponse({ resources: [{ id: '1' }], totalResults: 7, startIndex: 3 })).toEqual({
    ...{ schemas: [urns.list], totalResults: 7, itemsPerPage: 1, startIndex: 3, Resources: [{ id: '1' }] },
  });
  expect(listResponse({ resources: [], totalResults: 7, nextCursor: 'c' })).toEqual({
    ...{ schemas: [urns.list], totalResults: 7, itemsPerPage: 0, nextCursor: 'c', Resources: [] },
  });
});

test('entity tags are compared weakly, and * is every version', () => {
  for (const header of ['W/"3"', '"3"', '"1", W/"3"', '*'])
    expect(versionsIn(header)?.(3), header).toBe(true);
  for (const header of ['W/"2"', '3', 'W/3', '']) expect(versionsIn(header)?.(3), header).toBe(false);
  expect(versionsIn(undefined)).toBeUndefined();
});
