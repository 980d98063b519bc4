import { describe, expect, test } from 'vitest';
import type { Attribute } from '../../../src/contract/attributes.js';
import { resourceTypes, schemas, serviceProviderConfig } from '../../../src/scim/discovery.js';
import { urns } from '../../../src/scim/schemas.js';

const base = 'https://people.example.com/scim/v2';
/** What a schema says of an attribute; the rest is for other callers. */
const badge = { key: 'badge', type: 'list', labels: { en: 'Badges' }, choices: ['a'], isUnique: true };
const companyAttributes = [badge as unknown as Attribute];
const described = schemas(base, companyAttributes);

interface Described {
  readonly name: string;
  readonly subAttributes?: readonly Described[];
  readonly [characteristic: string]: unknown;
}

const attributesOf = (id: string) =>
  described.find((schema) => schema.id === id)?.attributes as readonly Described[];
const named = (id: string, name: string) => attributesOf(id).find((each) => each.name === name);

test('ServiceProviderConfig has everything that is required, also about cursors', () => {
  const limits = { bulkOperationsMax: 10, bulkPayloadMaxBytes: 20, pageMax: 30, pageDefault: 5 };
  expect(serviceProviderConfig(base, limits)).toEqual({
    schemas: [urns.config],
    patch: { supported: true },
    bulk: { supported: true, maxOperations: 10, maxPayloadSize: 20 },
    filter: { supported: true, maxResults: 30 },
    changePassword: { supported: true },
    sort: { supported: true },
    etag: { supported: true },
    pagination: {
      ...{ cursor: true, index: true, defaultPaginationMethod: 'index' },
      ...{ defaultPageSize: 5, maxPageSize: 30 },
    },
    authenticationSchemes: [
      expect.objectContaining({
        type: 'oauthbearertoken',
        name: expect.any(String),
        description: expect.any(String),
      }),
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
  });
});

test('ResourceTypes have endpoints relative to the base, and schemas that /Schemas describes', () => {
  const types = resourceTypes(base, companyAttributes);
  expect(types.map(({ name, endpoint, schema }) => [name, endpoint, schema])).toEqual([
    ['User', '/Users', urns.user],
    ['Group', '/Groups', urns.group],
  ]);
  const ids = described.map(({ id }) => id);
  for (const { schemas: own, schema, schemaExtensions = [], meta } of types) {
    expect(own).toEqual([urns.resourceType]);
    expect(meta).toMatchObject({ resourceType: 'ResourceType' });
    expect(ids).toContain(schema);
    for (const extension of schemaExtensions as { schema: string; required: boolean }[]) {
      expect(extension.required).toBe(false);
      expect(ids).toContain(extension.schema);
    }
  }
});

describe('Schemas', () => {
  test('have unique URNs as IDs, and their own URLs', () => {
    expect(new Set(described.map(({ id }) => id)).size).toBe(described.length);
    for (const { id, schemas: own, name, meta } of described) {
      expect(own).toEqual([urns.schema]);
      expect(name).toEqual(expect.any(String));
      expect(meta).toEqual({ resourceType: 'Schema', location: `${base}/Schemas/${id}` });
    }
  });

  test('describe each attribute with every characteristic', () => {
    const check = (attribute: Described): void => {
      expect(attribute.name).toMatch(/^(?:[A-Za-z][\w$-]*|\$ref)$/);
      expect(attribute).toMatchObject({
        type: expect.stringMatching(/^(?:string|boolean|decimal|integer|dateTime|binary|reference|complex)$/),
        multiValued: expect.any(Boolean),
        description: expect.any(String),
        required: expect.any(Boolean),
        caseExact: expect.any(Boolean),
        mutability: expect.stringMatching(/^(?:readOnly|readWrite|immutable|writeOnly)$/),
        returned: expect.stringMatching(/^(?:always|never|default|request)$/),
        uniqueness: expect.stringMatching(/^(?:none|server|global)$/),
      });
      expect(attribute.type === 'complex', attribute.name).toBe(attribute.subAttributes !== undefined);
      expect(attribute.type === 'reference', attribute.name).toBe(attribute.referenceTypes !== undefined);
      for (const each of attribute.subAttributes ?? []) check(each);
    };
    for (const { id } of described) for (const each of attributesOf(String(id))) check(each);
  });

  test('have the characteristics that RFC 7643 gives to its attributes', () => {
    expect(named(urns.user, 'userName')).toMatchObject({
      required: true,
      caseExact: false,
      uniqueness: 'server',
    });
    expect(named(urns.user, 'password')).toMatchObject({ mutability: 'writeOnly', returned: 'never' });
    expect(named(urns.user, 'groups')).toMatchObject({ mutability: 'readOnly', multiValued: true });
    expect(named(urns.group, 'displayName')).toMatchObject({ required: true });
    const [certificate, photo] = ['x509Certificates', 'photos'].map(
      (name) => named(urns.user, name)?.subAttributes?.[0],
    );
    expect([certificate?.type, photo?.type]).toEqual(['binary', 'reference']);
    const members = named(urns.group, 'members')?.subAttributes ?? [];
    expect(members.filter(({ mutability }) => mutability === 'immutable').map(({ name }) => name)).toEqual([
      ...['value', '$ref', 'type'],
    ]);
  });
});
