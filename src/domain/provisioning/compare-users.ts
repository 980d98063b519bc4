import { v7 } from 'uuid';
import { type JsonObject, own } from '../../scim/language/json.js';
import { differingFields } from '../../scim/target-resource.js';
import type { ComparedUser, Difference } from '../../storage/provisioning/comparisons.js';
import { remoteIdIn } from './target-client.js';

/**
 * What is wrong with a page of users of a target. Those who are active there and not selected here are extra; whoever is
 * inactive there is nobody's problem.
 */
export function compareUsers(
  there: readonly JsonObject[],
  known: readonly ComparedUser[],
  /** What the target is to have, by serial. */
  wanted: ReadonlyMap<string, JsonObject>,
): { readonly seen: string[]; readonly differences: Difference[] } {
  const byRemoteId = new Map(known.map((each) => [each.remoteId, each]));
  const bySerial = new Map(known.map((each) => [each.serial, each]));
  const seen: string[] = [];
  const differences: Difference[] = [];
  for (const resource of there) {
    const remoteId = remoteIdIn(resource);
    if (remoteId === undefined) continue;
    const user = byRemoteId.get(remoteId) ?? bySerial.get(String(own(resource, 'externalId')));
    const different = (kind: Difference['kind'], fields: readonly string[]) =>
      differences.push({
        id: v7(),
        kind,
        userSerial: user?.serial ?? null,
        tagSerial: null,
        remoteId,
        fields,
      });
    const resourceHere = user?.isSelected ? wanted.get(user.serial) : undefined;
    if (user && resourceHere) {
      seen.push(user.serial);
      const fields = differingFields(resourceHere, resource);
      if (fields.length > 0) different('different', fields);
    } else if (own(resource, 'active') !== false) different('extra', []);
  }
  return { seen, differences };
}
