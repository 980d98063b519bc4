import { patternProblem } from '../../contract/attribute-patterns.js';
import { inexactNumber, isDate, isExactNumber } from '../../contract/attribute-rules.js';
import {
  type Attribute,
  type AttributeSettings,
  type AttributeType,
  attributeTypes,
  type Bound,
} from '../../contract/attributes.js';
import { type Failure, failure } from '../../contract/errors.js';
import { attributeLimits } from '../../contract/limits.js';
import {
  countSharedValues,
  guardValues,
  insertAttribute,
  listAttributes,
  lockAttributes,
  restoreAttributes,
  updateAttribute as storeAttribute,
} from '../../storage/attributes/attributes.js';
import { type Database, type Executor, transaction } from '../../storage/database.js';
import { reindexAttributes } from '../../storage/indexing/index-state.js';
import { recordAccess } from '../audit/access-event.js';
import { type Caller, scopeProblem } from '../caller.js';
import type { Result } from '../result.js';

/** What an administrator sends. Null restores the default. */
export type AttributeChange = {
  readonly [Name in keyof Omit<AttributeSettings, 'type'>]?: AttributeSettings[Name] | null;
} & { readonly isRetired?: boolean };

const defaults = {
  ...{
    labels: {},
    synonyms: [],
    maxLength: null,
    pattern: null,
    minimum: null,
    maximum: null,
    choices: null,
  },
  ...{
    isUnique: false,
    isSearchable: false,
    isFilterable: false,
    isSensitive: false,
    isEditableByUser: false,
  },
} as const;

export function createAttribute(
  database: Database,
  given: AttributeChange & Pick<AttributeSettings, 'key' | 'type'>,
  caller: Caller,
): Promise<Result<{ attribute: Attribute }>> {
  return transaction(database, async (tx) => {
    const existing = await lockAttributes(tx);
    const settings = { ...defaults, ...withoutNulls(given), key: given.key, type: given.type };
    const problem =
      (existing.length < attributeLimits.attributesMax ? undefined : tooMany()) ??
      keyProblem(existing, settings) ??
      settingsProblem(settings);
    if (problem) return { ok: false, failure: problem };
    const attribute = await insertAttribute(tx, settings);
    await recordAccess(tx, 'attribute.created', caller, { detail: audited(attribute) });
    return { ok: true, attribute };
  });
}

/** Runs within the undo of a deletion. An attribute whose key belongs to another one by now stays deleted. */
export async function defineAgain(
  tx: Executor,
  ids: readonly string[],
  caller: Caller,
): Promise<Failure | undefined> {
  const before = await lockAttributes(tx);
  await restoreAttributes(tx, ids);
  const restored = (await listAttributes(tx)).filter(({ id }) => !before.some((each) => each.id === id));
  if (before.length + restored.length > attributeLimits.attributesMax) return tooMany();
  const isHidden = restored.some(({ isSensitive }) => isSensitive);
  const problem = isHidden && scopeProblem(caller.actor, 'attributes:sensitive');
  if (problem) return problem;
  for (const attribute of restored)
    await recordAccess(tx, 'attribute.created', caller, { detail: audited(attribute) });
  return undefined;
}

export async function getAttribute(
  database: Database,
  key: string,
): Promise<Result<{ attribute: Attribute }>> {
  return foundAttribute(await listAttributes(database.pool), key);
}

export function updateAttribute(
  database: Database,
  key: string,
  change: AttributeChange,
  caller: Caller,
): Promise<Result<{ attribute: Attribute }>> {
  return transaction(database, async (tx) => {
    const existing = await lockAttributes(tx);
    const before = foundAttribute(existing, key);
    if (!before.ok) return before;
    const after = { ...before.attribute, ...reset(change), ...withoutNulls(change) };
    const problem =
      keyProblem(
        existing.filter(({ id }) => id !== after.id),
        after,
      ) ?? settingsProblem(after);
    if (problem) return { ok: false, failure: problem };
    if (JSON.stringify(after) === JSON.stringify(before.attribute)) return before;
    const { isSensitive } = before.attribute;
    const denied = isSensitive && !after.isSensitive && scopeProblem(caller.actor, 'attributes:sensitive');
    if (denied) return { ok: false, failure: denied };
    const changesUnique = after.isUnique !== before.attribute.isUnique;
    const shared = changesUnique && after.isUnique ? await countSharedValues(tx, after.id) : 0;
    if (shared > 0) return { ok: false, failure: notUnique(after, shared) };
    const attribute = await storeAttribute(tx, after);
    if (changesUnique) await guardValues(tx, attribute);
    if (changesIndex(before.attribute, after)) await reindexAttributes(tx);
    await recordAccess(tx, 'attribute.changed', caller, { detail: audited(attribute) });
    return { ok: true, attribute };
  });
}

