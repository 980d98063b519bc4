import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { withInlinedParts } from '../../src/http/openapi-shared-parts.js';

// biome-ignore lint/suspicious/noExplicitAny: a schema is any JSON
type Schema = any;

export interface DescribedOperation {
  readonly id: string;
  readonly method: string;
  /** With an ID that does not exist for every parameter. */
  readonly path: string;
  readonly body: DescribedBody | undefined;
  readonly parameters: readonly DescribedParameter[];
}

export interface DescribedBody {
  readonly schema: Schema;
  readonly examples: readonly unknown[];
  readonly isOptional: boolean;
}

export interface DescribedParameter {
  readonly name: string;
  readonly schema: Schema;
  readonly example: string | undefined;
}

const nobody = '0198c0de-7a11-7000-8000-5f1e2d3c4b5a';
const document = withInlinedParts(JSON.parse(readFileSync('openapi.json', 'utf8')));

const ajv = new Ajv2020({
  strict: false,
  validateSchema: false,
  validateFormats: false,
  code: { optimize: false }, // compiling takes longer than validating
});
ajv.addSchema(document, 'openapi.json');
const validators = new Map<Schema, ValidateFunction>();

function isValid(schema: Schema, value: unknown): boolean {
  const known = validators.get(schema) ?? ajv.compile(absolute(schema));
  validators.set(schema, known);
  return known(value);
}

/** With references that work outside the document. */
function absolute(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"openapi.json#/components/'));
}

/** Every operation that takes a JSON body or query parameters. */
export function describedOperations(): DescribedOperation[] {
  const operations: DescribedOperation[] = [];
  for (const [path, methods] of Object.entries<Record<string, Schema>>(document.paths)) {
    for (const [method, { operationId, requestBody, parameters = [] }] of Object.entries(methods)) {
      const content = requestBody?.content['application/json'];
      operations.push({
        id: operationId,
        method: method.toUpperCase(),
        path: path.replaceAll(/\{\w+\}/g, nobody),
        body: content && {
          schema: content.schema,
          examples: Object.values<{ value: unknown }>(content.examples).map(({ value }) => value),
          isOptional: !requestBody.required,
        },
        parameters: parameters.filter((parameter: Schema) => parameter.in === 'query'),
      });
    }
  }
  return operations.filter(({ body, parameters }) => body !== undefined || parameters.length > 0);
}

/** The variants of all examples, each once. */
export function bodyVariants({ schema, examples }: DescribedBody): (Variant & { isValid: boolean })[] {
  const variants = new Map<string, Variant & { isValid: boolean }>();
  for (const example of examples) {
    for (const variant of variantsOf(schema, withOneItem(example))) {
      variants.set(JSON.stringify(variant.value), { ...variant, isValid: isValid(schema, variant.value) });
    }
  }
  return [...variants.values()];
}

/** The items of the examples depend on each other. */
function withOneItem(example: unknown): unknown {
  return isObject(example) && Array.isArray(example.items) ? { items: example.items.slice(0, 1) } : example;
}

export interface Variant {
  readonly change: string;
  readonly value: unknown;
}

/** Values of other types, and texts that break most patterns. */
const oddValues: readonly unknown[] = [
  ...[null, true, 0, -1, 1.5, 1e300, [], [null], {}, { a: 1 }],
  ...['', ' ', 'x', 'nope', 'ä!', 'a\u0000b', 'a\u0007b', 'a\u0085b', '\ta', 'a@b@c', 'a b@c'],
];

/** Variants of a valid value, each with one change somewhere. Some are valid, most are not. */
function* variantsOf(schema: Schema, value: unknown, place = ''): Generator<Variant> {
  for (const odd of oddValues) yield { change: `${place} = ${JSON.stringify(odd)}`, value: odd };
  for (const branch of branchesOf(schema)) {
    yield* atLimits(branch, value, place);
    if (isObject(value) && branch.properties) yield* objectVariants(branch, value, place);
    if (Array.isArray(value) && branch.items && value.length > 0) {
      for (const { change, value: element } of variantsOf(branch.items, value[0], `${place}[0]`)) {
        yield { change, value: [element, ...value.slice(1)] };
      }
    }
  }
}

