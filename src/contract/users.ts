import { type TSchema, Type } from 'typebox';
import {
  emailField,
  employeeIdField,
  type Field,
  isActiveField,
  lineField,
  managerIdField,
  nameField,
  newEmployeeIdField,
  nullable,
  passwordField,
  phoneField,
  serialReferenceField,
  tagSerialsField,
  usernameField,
} from './fields.js';
import { lookupTextMaxLength } from './limits.js';
import { roles } from './scopes.js';
import {
  bodyOf,
  type FieldUse,
  optional,
  pageOf,
  required,
  requiredIfNew,
  Serial,
  success,
  Timestamp,
} from './shapes.js';
import type { Operation } from './user-fields.js';
import {
  type ChangeableField,
  changeableFields,
  clearableFields,
  type FieldIn,
  type FieldName,
  fieldRows,
  fieldsIn,
  isList,
  plainFields,
  type UserValues,
} from './user-values.js';

export type { ChangeableField } from './user-values.js';

/** Which attributes exist is known only at run time. */
const attributesField: Field<object> = {
  schema: Type.Object(
    {},
    {
      additionalProperties: true,
      description:
        'The fields that the company has defined (GET /service/attributes), by key. Those that are absent are unchanged.',
      examples: [{ department: 'Sales' }],
    },
  ),
  rule: 'an object with the values of attributes',
  isPatched: true,
  normalize: (sent) => sent,
  accepts: (value): value is object => typeof value === 'object' && value !== null && !Array.isArray(value),
};

const rules: { readonly [Name in FieldName]?: Field<unknown> } = {
  employeeID: employeeIdField,
  name: nameField,
  newEmployeeID: newEmployeeIdField,
  username: usernameField,
  email: emailField,
  phone: phoneField,
  password: passwordField,
  isActive: isActiveField,
  tagSerials: tagSerialsField,
  organizationSerial: serialReferenceField,
  managerEmployeeID: managerIdField,
  attributes: attributesField,
};

/** Most texts need no rule of their own. */
function ruleOf(name: FieldName): Field<unknown> {
  return rules[name] ?? lineField(fieldRows[name]);
}

function usesIn<Accepting extends Operation>(
  operation: Accepting,
): Readonly<Record<FieldIn<Accepting>, FieldUse>> {
  const useOf = (name: FieldName): FieldUse => {
    if (!fieldRows[name].isRequired) return optional(ruleOf(name));
    // An upsert needs it only for a new user, except to select one.
    const isKept = operation === 'upsertBulk' && name !== 'employeeID';
    return isKept ? requiredIfNew(ruleOf(name)) : required(ruleOf(name));
  };
  const uses = fieldsIn(operation).map((name) => [name, useOf(name)] as const);
  return Object.fromEntries(uses) as Record<FieldIn<Accepting>, FieldUse>;
}

export const createUserFields = usesIn('create');
export const bulkUpdateFields = usesIn('updateBulk');
/** An item either updates a user or creates one, so it has the fields of both. */
export const bulkUpsertFields = usesIn('upsertBulk');
/** A merge patch may contain any of the fields. Fields marked as required cannot be cleared. */
export const patchUserFields = usesIn('patch');

/** What a call can do with every user that a filter matches. */
export const userPatchFields = {
  isActive: optional(isActiveField),
  organizationSerial: optional(serialReferenceField),
  managerEmployeeID: optional(managerIdField),
  addTagSerials: optional(tagSerialsField),
  removeTagSerials: optional(tagSerialsField),
  attributes: optional(attributesField),
} as const;

const newUserOptions = {
  nullOnly: ['newEmployeeID'],
  description: 'A user to create. At least one of email and phone is required.',
  // Not anyOf: openapi-typescript turns a body with one into `unknown`. Generators ignore conditions, validators don't.
  if: { required: ['email'], properties: { email: emailField.schema }, additionalProperties: true },
  else: { required: ['phone'], properties: { phone: phoneField.schema }, additionalProperties: true },
};

export const CreateUser = bodyOf(createUserFields, { title: 'CreateUser', isOpen: true, ...newUserOptions });