/** Whether what is indexed of users depends on the difference. */
function changesIndex(before: Attribute, after: Attribute): boolean {
  return before.isFilterable !== after.isFilterable || before.isSearchable !== after.isSearchable;
}

function notUnique({ key }: Attribute, values: number): Failure {
  const shared = values === 1 ? '1 value is' : `${values} values are`;
  return failure(
    'ATTRIBUTE_NOT_UNIQUE',
    `"${key}" cannot become unique: ${shared} shared by several users. Change these values first.`,
    { values },
  );
}

export function foundAttribute(
  attributes: readonly Attribute[],
  key: string,
): Result<{ attribute: Attribute }> {
  const attribute = attributes.find((each) => each.key === key);
  if (attribute) return { ok: true, attribute };
  return { ok: false, failure: failure('ATTRIBUTE_NOT_FOUND', 'No attribute has this key.') };
}

function tooMany(): Failure {
  const limit = attributeLimits.attributesMax;
  return failure('ATTRIBUTE_TOO_MANY', `There can be at most ${limit} attributes. Delete one first.`, {
    limit,
  });
}

function keyProblem(others: readonly Attribute[], { key }: AttributeSettings): Failure | undefined {
  const same = others.find((other) => other.key.toLowerCase() === key.toLowerCase());
  return (
    same && failure('ATTRIBUTE_KEY_EXISTS', `The attribute "${same.key}" exists already.`, { key: same.key })
  );
}

const limitsOfType: Readonly<Record<AttributeType, readonly (keyof AttributeSettings)[]>> = {
  text: ['maxLength', 'pattern', 'isUnique', 'isSearchable'],
  number: ['minimum', 'maximum', 'isUnique'],
  date: ['minimum', 'maximum', 'isUnique'],
  boolean: [],
  choice: ['choices', 'isSearchable'],
  list: ['maxLength', 'isSearchable'],
};
const limitNames = [
  'maxLength',
  'pattern',
  'minimum',
  'maximum',
  'choices',
  'isUnique',
  'isSearchable',
] as const;

/** The first rule that the settings break together. */
export function settingsProblem(settings: AttributeSettings): Failure | undefined {
  const { type, minimum, maximum, choices, maxLength, isUnique } = settings;
  const isUsed = (name: keyof AttributeSettings) => settings[name] !== null && settings[name] !== false;
  const stray = limitNames.find((name) => isUsed(name) && !limitsOfType[type].includes(name));
  if (stray) {
    const types = attributeTypes.filter((each) => limitsOfType[each].includes(stray));
    return invalid(stray, `is not for the type ${type}, only for ${types.join(', ')}.`);
  }
  if (type === 'choice' && !choices?.length) return invalid('choices', 'must name at least one choice.');
  for (const name of ['minimum', 'maximum'] as const) {
    const problem = boundProblem(type, settings[name]);
    if (problem) return invalid(name, problem);
  }
  if (minimum !== null && maximum !== null && minimum > maximum) {
    return invalid('maximum', 'must not be less than the minimum.');
  }
  const unmatchable = patternProblem(settings);
  if (unmatchable) return invalid('pattern', unmatchable);
  const { textDefaultLength, uniqueMaxLength } = attributeLimits;
  if (isUnique && (maxLength ?? textDefaultLength) > uniqueMaxLength) {
    return invalid('maxLength', `must be at most ${uniqueMaxLength} for a unique attribute.`);
  }
  if (settings.isSensitive && settings.isSearchable) {
    return invalid('isSearchable', 'must be false for a sensitive attribute: anyone could find users by it.');
  }
  return undefined;
}

function boundProblem(type: AttributeType, bound: Bound | null): string | undefined {
  if (bound === null) return undefined;
  if (type === 'number') {
    if (typeof bound !== 'number') return 'must be a number.';
    return isExactNumber(bound) ? undefined : `${inexactNumber}.`;
  }
  return typeof bound === 'string' && isDate(bound) ? undefined : 'must be a date such as 2026-12-31.';
}

function invalid(field: string, problem: string): Failure {
  return failure('REQUEST_BODY_INVALID', `"${field}" ${problem}`, { field });
}

/** What null restores. */
function reset(change: AttributeChange): Partial<AttributeSettings> {
  return Object.fromEntries(
    Object.entries(defaults).filter(([name]) => change[name as keyof typeof defaults] === null),
  );
}

function withoutNulls(change: AttributeChange): Partial<AttributeSettings> {
  return Object.fromEntries(
    Object.entries(change).filter(([, value]) => value !== null && value !== undefined),
  );
}

export function audited({ id, key, type, isSensitive, isRetired }: Attribute) {
  return { attributeId: id, key, type, isSensitive, isRetired };
}
