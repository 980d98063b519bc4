type Json = Readonly<Record<string, unknown>>;

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Json[];
  readonly requestBody?: Json;
  readonly responses: Readonly<Record<string, Json>>;
}

interface Document {
  readonly paths?: object;
  readonly components?: object;
}

/** The response of every operation to requests that do not reach it. */
export const unroutedName = 'Unrouted';

/** A property of this many uses and characters is a component of its own. Shorter ones would gain nothing. */
const fieldUsesMin = 2;
const fieldCharactersMin = 70;

/**
 * Describes what operations have in common once: errors, their examples, parameters, and the fields of schemas. Without
 * this, the description is three times as long, because every operation repeats the same errors.
 */
export function withSharedParts<T extends Document>(document: T): T {
  const { components = {}, paths = {} } = document as { components?: Record<string, object>; paths?: object };
  const examples = new SharedParts('examples');
  const responses = new SharedParts('responses', components.responses);
  const parameters = new SharedParts('parameters');
  const schemas = new SharedParts('schemas', components.schemas);

  const operations = operationsIn(paths);
  const isRepeated = repeated(
    operations.flatMap(({ parameters = [] }) => parameters),
    2,
  );
  const isRepeatedExample = repeated(operations.flatMap(examplesIn), 2);
  const shared = ({ parameters: own, ...operation }: Operation) => ({
    ...operation,
    ...(own && {
      parameters: own.map((each) => (isRepeated(each) ? parameters.add(String(each.name), each) : each)),
    }),
    responses: mapped<Json>(operation.responses, (status, response) =>
      Number(status) >= 400
        ? responses.add(
            `Errors${status}`,
            withExamples(response, (name, example) => examples.add(name, example)),
          )
        : withExamples(response, (_, example) =>
            isRepeatedExample(example) ? examples.add(operation.operationId, example) : example,
          ),
    ),
  });
  const sharedPaths = mapped(paths, (_, operations) =>
    mapped(operations as object, (_, operation) => shared(operation as Operation)),
  );
  const fields = fieldsIn(Object.values(components.schemas ?? {}));
  const isSharedField = repeated(
    fields.filter((field) => JSON.stringify(field).length >= fieldCharactersMin),
    fieldUsesMin,
  );
  const withSharedFields = (node: unknown): unknown =>
    withFields(node, (name, field) => {
      const inner = withSharedFields(field);
      return isSharedField(field) ? schemas.add(`${capitalized(name)}Field`, inner) : inner;
    });
  return {
    ...document,
    paths: sharedPaths,
    components: {
      ...components,
      schemas: {
        ...mapped(components.schemas ?? {}, (_, schema) => withSharedFields(schema)),
        ...schemas.added,
      },
      responses: { ...components.responses, ...responses.added },
      parameters: parameters.added,
      examples: examples.added,
    },
  };
}

/** The same description with every shared part where it is used. Named schemas, which have a title, stay components. */
export function withInlinedParts<T>(document: T): T {
  const { components } = document as { components: Record<string, Record<string, Json>> };
  const inlined = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(inlined);
    if (typeof node !== 'object' || node === null) return node;
    const [, kind = '', name = ''] = /^#\/components\/(\w+)\/(.+)$/.exec(String((node as Json).$ref)) ?? [];
    const part = components[kind]?.[name];
    const isShared = part && (kind === 'schemas' ? part.title === undefined : name !== unroutedName);
    return isShared ? inlined(part) : mapped(node, (_, value) => inlined(value));
  };
  const { schemas = {}, responses = {}, parameters: _, examples: __, ...others } = components;
  const own = Object.entries(schemas).filter(([, { title }]) => title !== undefined);
  const { [unroutedName]: unrouted } = responses;
  return inlined({
    ...document,
    components: {
      ...others,
      schemas: Object.fromEntries(own),
      ...(unrouted && { responses: { [unroutedName]: unrouted } }),
    },
  }) as T;
}

/** Components of one kind. Different ones of the same name are numbered. */
class SharedParts {
  readonly added: Record<string, unknown> = {};
  readonly #kind: string;
  readonly #taken: object;
  readonly #names = new Map<string, string>();

  constructor(kind: string, taken: object = {}) {
    this.#kind = kind;
    this.#taken = taken;
  }

  add(name: string, part: unknown): Json {
    const text = JSON.stringify(part);
    const known = this.#names.get(text) ?? this.#free(name);
    this.#names.set(text, known);
    this.added[known] = part;
    return { $ref: `#/components/${this.#kind}/${known}` };
  }

  #free(name: string): string {
    const isFree = (each: string) => !(each in this.#taken) && !(each in this.added);
    let free = name;
    for (let number = 2; !isFree(free); number++) free = `${name}_${number}`;
    return free;
  }
}

function withExamples(response: Json, replace: (name: string, example: unknown) => unknown): Json {
  if (response.content === undefined) return response;
  const content = mapped<Json>(response.content as object, (_, { examples = {}, ...type }) => ({
    ...type,
    examples: mapped(examples as object, replace),
  }));
  return { ...response, content };
}

/** The examples of successful replies. */
function examplesIn({ responses }: Operation): unknown[] {
  const found: unknown[] = [];
  for (const [status, response] of Object.entries(responses)) {
    if (Number(status) < 400) withExamples(response, (_, example) => found.push(example));
  }
  return found;
}

function operationsIn(paths: object): Operation[] {
  return Object.values(paths).flatMap((path) => Object.values(path as Record<string, Operation>));
}

/** The properties of a schema, at any depth. */
function fieldsIn(node: unknown): unknown[] {
  const found: unknown[] = [];
  withFields(node, (_, field) => {
    found.push(field, ...fieldsIn(field));
    return field;
  });
  return found;
}

/** Replaces the outermost properties of a schema. */
function withFields(node: unknown, replace: (name: string, field: unknown) => unknown): unknown {
  if (Array.isArray(node)) return node.map((each) => withFields(each, replace));
  if (typeof node !== 'object' || node === null) return node;
  return mapped(node, (key, value) => {
    if (key !== 'properties') return withFields(value, replace);
    return mapped(value as object, replace);
  });
}

function repeated(parts: readonly unknown[], usesMin: number): (part: unknown) => boolean {
  const uses = new Map<string, number>();
  for (const text of parts.map((part) => JSON.stringify(part))) uses.set(text, (uses.get(text) ?? 0) + 1);
  return (part) => (uses.get(JSON.stringify(part)) ?? 0) >= usesMin;
}

function mapped<T>(object: object, map: (key: string, value: T) => unknown): Record<string, never> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(key, value)])) as Record<
    string,
    never
  >;
}

function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
