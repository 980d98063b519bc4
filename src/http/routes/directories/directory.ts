import type { TSchema } from 'typebox';
import {
  type DirectoryKind,
  OrganizationListReply,
  OrganizationReply,
  organizationFields,
  PutOrganization,
  PutTag,
  TagListReply,
  TagReply,
  tagFields,
} from '../../../contract/directories.js';

/** The words and schemas in which the two directories differ. */
export interface Directory {
  readonly kind: DirectoryKind;
  readonly url: string;
  readonly noun: string;
  readonly aNoun: string;
  readonly nouns: string;
  /** In operation IDs: getOrganization, listOrganizations. */
  readonly name: string;
  readonly names: string;
  readonly listReply: TSchema;
  readonly reply: TSchema;
  readonly body: TSchema;
  readonly fields: typeof organizationFields | typeof tagFields;
  readonly example: {
    readonly serial: string;
    readonly displayName: string;
    readonly [field: string]: unknown;
  };
  readonly exampleBody: object;
}

export const organizations: Directory = {
  kind: 'organizations',
  url: '/service/organizations',
  noun: 'organization',
  aNoun: 'an organization',
  nouns: 'organizations',
  name: 'Organization',
  names: 'Organizations',
  listReply: OrganizationListReply,
  reply: OrganizationReply,
  body: PutOrganization,
  fields: organizationFields,
  example: {
    serial: 'ORG7',
    displayName: 'Sales, Berlin',
    parentSerial: 'ORG1',
    hasParts: false,
    users: { total: 42, active: 40, isExact: true },
  },
  exampleBody: { displayName: 'Sales, Berlin', parentSerial: 'ORG1' },
};

export const tags: Directory = {
  kind: 'tags',
  url: '/service/tags',
  noun: 'tag',
  aNoun: 'a tag',
  nouns: 'tags',
  name: 'Tag',
  names: 'Tags',
  listReply: TagListReply,
  reply: TagReply,
  body: PutTag,
  fields: tagFields,
  example: { serial: 'T1', displayName: 'First aiders', users: { total: 42, active: 40, isExact: true } },
  exampleBody: { displayName: 'First aiders' },
};
