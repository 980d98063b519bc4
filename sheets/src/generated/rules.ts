// Generated from the service by scripts/generate-sheets.mjs.

/** The stored fields of users, and the widths of their columns in a workbook. */
export const userFields = {
  employeeID: { kind: 'text', isRequired: true, width: 16 },
  name: { kind: 'text', isRequired: true, width: 28 },
  username: { kind: 'text', isRequired: false, width: 18 },
  email: { kind: 'text', isRequired: false, width: 32 },
  phone: { kind: 'text', isRequired: false, width: 20 },
  isActive: { kind: 'boolean', isRequired: true, width: 10 },
  tagSerials: { kind: 'list', isRequired: false, width: 24 },
  organizationSerial: { kind: 'text', isRequired: false, width: 20 },
} as const;

/** The rule of each field as the service tells it, and the numbers it is made of. */
export const fieldRules = {
  employeeID: {
    type: 'text',
    rule: 'a string of 1 to 64 characters from a-z, A-Z and 0-9',
    pattern: '^[A-Za-z0-9]+$',
    minLength: 1,
    maxLength: 64,
  },
  name: {
    type: 'text',
    rule: 'a string of 1 to 200 characters that is not blank, without control characters, bidirectional overrides and lone surrogates',
    form: 'name',
    pattern:
      '^(?=[\\s\\p{Cf}\\p{DI}\\u2800]*[^\\s\\p{C}\\p{DI}\\u2800])(?:[^\\p{Cc}\\p{Cs}\\u202A-\\u202E\\u2066-\\u2069\\p{M}]|\\p{M}{1,30}(?!\\p{M}))+$',
    minLength: 1,
    maxLength: 200,
  },
  username: {
    type: 'text',
    rule: 'a string of 1 to 64 characters from a-z, A-Z and 0-9',
    pattern: '^[A-Za-z0-9]+$',
    minLength: 1,
    maxLength: 64,
  },
  email: {
    type: 'text',
    rule: 'an email address with one @, like name@example.com, of at most 254 characters, without spaces, control characters, bidirectional overrides and lone surrogates',
    form: 'line',
    pattern:
      '^(?=\\p{Cf}*[^@\\s\\p{C}])[^@\\s\\p{Cc}\\p{Cs}\\u202A-\\u202E\\u2066-\\u2069]+@(?=\\p{Cf}*[^@\\s\\p{C}])[^@\\s\\p{Cc}\\p{Cs}\\u202A-\\u202E\\u2066-\\u2069]+$',
    minLength: 3,
    maxLength: 254,
  },
  phone: {
    type: 'text',
    rule: 'a string of 1 to 255 characters that is not blank, without control characters, bidirectional overrides and lone surrogates',
    form: 'line',
    pattern:
      '^(?=[\\s\\p{Cf}\\p{DI}\\u2800]*[^\\s\\p{C}\\p{DI}\\u2800])[^\\p{Cc}\\p{Cs}\\u202A-\\u202E\\u2066-\\u2069]+$',
    minLength: 1,
    maxLength: 255,
  },
  password: {
    type: 'text',
    rule: 'a string of 1 to 128 characters without NUL and lone surrogates',
    pattern: '^[^\\u0000\\p{Cs}]+$',
    minLength: 1,
    maxLength: 128,
  },
  isActive: { type: 'boolean', rule: 'a boolean, true or false' },
  tagSerials: {
    type: 'list',
    rule: 'an array of at most 100 strings of 1 to 64 characters without control characters, bidirectional overrides and lone surrogates',
    maxItems: 100,
    item: {
      type: 'text',
      rule: 'a string of 1 to 64 characters without control characters, bidirectional overrides and lone surrogates',
      form: 'serial',
      pattern: '^[^\\p{Cc}\\p{Cs}\\u202A-\\u202E\\u2066-\\u2069]+$',
      minLength: 1,
      maxLength: 64,
    },
  },
  organizationSerial: {
    type: 'text',
    rule: 'a string of 1 to 64 characters without control characters, bidirectional overrides and lone surrogates',
    form: 'serial',
    pattern: '^[^\\p{Cc}\\p{Cs}\\u202A-\\u202E\\u2066-\\u2069]+$',
    minLength: 1,
    maxLength: 64,
  },
  managerEmployeeID: {
    type: 'text',
    rule: 'a string of 1 to 64 characters from a-z, A-Z and 0-9',
    pattern: '^[A-Za-z0-9]+$',
    minLength: 1,
    maxLength: 64,
  },
  newEmployeeID: {
    type: 'text',
    rule: 'a string of 1 to 64 characters from a-z, A-Z and 0-9',
    pattern: '^[A-Za-z0-9]+$',
    minLength: 1,
    maxLength: 64,
  },
} as const;

/** The fields that an item of each bulk call may have and must have. */
export const operationFields = {
  create: {
    fields: [
      'employeeID',
      'name',
      'username',
      'email',
      'phone',
      'password',
      'isActive',
      'tagSerials',
      'organizationSerial',
      'managerEmployeeID',
    ],
    required: ['employeeID', 'name', 'isActive'],
  },
  update: {
    fields: [
      'employeeID',
      'name',
      'newEmployeeID',
      'username',
      'phone',
      'isActive',
      'tagSerials',
      'organizationSerial',
      'managerEmployeeID',
    ],
    required: ['employeeID', 'name', 'isActive'],
  },
} as const;

/** The rule of texts that an administrator has defined as attributes, unless their length is limited, and other limits. */
export const attributeRules = {
  text: {
    type: 'text',
    form: 'line',
    pattern:
      '^(?=[\\s\\p{Cf}\\p{DI}\\u2800]*[^\\s\\p{C}\\p{DI}\\u2800])[^\\p{Cc}\\p{Cs}\\u202A-\\u202E\\u2066-\\u2069]+$',
    minLength: 1,
    maxLength: 255,
  },
  listMaxCount: 100,
  numberDigitsMax: 15,
} as const;
