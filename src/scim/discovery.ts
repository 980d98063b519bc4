import type { Attribute } from '../contract/attributes.js';
import type { JsonObject } from './language/json.js';
import { schemaDescriptions, urns } from './schemas.js';

/** What `/ServiceProviderConfig` says (RFC 7643, section 5; RFC 9865 for pagination). */
export function serviceProviderConfig(
  baseUrl: string,
  limits: {
    readonly bulkOperationsMax: number;
    readonly bulkPayloadMaxBytes: number;
    readonly pageMax: number;
    readonly pageDefault: number;
  },
): JsonObject {
  return {
    schemas: [urns.config],
    patch: { supported: true },
    bulk: {
      supported: true,
      maxOperations: limits.bulkOperationsMax,
      maxPayloadSize: limits.bulkPayloadMaxBytes,
    },
    filter: { supported: true, maxResults: limits.pageMax },
    changePassword: { supported: true },
    sort: { supported: true },
    etag: { supported: true },
    pagination: {
      cursor: true,
      index: true,
      defaultPaginationMethod: 'index',
      defaultPageSize: limits.pageDefault,
      maxPageSize: limits.pageMax,
    },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'OAuth Bearer Token',
        description: 'A long-lived token of the provider, or one from POST /oauth/token.',
        specUri: 'https://www.rfc-editor.org/rfc/rfc6750',
        primary: true,
      },
    ],
    meta: metaOf('ServiceProviderConfig', `${baseUrl}/ServiceProviderConfig`),
  };
}

export function resourceTypes(baseUrl: string, company: readonly Attribute[]): JsonObject[] {
  const described = schemaDescriptions(company).map(({ id }) => id);
  const extensions = [urns.enterprise, urns.company].filter((urn) => described.includes(urn));
  const types = [
    {
      id: 'User',
      description: 'User Account',
      endpoint: '/Users',
      schema: urns.user,
      schemaExtensions: extensions.map((schema) => ({ schema, required: false })),
    },
    { id: 'Group', description: 'Group', endpoint: '/Groups', schema: urns.group },
  ];
  return types.map((type) => ({
    schemas: [urns.resourceType],
    ...type,
    name: type.id,
    meta: metaOf('ResourceType', `${baseUrl}/ResourceTypes/${type.id}`),
  }));
}

export function schemas(baseUrl: string, company: readonly Attribute[]): JsonObject[] {
  return schemaDescriptions(company).map((description) => ({
    schemas: [urns.schema],
    ...description,
    meta: metaOf('Schema', `${baseUrl}/Schemas/${description.id}`),
  }));
}

function metaOf(resourceType: string, location: string): JsonObject {
  return { resourceType, location };
}
