import { instantOf } from './instant.js';
import { isEmpty, isObject, own } from './json.js';
import { done, failed, type Outcome } from './outcome.js';
import { attributeNamed, type ScimAttribute, typeNouns } from './schema.js';

/** Reads the values of a multi-valued attribute. Clients also send one value without a list around it. */
export function readValues(attribute: ScimAttribute, sent: unknown): Outcome<readonly unknown[]> {
  const values: unknown[] = [];
  for (const each of Array.isArray(sent) ? sent : [sent]) {
    const read = readValue(attribute, each);
    if (!read.ok) return read;
    if (!isEmpty(read.value)) values.push(read.value);
  }
  return done(values);
}

/** Entra ID sent single values in lists for years, and still does for some. */
export function unlisted(sent: unknown): unknown {
  return Array.isArray(sent) && sent.length === 1 ? sent[0] : sent;
}

/** Reads one value of an attribute. Undefined stands for none. */
export function readValue(attribute: ScimAttribute, listed: unknown): Outcome<unknown> {
  const sent = unlisted(listed);
  if (sent === null || sent === undefined) return done(undefined);
  if (attribute.type === 'complex') return readComplex(attribute, sent);
  const value = isObject(sent) ? own(sent, 'value') : sent;
  const simple = readSimple(attribute, value);
  return simple === undefined ? invalid(attribute) : done(simple);
}

/**
 * The sub-attributes that a client may set. Others are left out rather than rejected: clients return what they have read,
 * and Microsoft's requests give members a `displayName`.
 */
function readComplex(attribute: ScimAttribute, sent: unknown): Outcome<unknown> {
  const subAttributes = attribute.subAttributes ?? [];
  const inner = attributeNamed('value', subAttributes);
  if (!isObject(sent)) {
    if (!inner || Array.isArray(sent)) return invalid(attribute);
    const value = readValue(inner, sent);
    return value.ok ? done({ value: value.value }) : value;
  }
  const values = new Map<string, unknown>();
  for (const [name, each] of Object.entries(sent)) {
    const subAttribute = attributeNamed(name, subAttributes);
    if (!subAttribute || subAttribute.mutability === 'readOnly') continue;
    const value = subAttribute.multiValued ? readValues(subAttribute, each) : readValue(subAttribute, each);
    if (!value.ok) return value;
    if (value.value === undefined) values.delete(subAttribute.name);
    else values.set(subAttribute.name, value.value);
  }
  return done(Object.fromEntries(values));
}

/** Undefined if the value is of another type. */
function readSimple({ type }: ScimAttribute, sent: unknown): unknown {
  switch (type) {
    case 'boolean':
      if (typeof sent === 'boolean') return sent;
      // Entra ID sends "True" and "False".
      return typeof sent === 'string' ? booleans.get(sent.toLowerCase()) : undefined;
    case 'integer':
      return Number.isInteger(sent) ? sent : undefined;
    case 'decimal':
      return typeof sent === 'number' ? sent : undefined;
    case 'dateTime':
      return typeof sent === 'string' && instantOf(sent) !== undefined ? sent : undefined;
    default:
      return typeof sent === 'string' ? sent : undefined;
  }
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

function invalid({ name, type }: ScimAttribute) {
  return failed('invalidValue', `"${name}" must be ${typeNouns[type]}.`);
}
