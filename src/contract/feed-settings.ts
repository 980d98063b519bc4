import { Type } from 'typebox';
import { isWithin } from './code-points.js';
import { type Field, flagField, isStorable, lineField, wholeNumberField, withoutNul } from './fields.js';
import { attributeLimits, feedLimits } from './limits.js';
import {
  choiceField,
  listField,
  objectField,
  textTableField,
  typedObjectField,
  type ValuesOf,
} from './nested-fields.js';
import { optional, required } from './shapes.js';
import { isTimeZone } from './time-zone.js';

/** What the rows of a feed can set beside the fields of a user. */
export const feedOnlyFields = ['renamedFrom', 'effectiveDate'] as const;
export const approvalRules = ['always', 'beyondLimits', 'never'] as const;
export const conflictRules = ['skip', 'take', 'fail'] as const;
export const unknownNameRules = ['stop', 'create', 'leaveOut'] as const;
export const feedEncodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;

/** Kept as it is: a path or a heading may begin with a space. */
const exactText = (description: string, example: string, maxLength: number = feedLimits.textMaxLength) =>
  ({
    schema: Type.String({
      ...{ pattern: withoutNul.required, minLength: 1, maxLength },
      ...{ description, examples: [example] },
    }),
    optionalSchema: Type.String({
      ...{ pattern: withoutNul.optional, maxLength },
      ...{ description, examples: [example] },
    }),
    rule: `a string of 1 to ${maxLength} characters`,
    normalize: (sent) => (sent === '' ? null : sent),
    accepts: (value): value is string =>
      typeof value === 'string' && value.length > 0 && isWithin(value, maxLength) && isStorable(value),
  }) satisfies Field<string>;

const portField = wholeNumberField({ minimum: 1, maximum: 65_535, default: 22, description: 'The port.' });

/** The host and what follows are checked when the feed is stored, and again when the file is read. */
export const sourceField = typedObjectField(
  {
    https: {
      url: required(
        exactText('The URL of the file.', 'https://hr.example.com/export.csv', feedLimits.urlMaxLength),
      ),
      auth: optional(choiceField(['none', 'bearer', 'basic'], 'How the request is authorized.')),
      username: optional(exactText('For basic.', 'rollcall')),
    },
    sftp: {
      host: required(exactText('The host.', 'sftp.example.com')),
      port: optional(portField),
      username: required(exactText('The user.', 'rollcall')),
      path: required(
        exactText('The path of the file. A * in its name stands for the newest match.', '/out/staff-*.csv'),
      ),
      hostKey: optional(
        exactText(
          'The SHA-256 fingerprint of the host key, as `ssh-keygen -lf` prints it. A run without it fails and says which one it found.',
          'SHA256:uNiVztksCsDhcc0u9e8BrGXMVmqD9tDTUYfRWZ0AoNQ',
        ),
      ),
      auth: optional(choiceField(['password', 'key'], 'Whether the secret is a password or a private key.')),
    },
    s3: {
      endpoint: required(
        exactText(
          'The URL of the service.',
          'https://s3.eu-central-1.amazonaws.com',
          feedLimits.urlMaxLength,
        ),
      ),
      region: required(exactText('The region.', 'eu-central-1')),
      bucket: required(exactText('The bucket.', 'hr-exports')),
      key: required(
        exactText(
          'The key of the object. A * stands for the newest match.',
          'staff/*.csv',
          feedLimits.urlMaxLength,
        ),
      ),
      accessKeyId: required(
        exactText('The ID of the access key. The key is the secret.', 'AKIAIOSFODNN7EXAMPLE'),
      ),
    },
    folder: {
      path: required(
        exactText(
          'A file below the folder of feeds on the server (ROLLCALL_FEED_DIR). A * in its name stands for the newest match.',
          'workday/staff-*.csv',
        ),
      ),
    },
    upload: {},
  },
  {
    description:
      'Where the file comes from. Passwords, tokens and keys are sent as `secret`, which is never returned.',
    example: { type: 'https', url: 'https://hr.example.com/export.csv', auth: 'bearer' },
  },
);

const timeOfDay: Field<string> = {
  schema: Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', examples: ['05:00'] }),
  optionalSchema: Type.String({ pattern: '^(([01][0-9]|2[0-3]):[0-5][0-9])?$', examples: ['05:00'] }),
  rule: 'a time of day such as 05:00',
  normalize: (sent) => (sent === '' ? null : sent),
  accepts: (value): value is string => typeof value === 'string' && /^([01]\d|2[0-3]):[0-5]\d$/.test(value),
};

