import { type TSchema, Type } from 'typebox';
import { type ErrorName, errorCatalogue, itemErrorNames } from './errors.js';

const schemas = new Map<ErrorName, TSchema>();

/** The schema of one error, such as `UserFieldInvalidError`. */
export function errorSchema(name: ErrorName): TSchema {
  const known = schemas.get(name);
  if (known) return known;
  const { code, meaning, ...entry } = errorCatalogue[name];
  const isItemError = (itemErrorNames as readonly ErrorName[]).includes(name);
  const schema = Type.Object(
    {
      errorCode: Type.Literal(code),
      message: Type.Literal(name),
      detail: Type.String({
        description: 'A human-readable explanation of what happened and what to do next.',
      }),
      ...(isItemError ? { reason: Type.Optional(reason) } : {}),
      ...('data' in entry ? { data: Type.Optional(entry.data) } : {}),
    },
    { title: titleOf(name), description: meaning },
  );
  schemas.set(name, schema);
  return schema;
}

export function anyErrorOf(names: readonly ErrorName[]): TSchema {
  const [first, ...others] = names.map(errorSchema);
  return first && others.length === 0 ? first : Type.Union(names.map(errorSchema));
}

const reason = Type.String({
  description: "For an item of a bulk call: the detail without the item's position.",
});

/** USER_FIELD_INVALID → UserFieldInvalidError */
export function titleOf(name: ErrorName): string {
  const words = name.split('_').filter((word, index, all) => index < all.length - 1 || word !== 'ERROR');
  return `${words.map((word) => word.charAt(0) + word.slice(1).toLowerCase()).join('')}Error`;
}
