import { isStorable } from '../contract/fields.js';
import { scimLimits } from '../contract/limits.js';
import { isEmpty, isObject, type JsonObject } from './language/json.js';
import { done, failed, type Outcome, quoted, type ScimFailure } from './language/outcome.js';
import { attributeNamed, attributesByName, type ScimAttribute, type ScimSchema } from './language/schema.js';
import { withOnePrimary } from './language/value-list.js';
import { readValue, readValues } from './language/values.js';

/** A resource as a client has sent it, spelled as its schema. */
export interface SentResource {
  readonly resource: JsonObject;
  /** The names of attributes that the schema doesn't have. */
  readonly unknown: readonly string[];
}

/**
 * Reads the body of a POST or PUT. What clients may not set is left out: they send back what they have read. Of several
 * primary values, the last one stays primary, as in a PATCH: rejecting them would stop providers that send such users.
 */
export function readResource(body: unknown, schema: ScimSchema): Outcome<SentResource> {
  if (!isObject(body)) return failed('invalidSyntax', 'A resource must be a JSON object.');
  const unknown: string[] = [];
  const values = new Map<string, unknown>();
  for (const [name, sent] of Object.entries(body)) {
    const attribute = attributeNamed(name, schema.attributes);
    if (!attribute) {
      unknown.push(name);
      continue;
    }
    if (attribute.mutability === 'readOnly' || isEmpty(sent)) continue;
    if (values.has(attribute.name)) {
      return failed('invalidSyntax', `"${attribute.name}" appears twice, in different spellings.`);
    }
    const read = attribute.multiValued ? readList(attribute, sent) : readValue(attribute, sent);
    if (!read.ok) return read;
    if (!isEmpty(read.value)) values.set(attribute.name, read.value);
  }
  const problem = schemasProblem(values.get('schemas'), schema);
  return problem ?? done({ resource: Object.fromEntries(values), unknown });
}

function readList(attribute: ScimAttribute, sent: unknown): Outcome<readonly unknown[]> {
  const read = readValues(attribute, sent);
  if (!read.ok) return read;
  return done(withOnePrimary(attribute, { values: read.value, changed: new Set(read.value.keys()) }));
}

/** A schema that nobody here knows has attributes that would be lost. */
function schemasProblem(sent: unknown, { id, attributes }: ScimSchema): ScimFailure | undefined {
  const known = attributesByName(attributes);
  const isKnown = (name: string) => known.has(name) || name === id.toLowerCase();
  const listed = Array.isArray(sent) ? sent : [];
  const stray = listed.find((each) => !isKnown(String(each).toLowerCase()));
  return stray === undefined ? undefined : failed('invalidValue', `The schema ${quoted(stray)} is unknown.`);
}

/** Whether every text in a resource can be stored: none has NUL or lone surrogates. */
export function isStorableJson(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value);
  if (Array.isArray(value)) return value.every(isStorableJson);
  return (
    !isObject(value) || Object.entries(value).every(([key, each]) => isStorable(key) && isStorableJson(each))
  );
}

/** Why the identifier that a provider has given to a resource cannot be stored. */
export function externalIdProblem(externalId: string): ScimFailure | undefined {
  const { externalIdMaxLength: max } = scimLimits;
  if (externalId.length > max) {
    return failed('invalidValue', `"externalId" may have at most ${max} characters.`);
  }
  if (isStorable(externalId)) return undefined;
  return failed('invalidValue', '"externalId" contains NUL or a lone surrogate, which cannot be stored.');
}