const dayField: Field<string> = {
  schema: Type.String({ format: 'date', examples: ['2026-12-25'] }),
  rule: 'a date such as 2026-12-25',
  normalize: (sent) => sent,
  accepts: (value): value is string =>
    typeof value === 'string' &&
    /^\d{4}-\d\d-\d\d$/.test(value) &&
    new Date(`${value}T00:00:00Z`).toJSON()?.startsWith(value) === true,
};

const timeZoneField: Field<string> = {
  schema: Type.String({
    description: "The time zone of the schedule; by default the service's.",
    examples: ['Europe/Berlin'],
  }),
  rule: 'a time zone such as Europe/Berlin',
  normalize: (sent) => (sent === '' ? null : sent),
  accepts: (value): value is string => typeof value === 'string' && isTimeZone(value),
};

const scheduleUses = {
  cron: optional(
    exactText(
      'When to run, as in cron: minute, hour, day of the month, month, day of the week.',
      '30 4 * * 1-5',
      feedLimits.cronMaxLength,
    ),
  ),
  onNewFile: optional(
    flagField('Whether to look for a new file every few minutes, and run when there is one.'),
  ),
  timeZone: optional(timeZoneField),
  from: optional(timeOfDay),
  until: optional(timeOfDay),
  blackoutDates: optional(
    listField(dayField, {
      description: 'Days without a run.',
      maxItems: feedLimits.blackoutDatesMax,
      example: ['2026-12-25'],
    }),
  ),
} as const;

export const scheduleField = objectField(scheduleUses, {
  description:
    'When the feed runs; without it, only when it is told to. Looks for new files happen between `from` and `until`. If there is no file at the time of `cron`, or the source is down, the run tries again until `until`, and fails then.',
  example: { cron: '30 4 * * 1-5', timeZone: 'Europe/Berlin', until: '07:00' },
});

const columnUses = {
  field: required(
    exactText(
      'A field of a user, `attributes.KEY`, `managerEmployeeID`, `renamedFrom` (the previous employee ID) or `effectiveDate` (the day on which the row takes effect).',
      'name',
    ),
  ),
  columns: optional(
    listField(exactText('A heading.', 'First name'), {
      description: 'The headings of the columns, joined in this order.',
      maxItems: feedLimits.joinedColumnsMax,
      example: ['First name', 'Last name'],
    }),
  ),
  separator: optional({
    ...exactText('Between joined columns; a space by default.', ', ', feedLimits.affixMaxLength),
  }),
  constant: optional(exactText('The same value for every row, instead of columns.', 'ORG7')),
  values: optional(
    textTableField({
      description: 'What values stand for, ignoring case and surrounding space.',
      entriesMax: feedLimits.valueTableMax,
      textMaxLength: feedLimits.textMaxLength,
      example: { A: 'true', I: 'false' },
    }),
  ),
  otherwise: optional(
    choiceField(['keep', 'empty', 'reject'], 'What becomes of a value that `values` does not contain.'),
  ),
  padTo: optional(
    wholeNumberField({
      minimum: 1,
      maximum: feedLimits.padToMax,
      description: 'Fills up with zeros on the left to this length.',
    }),
  ),
  prefix: optional(
    exactText('Comes before values that do not begin with it.', 'E', feedLimits.affixMaxLength),
  ),
  dateFormat: optional(
    exactText('How dates are written, with D, M and Y.', 'DD.MM.YYYY', feedLimits.affixMaxLength),
  ),
} as const;

export const mappingField = objectField(
  {
    columns: required(
      listField(objectField(columnUses, { description: 'Where a field comes from.' }), {
        description: 'One entry for each field.',
        maxItems: feedLimits.columnsMax,
      }),
    ),
    empty: optional(
      choiceField(['leaves', 'clears'], 'Whether an empty cell leaves a field as it is, or clears it.'),
    ),
    format: optional(choiceField(['csv', 'json'], 'The format of a text file, if detection fails.')),
    encoding: optional(choiceField(feedEncodings, 'The encoding, if detection fails.')),
    separator: optional(
      choiceField([',', ';', '|', '\t'], 'The separator of a CSV file, if detection fails.'),
    ),
    sheet: optional(exactText('The sheet of a workbook; the first by default.', 'Staff')),
    headingRow: optional(
      wholeNumberField({
        minimum: 1,
        maximum: feedLimits.headingRowMax,
        description: 'The row with the headings, if detection fails.',
      }),
    ),
  },
  {
    description:
      'How the columns of the file become fields. If one of them is missing, a run stops before it changes anything.',
    example: {
      columns: [
        { field: 'employeeID', columns: ['Personnel no.'], padTo: 8 },
        { field: 'name', columns: ['First name', 'Last name'] },
        { field: 'email', columns: ['Mail'] },
      ],
    },
  },
);

