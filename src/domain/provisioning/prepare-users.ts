import type { JsonObject } from '../../scim/language/json.js';
import { targetResource } from '../../scim/target-resource.js';
import type { Executor } from '../../storage/database.js';
import type { ClaimedTarget } from '../../storage/provisioning/target-claims.js';
import { readUsersToPush, remoteIdsOf } from '../../storage/provisioning/target-queue.js';
import { schemaFor, userResources } from '../scim/resource-facts.js';

/** A user as the target is to have it, with what has to be recorded about that. */
export interface PreparedUser {
  readonly resource: JsonObject;
  readonly version: number;
  readonly isActive: boolean;
  readonly tagSerials: readonly string[];
  /** The manager, if the target does not have them yet. */
  readonly awaitedManager: string | null;
}

/** No identity provider: nothing of what they have stored for themselves is shown. */
const nobody = { provider: { clientId: '' }, baseUrl: '' };

/** By serial. Users who are gone are absent. */
export async function prepareUsers(
  executor: Executor,
  target: Pick<ClaimedTarget, 'id' | 'sendsSensitive'>,
  queued: readonly { readonly serial: string; readonly isSelected: boolean }[],
): Promise<ReadonlyMap<string, PreparedUser>> {
  const users = await readUsersToPush(
    executor,
    queued.map(({ serial }) => serial),
  );
  const schema = await schemaFor(executor, target.sendsSensitive);
  const described = await userResources(executor, users, schema, nobody);
  const managers = await remoteIdsOf(
    executor,
    target,
    described.flatMap(({ user }) => user.manager?.serial ?? []),
  );
  const selected = new Set(queued.filter(({ isSelected }) => isSelected).map(({ serial }) => serial));
  return new Map(
    described.map(({ user, resource }) => {
      const { serial, version, manager, tagSerials } = user;
      const managerId = manager ? managers.get(manager.serial) : undefined;
      const isActive = selected.has(serial);
      return [
        serial,
        {
          resource: targetResource(resource, { serial, isActive, managerId }),
          ...{ version, isActive, tagSerials },
          awaitedManager: manager && managerId === undefined ? manager.serial : null,
        },
      ];
    }),
  );
}