const BulkCreateItem = bodyOf(createUserFields, { title: 'BulkCreateItem', ...newUserOptions });

export const BulkUpdateItem = bodyOf(bulkUpdateFields, {
  title: 'BulkUpdateItem',
  nullOnly: ['email', 'password'],
  description:
    'Selects a user by employeeID. Fields that are absent or null are unchanged; "" clears a text, and [] the tags. With nulls=clear, null clears a field.',
});

export const BulkUpsertItem = bodyOf(bulkUpsertFields, {
  title: 'BulkUpsertItem',
  description:
    'Updates the user with this employeeID, or creates them. Fields that are absent or null are unchanged, and empty for a new user; "" clears a text, and [] the tags. With nulls=clear, null clears an optional field. A new user needs a name and an email or phone, and is active unless isActive is false. The password is for new users only: existing users keep theirs. An item with another newEmployeeID never creates a user.',
});

export const PatchUser = bodyOf(patchUserFields, {
  title: 'PatchUser',
  description: 'A JSON merge patch: absent fields are unchanged; null clears a field.',
  patch: true,
});

export const BulkCreate = Type.Object(
  { items: Type.Array(BulkCreateItem) },
  { title: 'BulkCreate', additionalProperties: false },
);

export const UserPatch = bodyOf(userPatchFields, {
  title: 'UserPatch',
  description:
    'What to do with each user; at least one field. isActive activates or deactivates, organizationSerial sets the organization and managerEmployeeID the manager (null removes them), and tags are added and removed.',
});

export const BulkUpdate = Type.Object({ items: Type.Array(BulkUpdateItem) }, { title: 'BulkUpdate' });

export const BulkUpsert = Type.Object(
  { items: Type.Array(BulkUpsertItem) },
  { title: 'BulkUpsert', additionalProperties: false },
);

/** The schemas of stored fields, some of which can be null. */
function storedSchemas(names: readonly ChangeableField[]): Record<string, TSchema> {
  const isNullable = (name: ChangeableField) =>
    clearableFields.includes(name) && !isList(name) && name !== 'attributes';
  const schemaOf = (name: ChangeableField) =>
    isNullable(name) ? nullable(ruleOf(name).schema) : ruleOf(name).schema;
  return Object.fromEntries(names.map((name) => [name, schemaOf(name)]));
}

export const Manager = Type.Object(
  {
    serial: Serial,
    employeeID: Type.Union([Type.String(), Type.Null()], {
      description: 'Null if the manager was removed or erased.',
      examples: ['E2001'],
    }),
    name: Type.Union([Type.String(), Type.Null()], { examples: ['Grace Hopper'] }),
  },
  { title: 'Manager', description: 'Whom a user reports to.' },
);

export const User = Type.Object(
  {
    serial: Serial,
    ...storedSchemas(plainFields),
    manager: nullable(Manager),
    ...storedSchemas(['attributes']),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'User', description: 'A stored user, without secrets.' },
);

const ListedUser = Type.Object(
  {
    ...User.properties,
    formerEmployeeID: Type.Optional(
      Type.String({
        description:
          'The former employee ID by which the user was found. Absent if it was by something else.',
      }),
    ),
    role: Type.Optional(
      Type.Union([Type.String({ enum: [...roles] }), Type.Null()], { description: 'With `access=true`.' }),
    ),
    lastSignInAt: Type.Optional(
      Type.Union([User.properties.createdAt, Type.Null()], {
        description:
          'With `access=true`, for callers with audit:read: the last sign-in on record, or null if there is none.',
      }),
    ),
  },
  { title: 'ListedUser', description: 'A user in a list.' },
);

const FoundUser = Type.Object(
  {
    ...User.properties,
    employeeIDAsOf: Type.Optional(
      Type.String({
        description: 'With asOf: the employee ID that was looked up. The user may have another one by now.',
      }),
    ),
  },
  { title: 'FoundUser', description: 'A user who was looked up.' },
);