const scopeValuesRule = `a list of 1 to ${feedLimits.scopeMax} texts, numbers or booleans`;

function isScopeAttributes(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.keys(value).length <= feedLimits.scopeAttributesMax
  );
}

function isScopeValues(values: unknown): values is readonly ScopeValue[] {
  return (
    Array.isArray(values) &&
    values.length > 0 &&
    values.length <= feedLimits.scopeMax &&
    values.every((value) => typeof value === 'number' || typeof value === 'boolean' || isScopeText(value))
  );
}

function isScopeText(value: unknown): boolean {
  return typeof value === 'string' && isWithin(value, attributeLimits.textMaxLength) && isStorable(value);
}

/** What an attribute is compared with. */
export type ScopeValue = string | number | boolean;

/** Whether the attributes exist, and can have these values, is checked when the feed is stored, and by each run. */
const scopeAttributesField: Field<Readonly<Record<string, readonly ScopeValue[]>>> = {
  schema: Type.Object(
    {},
    {
      additionalProperties: Type.Array(
        Type.Union([
          Type.String({ pattern: withoutNul.required, maxLength: attributeLimits.textMaxLength }),
          ...[Type.Number(), Type.Boolean()],
        ]),
        { minItems: 1, maxItems: feedLimits.scopeMax },
      ),
      maxProperties: feedLimits.scopeAttributesMax,
      description:
        'Narrows the scope to users whose attributes, by key, have one of the given values; of a list, any of its texts. New users are in it if their row says so.',
      examples: [{ department: ['Sales', 'Service'], isContractor: [true] }],
    },
  ),
  rule: `an object of at most ${feedLimits.scopeAttributesMax} attributes by key, each with a list of values`,
  normalize: (sent) => sent,
  accepts: (value): value is Readonly<Record<string, readonly ScopeValue[]>> =>
    isScopeAttributes(value) && Object.values(value).every(isScopeValues),
  explainProblem: (value) => {
    if (!isScopeAttributes(value)) return undefined;
    const at = Object.values(value).findIndex((values) => !isScopeValues(values));
    return at < 0 ? undefined : `has an attribute (${at + 1}) whose values must be ${scopeValuesRule}`;
  },
};

export const rulesField = objectField(
  {
    create: optional(flagField('Whether new rows create users; true by default.')),
    update: optional(flagField('Whether rows update users; true by default.')),
    rehire: optional(
      flagField('Whether inactive users who are active in the file get its data and a new password.'),
    ),
    deactivateMissing: optional(
      flagField(
        'Whether the file lists everyone in the scope: users who were in it, or match the scope, and are missing now are deactivated, unless they have a role or belong to another feed.',
      ),
    ),
    organizationSerials: optional(
      listField(exactText('A serial.', 'ORG7', feedLimits.serialMaxLength), {
        description:
          'The scope: the feed creates, changes and deactivates only users of these organizations. Everyone by default. With `tagSerials` or `attributes`, users are in the scope if all of them hold.',
        maxItems: feedLimits.scopeMax,
        example: ['ORG7'],
      }),
    ),
    tagSerials: optional(
      listField(exactText('A serial.', 'TAG3', feedLimits.serialMaxLength), {
        description:
          'Narrows the scope to users with any of these tags. New users are in it if their row says so.',
        maxItems: feedLimits.scopeMax,
        example: ['TAG3'],
      }),
    ),
    attributes: optional(scopeAttributesField),
    onConflict: optional(
      choiceField(
        conflictRules,
        'What happens to a row whose user belongs to another feed: it is skipped, takes the user over, or fails.',
      ),
    ),
    unknownNames: optional(
      choiceField(
        unknownNameRules,
        'What happens if an organization or tag in the file is unknown: the run stops, creates it, or leaves it out.',
      ),
    ),
    approval: optional(
      choiceField(
        approvalRules,
        'Whether runs wait for approval: all of them, only those beyond the limits, or none, so that those beyond the limits are stopped for good.',
      ),
    ),
    deliver: optional(choiceField(['now', 'hold'], 'Whether passwords of new users are sent now or held.')),
  },
  {
    description: 'What a run may do.',
    example: { deactivateMissing: true, rehire: true, approval: 'beyondLimits' },
  },
);

