import type { JsonObject } from '../../scim/language/json.js';
import { urns } from '../../scim/schemas.js';
import { type Ask, findThere, remoteIdIn, type TargetFailure } from './target-client.js';

interface GroupToPush {
  readonly serial: string;
  readonly displayName: string;
  readonly remoteId: string | null;
  /** The members that are to be added and removed, by their IDs at the target. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Creates or finds a group, and changes only the members who differ: groups can have any size. */
export async function pushGroup(
  ask: Ask,
  group: GroupToPush,
  remember: (remoteId: string | null) => Promise<boolean>,
): Promise<{ readonly ok: true } | TargetFailure> {
  const { displayName, added, removed } = group;
  const there =
    group.remoteId === null
      ? await matchOrCreate(ask, group)
      : ({ ok: true, remoteId: group.remoteId } as const);
  if (!there.ok) return there;
  if (group.remoteId === null && !(await remember(there.remoteId))) {
    return { ok: false, error: 'conflict', status: null };
  }
  const operations: JsonObject[] = [
    { op: 'replace', path: 'displayName', value: displayName },
    ...(added.length === 0 ? [] : [{ op: 'add', path: 'members', value: added.map((value) => ({ value })) }]),
    ...removed.map((id) => ({ op: 'remove', path: `members[value eq ${JSON.stringify(id)}]` })),
  ];
  const body = { schemas: [urns.patch], Operations: operations };
  const path = `/Groups/${encodeURIComponent(there.remoteId)}`;
  const answer = await ask({ method: 'PATCH', path, body });
  if (answer.ok) return { ok: true };
  if (answer.error === 'notFound') await remember(null);
  return answer;
}

async function matchOrCreate(
  ask: Ask,
  { serial, displayName }: GroupToPush,
): Promise<{ readonly ok: true; readonly remoteId: string } | TargetFailure> {
  for (const [attribute, value] of [
    ['externalId', serial],
    ['displayName', displayName],
  ] as const) {
    const found = await findThere(ask, 'Groups', attribute, value);
    if (!found.ok) return found;
    const remoteId = remoteIdIn(found.resource);
    if (remoteId !== undefined) return { ok: true, remoteId };
  }
  const body = { schemas: [urns.group], externalId: serial, displayName };
  const created = await ask({ method: 'POST', path: '/Groups', body });
  if (!created.ok) return created;
  const remoteId = remoteIdIn(created.body);
  return remoteId === undefined
    ? { ok: false, error: 'invalidResponse', status: created.status }
    : { ok: true, remoteId };
}
