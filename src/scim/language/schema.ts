import { editDistance } from '../../contract/edit-distance.js';
import { quoted } from './outcome.js';

export type ScimType =
  | 'string'
  | 'boolean'
  | 'decimal'
  | 'integer'
  | 'dateTime'
  | 'binary'
  | 'reference'
  | 'complex';

/** How details of failures name a type. */
export const typeNouns: Readonly<Record<ScimType, string>> = {
  string: 'a string',
  boolean: 'a boolean',
  decimal: 'a number',
  integer: 'an integer',
  dateTime: 'a date-time',
  binary: 'a base64 string',
  reference: 'a URI',
  complex: 'a JSON object',
};

/** An attribute of RFC 7643, section 7. What is absent has the default of section 2.2. */
export interface ScimAttribute {
  readonly name: string;
  readonly type: ScimType;
  readonly multiValued?: boolean;
  readonly required?: true;
  readonly caseExact?: boolean;
  /** What is the same for values that are equal, if that is more than their case. It doesn't count for other comparisons. */
  readonly fold?: (text: string) => string;
  readonly mutability?: 'readOnly' | 'readWrite' | 'immutable' | 'writeOnly';
  readonly returned?: 'always' | 'default' | 'request' | 'never';
  readonly subAttributes?: readonly ScimAttribute[];
}

/** Everything that resources of one type have. An extension is a complex attribute that is named by its URN. */
export interface ScimSchema {
  /** The URN of the core schema. */
  readonly id: string;
  readonly attributes: readonly ScimAttribute[];
}

/** From an attribute of the resource to the attribute that is meant. */
export type Steps = readonly [ScimAttribute, ...ScimAttribute[]];

export type Located =
  | { readonly ok: true; readonly steps: Steps }
  | { readonly ok: false; readonly detail: string };

/** Finds an attribute by its name in any case, such as `Name.familyname` or `urn:…:User:department`. */
export function locate(text: string, schema: ScimSchema): Located {
  const { extension, names } = splitUrn(text, schema);
  const steps: ScimAttribute[] = extension ? [extension] : [];
  let among = extension ? (extension.subAttributes ?? []) : schema.attributes;
  for (const name of names) {
    const found = attributeNamed(name, among);
    if (!found) return { ok: false, detail: unknownDetail(text, name, steps, among) };
    steps.push(found);
    among = found.subAttributes ?? [];
  }
  const [first, ...rest] = steps;
  return first ? { ok: true, steps: [first, ...rest] } : { ok: false, detail: notAnAttribute(text) };
}

export function attributeNamed(name: string, among: readonly ScimAttribute[]): ScimAttribute | undefined {
  return attributesByName(among).get(name.toLowerCase());
}

/** A bulk request looks up a hundred thousand names. */
const indexes = new WeakMap<readonly ScimAttribute[], ReadonlyMap<string, ScimAttribute>>();

/** Attributes by their names in lower case. */
export function attributesByName(among: readonly ScimAttribute[]): ReadonlyMap<string, ScimAttribute> {
  let index = indexes.get(among);
  if (!index) {
    index = new Map(among.toReversed().map((each) => [each.name.toLowerCase(), each])); // the first one counts
    indexes.set(among, index);
  }
  return index;
}

/** The attributes of one value of an attribute. Values that are not complex are filtered by `value`. */
export function schemaOfValue({ subAttributes, ...attribute }: ScimAttribute): ScimSchema {
  return { id: '', attributes: subAttributes ?? [{ ...attribute, name: 'value', multiValued: false }] };
}

/** The path of an attribute as the schema spells it. */
export function pathOf(steps: readonly ScimAttribute[]): string {
  return steps
    .map(({ name }, index) => `${index === 0 ? '' : isExtension(steps[index - 1]) ? ':' : '.'}${name}`)
    .join('');
}

function isExtension(attribute: ScimAttribute | undefined): boolean {
  return /^urn:/i.test(attribute?.name ?? '');
}

/** Microsoft's requests separate an extension from its attribute with a colon or a period. */
function splitUrn(
  text: string,
  { id, attributes }: ScimSchema,
): { readonly extension: ScimAttribute | undefined; readonly names: readonly string[] } {
  if (!/^urn:/i.test(text)) return { extension: undefined, names: text.split('.') };
  const typed = text.toLowerCase();
  const isWithin = (urn: string) =>
    typed.startsWith(urn.toLowerCase()) && /^(?:[:.]|$)/.test(text.slice(urn.length));
  const [extension] = attributes
    .filter((each) => isExtension(each) && isWithin(each.name))
    .sort((a, b) => b.name.length - a.name.length);
  const urn = extension?.name ?? (id !== '' && isWithin(id) ? id : undefined);
  if (urn === undefined) return { extension, names: [text] };
  const rest = text.slice(urn.length + 1);
  return { extension, names: rest === '' ? [] : rest.split('.') };
}

function notAnAttribute(text: string): string {
  return `${quoted(text)} is not an attribute.`;
}

function unknownDetail(
  text: string,
  name: string,
  steps: readonly ScimAttribute[],
  among: readonly ScimAttribute[],
): string {
  const within = among.map((each) => [...steps, each]);
  const inExtensions = among
    .filter(isExtension)
    .flatMap((each) => (each.subAttributes ?? []).map((sub) => [...steps, each, sub]));
  const near = nearest(name, [...within, ...inExtensions]);
  return near ? `${notAnAttribute(text)} Did you mean "${pathOf(near)}"?` : notAnAttribute(text);
}

/** At most a third of the letters may be wrong. */
function nearest<S extends readonly ScimAttribute[]>(name: string, candidates: readonly S[]): S | undefined {
  const typed = name.slice(0, comparedMaxLength).toLowerCase();
  const [best] = candidates
    .map((steps) => ({ steps, distance: editDistance(typed, steps.at(-1)?.name.toLowerCase() ?? '') }))
    .sort((a, b) => a.distance - b.distance);
  return best && best.distance <= Math.ceil(typed.length / 3) ? best.steps : undefined;
}

/** The distance takes as long as one name times the other. */
const comparedMaxLength = 100;
