import { type ChangeableField, changeableFields, fieldRows, type UserValues } from './user-fields.js';

/** Fields to set on a user. `undefined` keeps a field, null clears it. */
export type UserChange = { readonly [Name in ChangeableField]?: UserValues[Name] | undefined };

/**
 * Makes a function from the table of fields. It names each of them: for the thousands of users of a bulk call, a loop over
 * the names takes seven times as long, and objects of one shape are cheaper than of many.
 */
function compiled<Compiled>(
  parameters: readonly string[],
  expression: string,
  helpers: Readonly<Record<string, unknown>> = {},
): Compiled {
  const source = `return (${parameters.join(', ')}) => (${expression});`;
  return new Function(...Object.keys(helpers), source)(...Object.values(helpers)) as Compiled;
}

/** An object with the fields of users, each computed by an expression. */
export function compiledFields<Made>(
  parameters: readonly string[],
  expressionOf: (name: ChangeableField, index: number) => string,
  others: Readonly<Record<string, string>> = {},
  helpers: Readonly<Record<string, unknown>> = {},
): Made {
  const fields = changeableFields.map((name, index) => `${name}: ${expressionOf(name, index)}`);
  const more = Object.entries(others).map(([name, expression]) => `${name}: ${expression}`);
  return compiled<Made>(parameters, `{ ${[...more, ...fields].join(', ')} }`, helpers);
}

const isNullable = (name: ChangeableField) => !fieldRows[name].isRequired && fieldRows[name].kind !== 'list';

export function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((element, index) => element === b[index]));
}

/** Whether two users have the same values. Most users of a nightly call are unchanged. */
export const isSameUser = compiled<(a: UserValues, b: UserValues) => boolean>(
  ['a', 'b'],
  changeableFields
    .map((name) =>
      fieldRows[name].kind === 'list' ? `isSameList(a.${name}, b.${name})` : `a.${name} === b.${name}`,
    )
    .join(' && '),
  { isSameList },
);

/** Whether two users have the same value in one field. */
export function isSameIn(name: ChangeableField, a: UserValues, b: UserValues): boolean {
  const [one, other] = [a[name], b[name]];
  return one === other || (Array.isArray(one) && isSameList(one, other as readonly string[]));
}

interface Identity {
  readonly serial: string;
  readonly version: number;
}

/** The user with the fields of a change; those that it doesn't name keep their value. */
export const changedUser = compiledFields<
  <User extends Identity & UserValues>(user: User, change: UserChange) => Identity & UserValues
>(
  ['user', 'change'],
  (name) =>
    isNullable(name)
      ? `change.${name} === undefined ? user.${name} : change.${name}`
      : `change.${name} ?? user.${name}`,
  { serial: 'user.serial', version: 'user.version' },
);

/** The stored fields among those that were read. A list is emptied by null. */
export const changeIn = compiledFields<(read: Readonly<Record<string, unknown>>) => UserChange>(
  ['read'],
  (name) => (fieldRows[name].kind === 'list' ? `read.${name} === null ? [] : read.${name}` : `read.${name}`),
);

/** All stored fields, of which those that were not read are empty. */
export const valuesIn = compiledFields<(read: Readonly<Record<string, unknown>>) => UserValues>(
  ['read'],
  (name) =>
    fieldRows[name].isRequired ? `read.${name}` : `read.${name} ?? ${JSON.stringify(emptyOf(name))}`,
);

/** What a field is stored as if it has no value. */
export function emptyOf(name: ChangeableField): null | readonly [] {
  return fieldRows[name].kind === 'list' ? [] : null;
}