/** A number of users or rows, or a percentage. */
export type FeedLimit = number | `${number}%`;
const percentage = /^(?:100|\d{1,2}(?:\.\d{1,3})?)%$/;

const limitOf = (description: string) =>
  optional<FeedLimit>({
    schema: Type.Unsafe<FeedLimit>({
      anyOf: [
        { type: 'integer', minimum: 0, maximum: feedLimits.countMax },
        { type: 'string', pattern: '^((100|[0-9]{1,2}([.][0-9]{1,3})?)%)?$' },
      ],
      description,
      examples: ['5%'],
    }),
    rule: 'a whole number, or a percentage such as "5%"',
    normalize: (sent) => (sent === '' ? null : sent),
    accepts: (value): value is FeedLimit =>
      typeof value === 'string'
        ? percentage.test(value)
        : Number.isInteger(value) && (value as number) >= 0 && (value as number) <= feedLimits.countMax,
  });

export const limitsField = objectField(
  {
    learn: optional(flagField('Whether the feed learns from past runs what is usual; true by default.')),
    rowsMin: limitOf('Fewer rows stop the run.'),
    rowsMax: limitOf('More rows stop the run.'),
    createsMax: limitOf('More new users stop the run.'),
    deactivationsMax: limitOf('More deactivated users stop the run.'),
    reactivationsMax: limitOf('More users who are activated again, or rehired, stop the run.'),
    renamesMax: limitOf('More users with another employee ID stop the run.'),
    failuresMax: limitOf('More rows that fail stop the run.'),
    withdrawalsMax: limitOf(
      'More changes planned for later days that the file no longer contains stop the run.',
    ),
    changesMax: limitOf('A field that changes for more users stops the run.'),
    emptiedMax: limitOf('A field that becomes empty for more users stops the run.'),
  },
  {
    description:
      'A run beyond a limit stops before it changes anything. Percentages are of the active users in the scope, of the rows for failures, and of the planned changes for withdrawals. Given limits replace learned ones.',
    example: { deactivationsMax: 50, changesMax: '20%' },
  },
);

export const informField = objectField(
  {
    users: optional(
      listField(exactText('A serial.', '0198c0de-7a11-7000-8000-5f1e2d3c4b5a', feedLimits.serialMaxLength), {
        description: 'Serials of the users to inform; by default everyone who wants such notices.',
        maxItems: feedLimits.informedMax,
      }),
    ),
    chat: optional(choiceField(['slack', 'teams'], 'The format of the messages to `chatUrl`.')),
  },
  { description: 'Who is informed when a run fails, stops or waits for approval.' },
);

export const feedNameField = lineField({
  description: 'What people call the feed.',
  example: 'Staff from Workday',
});

/** The console has its form at /feeds/new. */
const reservedKey = 'new';

export const feedKeyField: Field<string> = {
  schema: Type.String({
    pattern: '^[a-z][a-z0-9-]*$',
    minLength: 1,
    maxLength: feedLimits.keyMaxLength,
    description: `The name of the feed in the API. It cannot be changed. "${reservedKey}" is reserved.`,
    examples: ['workday'],
  }),
  rule: `a string of 1 to ${feedLimits.keyMaxLength} lower-case letters, digits and hyphens that begins with a letter, other than "${reservedKey}"`,
  normalize: (sent) => (sent === '' ? null : sent),
  accepts: (value): value is string =>
    typeof value === 'string' &&
    value !== reservedKey &&
    value.length <= feedLimits.keyMaxLength &&
    /^[a-z][a-z0-9-]*$/.test(value),
};

export const secretField = (description: string) => exactText(description, '…', feedLimits.secretMaxLength);

type FieldValue<F> = F extends Field<infer T> ? T : never;
export type FeedSchedule = FieldValue<typeof scheduleField>;
export type FeedMapping = FieldValue<typeof mappingField>;
export type FeedRules = FieldValue<typeof rulesField>;
export type FeedLimits = FieldValue<typeof limitsField>;
export type FeedInform = FieldValue<typeof informField>;
export type ColumnMapping = ValuesOf<typeof columnUses>;
