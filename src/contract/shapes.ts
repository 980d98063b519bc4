import { type TSchema, Type } from 'typebox';
import { type Field, nullable } from './fields.js';
import { scopes } from './scopes.js';

/** How an operation uses a field: which rule applies, and whether it is required. */
export interface FieldUse<T = unknown> {
  readonly field: Field<T>;
  readonly required: boolean;
  /** A required field that an existing user keeps if it isn't sent. */
  readonly isKept?: boolean;
}

export const required = <T>(field: Field<T>): FieldUse<T> => ({ field, required: true });
/** Can't be empty, but may be absent for a user who exists. */
export const requiredIfNew = <T>(field: Field<T>): FieldUse<T> => ({ field, required: true, isKept: true });
export const optional = <T>(field: Field<T>): FieldUse<T> => ({ field, required: false });

/** What null means for an optional field: "not specified", like an absent one, or "none", like an empty one. */
export const nullMeanings = ['keep', 'clear'] as const;
export type NullMeaning = (typeof nullMeanings)[number];

/** The schemas of these fields. In a patch, all of them are optional. */
export function propertiesOf(
  uses: Readonly<Record<string, FieldUse>>,
  options: { patch?: boolean } = {},
): Record<string, TSchema> {
  const properties: Record<string, TSchema> = {};
  for (const [name, { field, required, isKept = false }] of Object.entries(uses)) {
    const filled = isKept ? nullable(field.schema) : field.schema;
    const isNullable = !(options.patch && field.isPatched);
    const emptied = isNullable ? nullable(field.optionalSchema ?? field.schema) : field.schema;
    const schema = required ? filled : emptied;
    properties[name] = required && !isKept && !options.patch ? schema : Type.Optional(schema);
  }
  return properties;
}

interface BodyOptions {
  readonly title: string;
  readonly description: string;
  readonly patch?: boolean;
  /** Whether unknown fields are ignored. */
  readonly isOpen?: boolean;
  /** Fields of other operations, which may be null here. */
  readonly nullOnly?: readonly string[];
  readonly if?: object;
  readonly else?: object;
}

const NullOnly = Type.Null({
  description:
    'Not accepted by this operation. Null is ignored, so that one type can serve several operations.',
});

/** The schema of a body with these fields. */
export function bodyOf(
  uses: Readonly<Record<string, FieldUse>>,
  { patch = false, isOpen = false, nullOnly = [], ...options }: BodyOptions,
) {
  const ignored = Object.fromEntries(nullOnly.map((name) => [name, Type.Optional(NullOnly)]));
  const properties = { ...propertiesOf(uses, { patch }), ...ignored };
  return Type.Object(properties, { ...options, ...(isOpen ? {} : { additionalProperties: false }) });
}

export const Serial = Type.String({
  description: 'The serial of the user: a UUIDv7.',
  examples: ['0198c0de-7a11-7000-8000-5f1e2d3c4b5a'],
});
export const Timestamp = Type.String({ format: 'date-time', examples: ['2026-11-15T08:30:00.000Z'] });

/** Wraps the data of every successful reply. */
export function success<S extends TSchema>(title: string, data: S) {
  return Type.Object(
    {
      status: Type.String({ const: 'success', description: 'Outcome marker.' }),
      message: Type.String({ description: 'Outcome text.' }),
      data,
    },
    { title },
  );
}

/** One page of a list. */
export function pageOf<S extends TSchema>(item: S) {
  return Type.Object({
    items: Type.Array(item),
    nextCursor: Type.Union([Type.String(), Type.Null()], {
      description: 'Pass it as `cursor` for the next page; null on the last page.',
    }),
  });
}

export const Scopes = Type.Array(Type.String({ enum: [...scopes] }));

export const SecretDates = Type.Array(
  Type.Object({ createdAt: Timestamp, expiresAt: Type.Union([Timestamp, Type.Null()]) }),
  {
    description: 'When the current secrets were created and when they expire; never the secrets themselves.',
  },
);

export const orNull = (schema: TSchema) => Type.Union([schema, Type.Null()]);
