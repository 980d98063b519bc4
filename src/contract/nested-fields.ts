import { Type } from 'typebox';
import type { Field } from './fields.js';
import { type FieldUse, propertiesOf } from './shapes.js';

type Uses = Readonly<Record<string, FieldUse>>;

/** The values of an object with these fields. Optional ones are absent if they are empty. */
export type ValuesOf<U extends Uses> = {
  readonly [Name in keyof U]?: U[Name] extends FieldUse<infer T> ? T : never;
};

/** A field that is an object with fields of its own. */
export function objectField<U extends Uses>(
  uses: U,
  options: { readonly description: string; readonly example?: object },
): Field<ValuesOf<U>> {
  const { description, example } = options;
  return {
    schema: Type.Object(propertiesOf(uses), {
      additionalProperties: false,
      description,
      ...(example ? { examples: [example] } : {}),
    }),
    rule: `an object with ${Object.keys(uses).join(', ')}`,
    normalize: (sent) => normalized(sent, uses),
    accepts: (value): value is ValuesOf<U> => isObject(value) && problemIn(value, uses) === undefined,
    explainProblem: (value) => (isObject(value) ? problemIn(value, uses) : undefined),
  };
}

/** An object whose fields depend on its `type`. */
export function typedObjectField<T extends Readonly<Record<string, Uses>>>(
  types: T,
  options: { readonly description: string; readonly example: object },
): Field<{ readonly type: keyof T & string }> {
  const names = Object.keys(types);
  const usesOf = (value: object): Uses | undefined => {
    const { type } = value as { readonly type?: unknown };
    return typeof type === 'string' && Object.hasOwn(types, type)
      ? { type: { field: constantField(type), required: true }, ...types[type] }
      : undefined;
  };
  const problem = (value: object): string | undefined => {
    const uses = usesOf(value);
    return uses ? problemIn(value, uses) : `must have a "type" that is one of ${names.join(', ')}`;
  };
  return {
    schema: Type.Unsafe({
      type: 'object',
      description: options.description,
      examples: [options.example],
      oneOf: names.map((type) =>
        Type.Object(
          { type: Type.String({ const: type }), ...propertiesOf(types[type] as Uses) },
          { additionalProperties: false },
        ),
      ),
    }),
    rule: `an object with a type, one of ${names.join(', ')}`,
    normalize: (sent) => (isObject(sent) ? normalized(sent, usesOf(sent) ?? {}) : sent),
    accepts: (value): value is { readonly type: keyof T & string } =>
      isObject(value) && problem(value) === undefined,
    explainProblem: (value) => (isObject(value) ? problem(value) : undefined),
  };
}

/** A list of things of one kind. */
export function listField<T>(
  item: Field<T>,
  options: { readonly description: string; readonly maxItems: number; readonly example?: readonly unknown[] },
): Field<readonly T[]> {
  const { description, maxItems, example } = options;
  const flaw = (value: readonly unknown[]): string | undefined => {
    if (value.length > maxItems) return `must have at most ${maxItems} elements`;
    const at = value.findIndex((each) => !item.accepts(each));
    if (at < 0) return undefined;
    return `has an element (${at + 1}) that ${item.explainProblem?.(value[at]) ?? `must be ${item.rule}`}`;
  };
  return {
    schema: Type.Array(item.schema, { maxItems, description, ...(example ? { examples: [example] } : {}) }),
    rule: `a list of at most ${maxItems} elements`,
    normalize: (sent) => (Array.isArray(sent) ? sent.map((each) => item.normalize(each)) : sent),
    accepts: (value): value is readonly T[] => Array.isArray(value) && flaw(value) === undefined,
    explainProblem: (value) => (Array.isArray(value) ? flaw(value) : undefined),
  };
}

/** A text that is looked up in a table of texts. */
export function textTableField(options: {
  readonly description: string;
  readonly entriesMax: number;
  readonly textMaxLength: number;
  readonly example: Readonly<Record<string, string>>;
}): Field<Readonly<Record<string, string>>> {
  const { description, entriesMax, textMaxLength, example } = options;
  return {
    schema: Type.Object({}, { additionalProperties: Type.String(), description, examples: [example] }),
    rule: `an object of at most ${entriesMax} texts of at most ${textMaxLength} characters`,
    normalize: (sent) => sent,
    accepts: (value): value is Readonly<Record<string, string>> =>
      isObject(value) &&
      Object.keys(value).length <= entriesMax &&
      Object.entries(value).every(
        ([from, to]) => from.length <= textMaxLength && typeof to === 'string' && to.length <= textMaxLength,
      ),
  };
}

export function choiceField<const T extends string>(choices: readonly T[], description: string): Field<T> {
  return {
    schema: Type.Unsafe<T>({ type: 'string', enum: [...choices], description, examples: [choices[0]] }),
    rule: `one of ${choices.join(', ')}`,
    normalize: (sent) => sent,
    accepts: (value): value is T => choices.some((choice) => choice === value),
  };
}

function constantField(text: string): Field<string> {
  return {
    schema: Type.String({ const: text }),
    rule: `"${text}"`,
    normalize: (sent) => sent,
    accepts: (value): value is string => value === text,
  };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function normalized(sent: unknown, uses: Uses): unknown {
  if (!isObject(sent)) return sent;
  return Object.fromEntries(
    Object.entries(sent).flatMap(([name, value]) => {
      if (!Object.hasOwn(uses, name)) return [[name, value]]; // to be refused, even if it is empty
      const normal = uses[name]?.field.normalize(value);
      return normal === null || normal === undefined ? [] : [[name, normal]];
    }),
  );
}

function problemIn(value: object, uses: Uses): string | undefined {
  const values = new Map<string, unknown>(Object.entries(value));
  const stray = [...values.keys()].find((name) => !Object.hasOwn(uses, name));
  if (stray !== undefined) return `has an unknown field. Its fields are ${Object.keys(uses).join(', ')}`;
  for (const [name, { field, required }] of Object.entries(uses)) {
    const each = values.get(name);
    if (each === undefined) {
      if (required) return `needs "${name}", which must be ${field.rule}`;
      continue;
    }
    if (field.accepts(each)) continue;
    const nested = field.explainProblem?.(each);
    return nested === undefined
      ? `contains "${name}", which must be ${field.rule}`
      : `contains "${name}", which ${nested}`;
  }
  return undefined;
}
