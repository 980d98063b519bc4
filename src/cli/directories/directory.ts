import type { Item } from '#client';

export type Entry = Item<'listTags'> & Partial<Pick<Item<'listOrganizations'>, 'parentSerial'>>;

/** The names in which the two directories differ. */
export const organizations = {
  noun: 'organization',
  nouns: 'organizations',
  /** The option of `rollcall users update` that gives a user one. */
  userOption: '--organization ORG7',
  operations: {
    list: 'listOrganizations',
    get: 'getOrganization',
    put: 'putOrganization',
    delete: 'deleteOrganization',
    rename: 'renameOrganization',
    merge: 'mergeOrganization',
  },
} as const;

export const tags = {
  noun: 'tag',
  nouns: 'tags',
  userOption: '--tags T1',
  operations: {
    list: 'listTags',
    get: 'getTag',
    put: 'putTag',
    delete: 'deleteTag',
    rename: 'renameTag',
    merge: 'mergeTag',
  },
} as const;

export type Directory = typeof organizations | typeof tags;

export function hasParents(directory: Directory): boolean {
  return directory.noun === 'organization';
}
