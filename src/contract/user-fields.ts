import { fieldLimits } from './limits.js';

/**
 * The fields of users. Everything that enumerates them derives from this table: the operations and their schemas, the
 * columns and statements, the change log, the command line, and, through scripts/generate-sheets.mjs, files and the
 * console. CONTRIBUTING.md describes how to add one. It imports no schemas, so that commands start quickly.
 */
export interface UserField {
  /** How a value is stored. A text is never empty; a list can be. */
  readonly kind: 'text' | 'boolean' | 'list' | 'serial' | 'attributes' | 'json';
  /** The column of the users table. Absent for fields that are not stored as sent: employee IDs of others, and a password. */
  readonly column?: string;
  /** Whether every user has a value. */
  readonly isRequired?: boolean;
  /** The operations that accept it; by default all. */
  readonly in?: readonly Operation[];
  /** The operations that accept it, but leave it out of their reports. */
  readonly notEchoedIn?: readonly Operation[];
  /** Whether users are found by it. */
  readonly isSearched?: boolean;
  /** Whether it may be stored in a form that differs from the one sent. */
  readonly isNormalized?: boolean;
  /** What it is. Only for a text on one line that has no rule of its own in fields.ts. */
  readonly description?: string;
  /** The limit of such a text. */
  readonly maxLength?: number;
  readonly example: unknown;
  /** What people call it. */
  readonly label: string;
  /** On the command line: the option, what it means, and the width of the column in a workbook. */
  readonly option?: string;
  readonly optionHelp?: string;
  readonly width?: number;
}

export const operations = ['create', 'updateBulk', 'upsertBulk', 'patch'] as const;
export type Operation = (typeof operations)[number];

/** In the contract's order, which is also the order of validation. */
export const userFields = {
  employeeID: {
    kind: 'text',
    column: 'employee_id',
    isSearched: true,
    isRequired: true,
    maxLength: fieldLimits.employeeIdMaxLength,
    example: 'E1001',
    label: 'Employee ID',
    width: 16,
  },
  name: {
    kind: 'text',
    column: 'name',
    isSearched: true,
    isRequired: true,
    isNormalized: true,
    example: 'Ada Lovelace',
    label: 'Name',
    option: '--name <name>',
    optionHelp: 'full name',
    width: 28,
  },
  newEmployeeID: {
    kind: 'text',
    in: ['updateBulk', 'upsertBulk'],
    example: 'E2001',
    label: 'New employee ID',
  },
  username: {
    kind: 'text',
    column: 'username',
    isSearched: true,
    example: 'ada',
    label: 'Username',
    option: '--username <name>',
    optionHelp: 'username to sign in with: letters and digits',
    width: 18,
  },
  // The contract's bulk update has none.
  email: {
    kind: 'text',
    column: 'email',
    isSearched: true,
    in: ['create', 'upsertBulk', 'patch'],
    isNormalized: true,
    example: 'ada@example.com',
    label: 'Email',
    option: '--email <address>',
    optionHelp: 'email address',
    width: 32,
  },
  phone: {
    kind: 'text',
    column: 'phone',
    isSearched: true,
    isNormalized: true,
    example: '+44 20 7946 0958',
    label: 'Phone',
    option: '--phone <number>',
    optionHelp: 'phone number',
    width: 20,
  },
  password: {
    kind: 'text',
    in: ['create', 'upsertBulk'],
    notEchoedIn: ['create', 'upsertBulk'],
    example: 'correct horse battery staple',
    label: 'Password',
  },
  isActive: {
    kind: 'boolean',
    column: 'is_active',
    isRequired: true,
    example: true,
    label: 'Status',
    width: 10,
  },
  tagSerials: {
    kind: 'list',
    column: 'tag_serials',
    isNormalized: true,
    example: ['T1', 'T2'],
    label: 'Tags',
    option: '--tags <serials>',
    optionHelp: 'tags, comma-separated',
    width: 24,
  },
  // The contract's list of what the bulk update returns does not include it.
  organizationSerial: {
    kind: 'text',
    column: 'organization_serial',
    notEchoedIn: ['updateBulk'],
    isNormalized: true,
    example: 'ORG7',
    label: 'Organization',
    option: '--organization <serial>',
    optionHelp: 'organization',
    width: 20,
  },
  // Managers are stored by serial, so that a renamed manager stays the manager.
  managerEmployeeID: {
    kind: 'text',
    notEchoedIn: ['create', 'updateBulk'],
    maxLength: fieldLimits.employeeIdMaxLength,
    example: 'E2001',
    label: 'Manager',
    option: '--manager <id>',
    optionHelp: 'manager, by employee ID',
  },
  managerSerial: {
    kind: 'serial',
    column: 'manager_serial',
    in: [],
    example: '0198c0de-7a11-7000-8000-5f1e2d3c4b5a',
    label: 'Manager',
  },
  // Fields that the company has defined. The contract has none.
  attributes: {
    kind: 'attributes',
    column: 'attributes',
    isNormalized: true,
    notEchoedIn: ['create', 'updateBulk'],
    example: { department: 'Sales' },
    label: 'Attributes',
  },
  // Set by identity providers, whose users sign in with names that a username cannot be, such as an email address.
  signInName: {
    kind: 'text',
    column: 'sign_in_name',
    in: [],
    description: 'Another name to sign in with, in the form in which names are compared.',
    maxLength: fieldLimits.signInNameMaxLength,
    example: 'ada@example.com',
    label: 'Sign-in name',
    width: 32,
  },
  // What identity providers know about the user and nothing else stands for, as `src/scim/stored-data.ts` describes.
  scim: {
    kind: 'json',
    column: 'scim',
    in: [],
    example: { externalIds: { 'client-1f2e3d4c5b6a': '00u1ero7vZFVEIYLWPBN' } },
    label: 'Provisioning',
  },
} as const satisfies Readonly<Record<string, UserField>>;
