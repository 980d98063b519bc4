import { Type } from 'typebox';
import {
  emailField,
  employeeIdField,
  type Field,
  isActiveField,
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
import { bodyOf, optional, pageOf, required, requiredIfNew, Serial, success, Timestamp } from './shapes.js';

/** The fields of each operation, in the contract's order, which is also the order of validation. */
export const createUserFields = {
  employeeID: required(employeeIdField),
  name: required(nameField),
  username: optional(usernameField),
  email: optional(emailField),
  phone: optional(phoneField),
  password: optional(passwordField),
  isActive: required(isActiveField),
  tagSerials: optional(tagSerialsField),
  organizationSerial: optional(serialReferenceField),
} as const;

export const bulkUpdateFields = {
  employeeID: required(employeeIdField),
  name: required(nameField),
  newEmployeeID: optional(newEmployeeIdField),
  username: optional(usernameField),
  phone: optional(phoneField),
  isActive: required(isActiveField),
  tagSerials: optional(tagSerialsField),
  organizationSerial: optional(serialReferenceField),
} as const;

const { employeeID, name: _name, ...otherFields } = createUserFields;

/** An item either updates a user or creates one, so it has the fields of both. */
export const bulkUpsertFields = {
  employeeID,
  name: requiredIfNew(nameField),
  newEmployeeID: bulkUpdateFields.newEmployeeID,
  ...otherFields,
  isActive: requiredIfNew(isActiveField),
} as const;

/** A merge patch may contain any of the fields. Fields marked as required cannot be cleared. */
export const patchUserFields = {
  employeeID: required(employeeIdField),
  name: required(nameField),
  username: optional(usernameField),
  email: optional(emailField),
  phone: optional(phoneField),
  isActive: required(isActiveField),
  tagSerials: optional(tagSerialsField),
  organizationSerial: optional(serialReferenceField),
} as const;

/** What a call can do with every user that a filter matches. */
export const userPatchFields = {
  isActive: optional(isActiveField),
  organizationSerial: optional(serialReferenceField),
  addTagSerials: optional(tagSerialsField),
  removeTagSerials: optional(tagSerialsField),
} as const;

/** What `payload` returns. The contract's list for the bulk update does not include organizationSerial. */
export const bulkUpdateEcho = [
  'employeeID',
  'name',
  'newEmployeeID',
  'username',
  'phone',
  'isActive',
  'tagSerials',
] as const satisfies (keyof typeof bulkUpdateFields)[];

export const bulkCreateEcho = [
  'employeeID',
  'name',
  'username',
  'email',
  'phone',
  'isActive',
  'tagSerials',
  'organizationSerial',
] as const satisfies (keyof typeof createUserFields)[];

export const bulkUpsertEcho = [
  'employeeID',
  'name',
  'newEmployeeID',
  'username',
  'email',
  'phone',
  'isActive',
  'tagSerials',
  'organizationSerial',
] as const satisfies (keyof typeof bulkUpsertFields)[];

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
    'What to do with each user; at least one field. isActive activates or deactivates, organizationSerial sets the organization (null removes it), and tags are added and removed.',
});

export const BulkUpdate = Type.Object({ items: Type.Array(BulkUpdateItem) }, { title: 'BulkUpdate' });

export const BulkUpsert = Type.Object(
  { items: Type.Array(BulkUpsertItem) },
  { title: 'BulkUpsert', additionalProperties: false },
);

export const User = Type.Object(
  {
    serial: Serial,
    employeeID: employeeIdField.schema,
    name: nameField.schema,
    username: nullable(usernameField.schema),
    email: nullable(emailField.schema),
    phone: nullable(phoneField.schema),
    isActive: isActiveField.schema,
    tagSerials: tagSerialsField.schema,
    organizationSerial: nullable(serialReferenceField.schema),
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
export interface UserView {
  serial: string;
  employeeID: string;
  name: string;
  username: string | null;
  email: string | null;
  phone: string | null;
  isActive: boolean;
  tagSerials: readonly string[];
  organizationSerial: string | null;
  createdAt: string;
  updatedAt: string;
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
const normalizedFields = {
  name: Type.Optional(nameField.schema),
  email: Type.Optional(nullable(emailField.schema)),
  phone: Type.Optional(nullable(phoneField.schema)),
  tagSerials: Type.Optional(tagSerialsField.schema),
  organizationSerial: Type.Optional(nullable(serialReferenceField.schema)),
};
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
    isComplete: Type.Boolean({
      description:
        'false if users may be missing: for some seconds after thousands of changes, searches and lists sorted by name contain only the newest of them. Every user listed matches. Lists sorted by createdAt or employeeID without a search are always complete.',
    }),
  }),
);
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

/** The stored fields of a user that changes are based on. */
export interface StoredUser {
  readonly serial: string;
  readonly version: number;
  readonly employeeID: string;
  readonly name: string;
  readonly username: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly isActive: boolean;
  readonly tagSerials: readonly string[];
  readonly organizationSerial: string | null;
}

export type ChangeableField = Exclude<keyof StoredUser, 'serial' | 'version'>;

/** The form used for comparing usernames. They are ASCII, so this equals PostgreSQL's lower(). */
export function usernameKey(username: string): string {
  return username.toLowerCase();
}