function* objectVariants(schema: Schema, value: Record<string, unknown>, place: string): Generator<Variant> {
  yield { change: `${place} with an unknown field`, value: { ...value, unknownField: 'x' } };
  yield { change: `${place} with a field of another case`, value: { ...value, EMPLOYEEID: 'x', ALL: true } };
  for (const [name, property] of Object.entries<Schema>(schema.properties)) {
    const { [name]: sample = exampleOf(property), ...others } = value;
    yield { change: `without ${place}.${name}`, value: others };
    for (const { change, value: changed } of variantsOf(property, sample, `${place}.${name}`)) {
      yield { change, value: { ...others, [name]: changed } };
    }
  }
}

/** On both sides of each limit. */
function* atLimits(schema: Schema, value: unknown, place: string): Generator<Variant> {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems, enum: choices } = schema;
  const text = typeof value === 'string' ? value : 'x';
  const variant = (limit: string, value: unknown): Variant => ({ change: `${place} ${limit}`, value });
  if (maxLength !== undefined) {
    yield variant('as long as possible', text.padEnd(maxLength, 'x'));
    yield variant('too long', text.padEnd(maxLength + 1, 'x'));
    yield variant('of characters outside the BMP', text + '𝒳'.repeat(maxLength - text.length));
    yield variant('too long because of white space', text + ' '.repeat(maxLength - text.length + 1));
  }
  if (minLength !== undefined) yield variant('too short', text.slice(0, minLength - 1));
  for (const limit of [minimum, maximum].filter((each) => each !== undefined)) {
    for (const number of [limit - 1, limit, limit + 1]) yield variant(`= ${number}`, number);
  }
  const elements = Array.isArray(value) ? value : [];
  if (minItems !== undefined) yield variant('with too few elements', elements.slice(0, minItems - 1));
  // Longer ones exceed the size of a body.
  if (maxItems <= 1_000) {
    yield variant('with all elements', Array(maxItems).fill(elements[0]));
    yield variant('with too many elements', Array(maxItems + 1).fill(elements[0]));
  }
  for (const choice of choices ?? []) {
    yield variant(`= ${choice}`, choice);
    yield variant(`= ${choice} in capitals`, String(choice).toUpperCase());
  }
}

/** The alternatives of a schema, without references. */
function branchesOf(schema: Schema): Schema[] {
  if (schema.$ref) return branchesOf(document.components.schemas[schema.$ref.split('/').at(-1)]);
  const alternatives: Schema[] = schema.anyOf ?? schema.oneOf ?? [];
  return alternatives.length > 0 ? alternatives.flatMap(branchesOf) : [schema];
}

function exampleOf(schema: Schema): unknown {
  if (schema.examples) return schema.examples[0];
  const [branch] = branchesOf(schema);
  return branch.examples?.[0] ?? branch.const ?? branch.enum?.[0] ?? branch.minimum ?? 'x';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export interface ParameterVariant {
  readonly text: string;
  readonly isValid: boolean;
}

/** Texts for a query parameter. */
export function parameterVariants({ schema, example }: DescribedParameter): ParameterVariant[] {
  const texts = new Set<string>();
  for (const { value } of variantsOf(schema, example ?? exampleOf(schema))) {
    if (['string', 'number', 'boolean'].includes(typeof value)) texts.add(String(value));
  }
  return [...texts].map((text) => ({ text, isValid: isValid(schema, parsed(schema.type, text)) }));
}

/** As the type says, if the text is one. */
function parsed(type: string, text: string): unknown {
  if (type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
  return type === 'integer' && /^-?\d+$/.test(text) ? Number(text) : text;
}
