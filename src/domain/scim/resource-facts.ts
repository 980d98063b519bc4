import { parseAttributes } from '../../contract/attribute-values.js';
import type { Attribute } from '../../contract/attributes.js';
import type { JsonObject } from '../../scim/language/json.js';
import type { ScimSchema } from '../../scim/language/schema.js';
import type { ProviderSettings } from '../../scim/provider-settings.js';
import { userSchema } from '../../scim/schemas.js';
import { type ProvisionedUser, type ResourceFacts, userResource } from '../../scim/user-resource.js';
import type { Executor } from '../../storage/database.js';
import { displayNamesOf } from '../../storage/directories/entry-names.js';
import { groupsOfProvider } from '../../storage/scim/groups.js';
import { managersSeenBy } from '../../storage/scim/references.js';
import type { VersionedUser } from '../../storage/users/read-users.js';
import { loadAttributes } from '../attributes/attribute-facts.js';
import type { AttributeSet } from '../attributes/attribute-set.js';
import { type Caller, maySeeSensitive } from '../caller.js';

/** Who makes a SCIM request, and where. */
export interface ProviderRequest {
  readonly provider: ProviderSettings;
  readonly caller: Caller;
  /** The URL of `/scim/v2` as callers know it. */
  readonly baseUrl: string;
}

/** The schema of users as a caller sees it, at one moment. */
export interface VisibleSchema {
  readonly definitions: AttributeSet;
  /** The attributes that the caller may see, without those that are retired. */
  readonly company: readonly Attribute[];
  readonly seesSensitive: boolean;
  readonly schema: ScimSchema;
}

export function visibleSchema(executor: Executor, { actor }: Caller): Promise<VisibleSchema> {
  return schemaFor(executor, maySeeSensitive(actor));
}

export async function schemaFor(executor: Executor, seesSensitive: boolean): Promise<VisibleSchema> {
  const definitions = await loadAttributes(executor);
  const company = definitions.all.filter(
    ({ isRetired, isSensitive }) => !isRetired && (seesSensitive || !isSensitive),
  );
  return { definitions, company, seesSensitive, schema: userSchema(company) };
}

/** Users with everything that their resources show. Asks only for what they have. */
export async function userResources(
  executor: Executor,
  users: readonly VersionedUser[],
  visible: VisibleSchema,
  {
    provider: { clientId, visibleUsers },
    baseUrl,
  }: {
    readonly provider: Pick<ProviderSettings, 'clientId'> & Partial<Pick<ProviderSettings, 'visibleUsers'>>;
    readonly baseUrl: string;
  },
): Promise<{ readonly user: ProvisionedUser; readonly resource: JsonObject }[]> {
  const tags = new Set(users.flatMap(({ user }) => user.tagSerials));
  const organizations = new Set(users.flatMap(({ user }) => user.organizationSerial ?? []));
  const [managers, tagNames, organizationNames, visibleTags] = await Promise.all([
    managersSeenBy(
      executor,
      users.flatMap(({ user }) => user.managerSerial ?? []),
      { clientId, isOwn: visibleUsers === 'own' },
    ),
    displayNamesOf(executor, 'tags', [...tags]),
    displayNamesOf(executor, 'organizations', [...organizations]),
    visibleUsers === 'own' ? groupsOfProvider(executor, [...tags], clientId) : undefined,
  ]);
  const { company } = visible;
  const facts: ResourceFacts = { clientId, baseUrl, company, tagNames, organizationNames, visibleTags };
  return users.map((each) => {
    const user = provisioned(each, visible, managers);
    return { user, resource: userResource(user, facts) };
  });
}

function provisioned(
  { user, version }: VersionedUser,
  { definitions, seesSensitive }: VisibleSchema,
  managers: ReadonlyMap<string, string>,
): ProvisionedUser {
  const { managerSerial, attributes } = user;
  const managerName = managerSerial === null ? undefined : managers.get(managerSerial);
  return {
    ...user,
    version,
    manager:
      managerSerial === null || managerName === undefined
        ? null
        : { serial: managerSerial, name: managerName },
    attributes: attributes === null ? {} : definitions.shown(parseAttributes(attributes), seesSensitive),
  };
}
