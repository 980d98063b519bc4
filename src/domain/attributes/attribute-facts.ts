import type { AttributePatch } from '../../contract/attribute-values.js';
import type { Failure } from '../../contract/errors.js';
import { listAttributes, shareAttributes, uniqueValueHolders } from '../../storage/attributes/attributes.js';
import type { Executor } from '../../storage/database.js';
import { type Caller, maySeeSensitive } from '../caller.js';
import type { Origin, Parsed } from '../read-fields.js';
import { PlanOutdated } from '../retry-on-conflict.js';
import { AttributeSet, type HiddenAttributes, noAttributes, nothingHidden } from './attribute-set.js';

/** What a plan that writes attributes is based on. */
export interface AttributeFacts {
  readonly definitions: AttributeSet;
  /** The users who have a unique value that is wanted. */
  readonly holders: readonly string[];
  readonly seesSensitive: boolean;
}

export async function loadAttributes(
  executor: Executor,
  restored?: readonly string[],
): Promise<AttributeSet> {
  return new AttributeSet(await listAttributes(executor, restored));
}

const noFacts: AttributeFacts = { definitions: noAttributes, holders: [], seesSensitive: false };

interface FactsWanted {
  readonly caller: Pick<Caller, 'actor'>;
  readonly locks: boolean;
  /** Whether those that were deleted count as defined, because an undo restores them. */
  readonly restores?: boolean;
}

/** With locks, the definitions stay as they are until the transaction ends. */
export async function attributeFacts(
  tx: Executor,
  patches: readonly AttributePatch[],
  { caller, locks, restores = false }: FactsWanted,
): Promise<AttributeFacts> {
  if (patches.length === 0) return noFacts;
  const ids = idsIn(patches);
  if (locks) await shareAttributes(tx, [...ids]);
  const definitions = await loadAttributes(tx, restores ? [...ids] : []);
  const unique = new Set([...ids].filter((id) => definitions.isUnique(id)));
  const holders = await uniqueValueHolders(tx, valuesOf(patches, unique));
  return { definitions, holders, seesSensitive: maySeeSensitive(caller.actor) };
}

/** Fails if a definition is no longer the one by which the plan was made. Keeps it until the transaction ends. */
export async function checkDefinitions(tx: Executor, planned: ReadonlyMap<string, number>): Promise<void> {
  if (planned.size === 0) return;
  const current = await shareAttributes(tx, [...planned.keys()]);
  for (const [id, version] of planned) if (current.get(id) !== version) throw new PlanOutdated();
}

/**
 * Why a patch that was read earlier is refused: definitions may have changed since, and someone else may have taken over a
 * planned call.
 */
export function refusalOf(
  { definitions, seesSensitive }: AttributeFacts,
  patch: AttributePatch,
  origin: Origin,
): Failure | undefined {
  return definitions.outdated(patch, origin) ?? definitions.denied(patch, origin, seesSensitive);
}

/** The items whose attributes are still accepted; the others have failed. */
export function withoutOutdated<T>(
  items: readonly Parsed<T>[],
  facts: AttributeFacts,
  patchOf: (item: T) => AttributePatch | null | undefined,
  first: number,
): readonly Parsed<T>[] {
  if (facts.definitions === noAttributes) return items;
  return items.map((item, index): Parsed<T> => {
    const patch = item.ok ? patchOf(item.value) : undefined;
    const failure = patch && refusalOf(facts, patch, { position: first + index });
    return failure ? { ok: false, failure } : item;
  });
}

/** Reads the definitions only if something of these users may be hidden. */
export async function hiddenAttributes(
  executor: Executor,
  users: readonly { readonly attributes: string | null }[],
  { actor }: Pick<Caller, 'actor'>,
): Promise<HiddenAttributes> {
  if (maySeeSensitive(actor) || users.every(({ attributes }) => attributes === null)) return nothingHidden;
  const definitions = await loadAttributes(executor);
  return (stored) => definitions.sensitiveValues(stored);
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
