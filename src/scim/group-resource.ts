import type { StoredMembers } from './group-members.js';
import { type JsonObject, own } from './language/json.js';
import { urns } from './schemas.js';
import { entityTag } from './user-resource.js';

/** A tag as providers see it. */
export interface ProvisionedGroup {
  readonly serial: string;
  /** Null if the directory has none. */
  readonly displayName: string | null;
  /** Counts the changes by providers. 1 for a tag that none has changed. */
  readonly version: number;
  readonly externalIds: Readonly<Record<string, string>>;
  readonly providers: readonly string[];
  /** Null for tags that are older than the record of when they were added. */
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
}

export interface GroupUser {
  readonly serial: string;
  readonly name: string;
}

/** All members of a group, or a page of them. */
export interface ShownMembers {
  readonly users: readonly GroupUser[];
  readonly stored: StoredMembers;
}

export interface GroupFacts {
  readonly clientId: string;
  /** The URL of `/scim/v2`. */
  readonly baseUrl: string;
}

export function groupName({ displayName, serial }: Pick<ProvisionedGroup, 'displayName' | 'serial'>): string {
  return displayName ?? serial;
}

/** A group as a SCIM resource. Without members, it is the resource of a group that has none. */
export function groupResource(
  group: ProvisionedGroup,
  members: ShownMembers | undefined,
  facts: GroupFacts,
): JsonObject {
  const { serial, version, externalIds, createdAt, updatedAt } = group;
  const externalId = own(externalIds, facts.clientId);
  const listed = members ? membersOf(members, facts) : [];
  return {
    schemas: [urns.group],
    id: serial,
    ...(externalId !== undefined && { externalId }),
    meta: {
      resourceType: 'Group',
      ...(createdAt !== null && { created: createdAt }),
      ...(updatedAt !== null && { lastModified: updatedAt }),
      location: groupLocation(serial, facts.baseUrl),
      version: entityTag(version),
    },
    displayName: groupName(group),
    ...(listed.length > 0 && { members: listed }),
  };
}

export function groupLocation(serial: string, baseUrl: string): string {
  return `${baseUrl}/Groups/${encodeURIComponent(serial)}`;
}

function membersOf({ users, stored }: ShownMembers, { baseUrl }: GroupFacts): JsonObject[] {
  const others = Object.entries(stored).filter(([, { isUser }]) => !isUser);
  return [
    ...users.map(({ serial, name }) => {
      const { isUser: _, ...note } = (own(stored, serial) ?? {}) as JsonObject;
      return { value: serial, $ref: `${baseUrl}/Users/${serial}`, type: 'User', display: name, ...note };
    }),
    ...others.map(([value, details]) => ({ value, ...details })),
  ];
}
