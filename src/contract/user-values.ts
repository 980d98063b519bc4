import { type AttributePatch, patchAttributes } from './attribute-values.js';
import { type Operation, operations, type UserField, userFields } from './user-fields.js';

type Rows = typeof userFields;
export type FieldName = keyof Rows;
/** The fields that are stored, and can therefore change. */
export type ChangeableField = {
  [Name in FieldName]: Rows[Name] extends { column: string } ? Name : never;
}[FieldName];

type ValueOf<Row extends UserField> = Row['kind'] extends 'list'
  ? readonly string[]
  : (Row['kind'] extends 'boolean' ? boolean : string) | (Row extends { isRequired: true } ? never : null);

/** The stored fields of a user. */
export type UserValues = { readonly [Name in ChangeableField]: ValueOf<Rows[Name]> };

const names = Object.keys(userFields) as FieldName[];

/** As rows of one type. */
export const fieldRows: Readonly<Record<FieldName, UserField>> = userFields;

export const changeableFields = names.filter(
  (name) => fieldRows[name].column !== undefined,
) as readonly FieldName[] as readonly ChangeableField[];

/** The fields that are stored as they are sent and shown: all but the manager, attributes, and what providers know. */
export type PlainField = Exclude<ChangeableField, 'managerSerial' | 'attributes' | 'scim'>;
export const plainFields = changeableFields.filter(
  (name) => name !== 'managerSerial' && name !== 'attributes' && name !== 'scim',
);

/** Those of the plain fields that callers can send. */
export const sentFields = plainFields.filter((name) => (fieldRows[name].in ?? operations).length > 0);

/** The texts by which users are found. */
export type SearchedField = {
  [Name in FieldName]: Rows[Name] extends { isSearched: true } ? Name : never;
}[FieldName];

export const searchedFields = names.filter(
  (name) => fieldRows[name].isSearched,
) as readonly FieldName[] as readonly SearchedField[];

/** The fields that an operation accepts. */
export type FieldIn<Accepting extends Operation> = {
  [Name in FieldName]: Rows[Name] extends { in: infer Listed extends readonly Operation[] }
    ? Accepting extends Listed[number]
      ? Name
      : never
    : Name;
}[FieldName];

export function fieldsIn<Accepting extends Operation>(operation: Accepting): FieldIn<Accepting>[] {
  const isIn = (name: FieldName): name is FieldIn<Accepting> =>
    (fieldRows[name].in ?? operations).includes(operation);
  return names.filter(isIn);
}

/** The fields that the report of an operation returns. */
export function fieldsEchoedIn(operation: Operation): FieldName[] {
  return fieldsIn(operation).filter((name) => !fieldRows[name].notEchoedIn?.includes(operation));
}

/** The fields that a user can be without. */
export const clearableFields = changeableFields.filter((name) => !fieldRows[name].isRequired);

export function columnOf(name: ChangeableField): string {
  return userFields[name].column;
}

export function isList(name: ChangeableField): boolean {
  return userFields[name].kind === 'list';
}

/** Fields to set on a user. `undefined` keeps a field, null clears it. Attributes are set one by one. */
export type UserChange = {
  readonly [Name in ChangeableField]?:
    | (Name extends 'attributes' ? AttributePatch : UserValues[Name])
    | undefined;
} & {
  /** Whose serial is not known yet. */
  readonly managerEmployeeID?: string | null | undefined;
};

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

/** An object with a serial, the fields of users and other values, in this order, each computed by an expression. */
export function compiledFields<Made>(
  parameters: readonly string[],
  expressionOf: (name: ChangeableField, index: number) => string,
  { serial, ...others }: Readonly<Record<string, string>> = {},
  helpers: Readonly<Record<string, unknown>> = {},
): Made {
  const fields = changeableFields.map((name, index): [string, string] => [name, expressionOf(name, index)]);
  const first = serial === undefined ? {} : { serial };
  const entries = Object.entries({ ...first, ...Object.fromEntries(fields), ...others });
  const expressions = entries.map(([name, expression]) => `${name}: ${expression}`);
  return compiled<Made>(parameters, `{ ${expressions.join(', ')} }`, helpers);
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
  (name) => {
    if (fieldRows[name].kind === 'attributes')
      return `change.${name} === undefined ? user.${name} : patchAttributes(user.${name}, change.${name})`;
    return isNullable(name)
      ? `change.${name} === undefined ? user.${name} : change.${name}`
      : `change.${name} ?? user.${name}`;
  },
  { serial: 'user.serial', version: 'user.version' },
  { patchAttributes },
);

/** The stored fields among those that were read. A list is emptied by null. */
export const changeIn = compiledFields<(read: Readonly<Record<string, unknown>>) => UserChange>(
  ['read'],
  (name) => (fieldRows[name].kind === 'list' ? `read.${name} === null ? [] : read.${name}` : `read.${name}`),
);

/** All stored fields, of which those that were not read are empty. */
export const valuesIn = compiledFields<(read: Readonly<Record<string, unknown>>) => UserValues>(
  ['read'],
  (name) => {
    if (fieldRows[name].kind === 'attributes') return `patchAttributes(null, read.${name} ?? {})`;
    return fieldRows[name].isRequired ? `read.${name}` : `read.${name} ?? ${JSON.stringify(emptyOf(name))}`;
  },
  {},
  { patchAttributes },
);

/** What a field is stored as if it has no value. */
export function emptyOf(name: ChangeableField): null | readonly [] {
  return fieldRows[name].kind === 'list' ? [] : null;
}
