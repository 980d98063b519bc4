import { expect, test } from 'vitest';
import { patchOperationsIn } from '../../../src/scim/bulk/operation.js';
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