export const UserVersion = Type.Object(
  {
    serial: Serial,
    version: Type.Integer({
      description: 'Increases with every change; the number in the ETag.',
      examples: [3],
    }),
  },
  { title: 'UserVersion', description: 'A changed user, for a caller without users:read.' },
);

/** A user as returned by the API. */
export interface UserView extends UserValues {
  readonly serial: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The elements are checked one by one, so that the error can name the invalid one. */
const employeeIdsField: Field<unknown[]> = {
  schema: Type.Array(Type.String({ maxLength: lookupTextMaxLength }), {
    minItems: 1,
    description:
      'The employee IDs, in any order; duplicates are removed. Text that is not a valid employee ID is reported as not found.',
    examples: [['E1001', 'E9999']],
  }),
  rule: 'an array of one or more strings',
  normalize: (sent) => sent,
  accepts: (value): value is unknown[] => Array.isArray(value) && value.length > 0,
};

export const lookupFields = { employeeIDs: required(employeeIdsField) } as const;

export const LookupUsers = bodyOf(lookupFields, {
  title: 'LookupUsers',
  description: 'The users to look up.',
});

/** Of the fields of users, those that are not always stored as they were sent. */
const normalizedFields = Object.fromEntries(
  Object.entries(storedSchemas(changeableFields.filter((name) => fieldRows[name].isNormalized))).map(
    ([name, schema]) => [name, Type.Optional(schema)],
  ),
);
const normalizedDescription =
  'The fields that are stored in another form than they were sent in, as they are stored.';

export const NormalizedFields = Type.Object(normalizedFields, { description: normalizedDescription });
export const normalizedOnRequest = Type.Optional(
  Type.Object(normalizedFields, { description: `${normalizedDescription} Only with details=true.` }),
);

export const CreatedReply = success(
  'Created',
  Type.Object({ serial: Serial, normalized: normalizedOnRequest }),
);
export const UpdatedUserReply = success('UpdatedUser', Type.Union([User, UserVersion]));
const UserTotal = Type.Object(
  {
    count: Type.Integer({ description: 'How many users match, on all pages.', examples: [42] }),
    isExact: Type.Boolean({ description: 'false if the count is an estimate.' }),
  },
  { title: 'UserTotal' },
);
export const UserListReply = success(
  'UserList',
  Type.Object({
    ...pageOf(ListedUser).properties,
    total: Type.Optional(UserTotal),
    suggestions: Type.Optional(
      Type.Array(Type.String({ examples: ['Claudia Brandt'] }), {
        description:
          'With `suggest=true`: searches for names that are spelled almost like this one, best first. Each finds somebody with the same filters. Empty if the search finds several users, or if there are none.',
      }),
    ),
    isComplete: Type.Boolean({
      description:
        'false if users may be missing: for some seconds after thousands of changes, searches and lists sorted by name contain only the newest of them. Every user listed matches. Lists sorted by createdAt or employeeID without a search are always complete.',
    }),
  }),
);
const ReportingUser = Type.Object(
  {
    ...User.properties,
    reports: Type.Object(
      {
        count: Type.Integer({ minimum: 0, examples: [12] }),
        isExact: Type.Boolean({ description: 'false if there are more than these.' }),
      },
      { description: 'How many users report to this one directly.' },
    ),
  },
  { title: 'ReportingUser', description: 'A user who reports to another one.' },
);
export const ReportListReply = success('ReportList', pageOf(ReportingUser));
export const LookupReply = success(
  'UserLookup',
  Type.Object({
    items: Type.Array(FoundUser, {
      description: 'The users found, in the order first requested.',
    }),
    notFound: Type.Array(Type.String(), {
      description: 'The employee IDs that no user has, in the order first requested.',
    }),
    reassigned: Type.Optional(
      Type.Array(Type.String(), {
        description: 'With changedSince: the employee IDs that meant another user at that time.',
      }),
    ),
  }),
);

/** A user as changes are based on it. */
export interface StoredUser extends UserValues {
  readonly serial: string;
  readonly version: number;
}

/** The form used for comparing usernames. They are ASCII, so this equals PostgreSQL's lower(). */
export function usernameKey(username: string): string {
  return username.toLowerCase();
}
