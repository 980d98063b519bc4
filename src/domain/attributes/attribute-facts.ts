import type { AttributePatch } from '../../contract/attribute-values.js';
import { listAttributes, shareAttributes, uniqueValueHolders } from '../../storage/attributes/attributes.js';
import type { Executor } from '../../storage/database.js';
import type { Parsed } from '../read-fields.js';
import { PlanOutdated } from '../retry-on-conflict.js';
import { AttributeSet, noAttributes } from './attribute-set.js';

/** What a plan that writes attributes is based on. */
export interface AttributeFacts {
  readonly definitions: AttributeSet;
  /** The users who have a unique value that is wanted. */
  readonly holders: readonly string[];
}

export async function loadAttributes(
  executor: Executor,
  restored?: readonly string[],
): Promise<AttributeSet> {
  return new AttributeSet(await listAttributes(executor, restored));
}

const noFacts: AttributeFacts = { definitions: noAttributes, holders: [] };

/** With locks, the definitions stay as they are until the transaction ends. */
export async function attributeFacts(
  tx: Executor,
  patches: readonly AttributePatch[],
  locks: boolean,
  /** Whether those that were deleted count as defined, because an undo restores them. */
  restores = false,
): Promise<AttributeFacts> {
  if (patches.length === 0) return noFacts;
  const ids = idsIn(patches);
  if (locks) await shareAttributes(tx, [...ids]);
  const definitions = await loadAttributes(tx, restores ? [...ids] : []);
  const unique = new Set([...ids].filter((id) => definitions.isUnique(id)));
  return { definitions, holders: await uniqueValueHolders(tx, valuesOf(patches, unique)) };
}

/** Fails if a definition is no longer the one by which the plan was made. Keeps it until the transaction ends. */
export async function checkDefinitions(tx: Executor, planned: ReadonlyMap<string, number>): Promise<void> {
  if (planned.size === 0) return;
  const current = await shareAttributes(tx, [...planned.keys()]);
  for (const [id, version] of planned) if (current.get(id) !== version) throw new PlanOutdated();
}

/** The items whose attributes are still accepted; the others have failed. */
export function withoutOutdated<T>(
  items: readonly Parsed<T>[],
  { definitions }: AttributeFacts,
  patchOf: (item: T) => AttributePatch | null | undefined,
  first: number,
): readonly Parsed<T>[] {
  if (definitions === noAttributes) return items;
  return items.map((item, index): Parsed<T> => {
    const patch = item.ok ? patchOf(item.value) : undefined;
    const failure = patch && definitions.outdated(patch, { position: first + index });
    return failure ? { ok: false, failure } : item;
  });
}

export function idsIn(patches: readonly AttributePatch[]): Set<string> {
  const ids = new Set<string>();
  for (const patch of patches) for (const id in patch) ids.add(id);
  return ids;
}

function valuesOf(patches: readonly AttributePatch[], ids: ReadonlySet<string>) {
  if (ids.size === 0) return [];
  return patches.flatMap((patch) =>
    Object.entries(patch).flatMap(([attributeId, value]) =>
      value !== null && ids.has(attributeId) ? [{ attributeId, value: String(value) }] : [],
    ),
  );
}
