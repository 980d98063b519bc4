import { Type } from 'typebox';
import { pausedCauses, targetDeactivations, targetDifferences, targetErrors } from './enums.js';
import { flagField, labelField, serialReferenceField, tagSerialsField, wholeNumberField } from './fields.js';
import { scimTargetLimits, webhookUrlMaxLength } from './limits.js';
import { choiceField } from './nested-fields.js';
import { bodyOf, optional, orNull, pageOf, required, Serial, success, Timestamp } from './shapes.js';
import { urlField } from './webhooks.js';

const baseUrlField = {
  ...urlField,
  schema: Type.String({
    ...urlField.schema,
    pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s\\x00-\\x1f\\x7f\\\\#@?]+$',
    maxLength: webhookUrlMaxLength,
    description:
      'The base URL of the SCIM service: complete, with a public host, without credentials and query.',
    examples: ['https://app.example.com/scim/v2'],
  }),
};

const tokenField = {
  ...serialReferenceField,
  schema: Type.String({
    pattern: '^[\\x21-\\x7e]+$',
    minLength: 1,
    maxLength: scimTargetLimits.tokenMaxLength,
    description: 'The bearer token that the target expects. It is never returned.',
    examples: ['eyJhbGciOi…'.replace('…', '')],
  }),
  rule: `1 to ${scimTargetLimits.tokenMaxLength} printable ASCII characters without spaces`,
  normalize: (sent: unknown) => sent,
  accepts: (value: unknown): value is string =>
    typeof value === 'string' &&
    value.length <= scimTargetLimits.tokenMaxLength &&
    /^[\x21-\x7e]+$/.test(value),
};

const serialsField = (description: string) => ({
  ...tagSerialsField,
  schema: Type.Array(serialReferenceField.schema, {
    maxItems: scimTargetLimits.serialsMaxCount,
    description,
    examples: [['ORG7']],
  }),
});

const settingsFields = {
  organizationSerials: optional(
    serialsField('Only users of these organizations are pushed; an empty list means any organization.'),
  ),
  tagSerials: optional(
    serialsField('Only users with at least one of these tags; an empty list means any user.'),
  ),
  sendsGroups: optional(flagField('Whether tags are pushed as groups. False by default.')),
  sendsSensitive: optional(flagField('Whether sensitive attributes are sent. False by default.')),
  onDeactivate: optional(
    choiceField(
      targetDeactivations,
      'What becomes of a user there who is deactivated here, or no longer selected: deactivate (by default) or delete. Erased users are always deleted.',
    ),
  ),
  requestsPerSecond: optional(
    wholeNumberField({
      minimum: 1,
      maximum: scimTargetLimits.requestsPerSecondMax,
      default: scimTargetLimits.requestsPerSecondDefault,
      description: 'How many requests per second the target gets at most.',
    }),
  ),
} as const;

const nameField = labelField('What the target is called.', 'Wiki');

export const createTargetFields = {
  name: required(nameField),
  url: required(baseUrlField),
  token: required(tokenField),
  ...settingsFields,
} as const;

export const patchTargetFields = {
  ...createTargetFields,
  isPaused: required(
    flagField('True stops pushing; false continues with everything that has happened since.'),
  ),
} as const;

export const CreateScimTarget = bodyOf(createTargetFields, {
  title: 'CreateScimTarget',
  description: 'A SCIM service that users are pushed to.',
});
export const PatchScimTarget = bodyOf(patchTargetFields, {
  title: 'PatchScimTarget',
  description: 'A JSON merge patch: absent fields are unchanged, null restores the default.',
  patch: true,
});

const Count = (description: string) => Type.Integer({ minimum: 0, description });
const ErrorCode = (description: string) => orNull(Type.String({ enum: [...targetErrors], description }));

const Comparison = Type.Object(
  {
    startedAt: Timestamp,
    endedAt: orNull(Timestamp),
    compared: Count('How many users of the target were compared so far.'),
    total: orNull(Type.Integer({ description: 'How many users the target says that it has.' })),
    groupsCompared: Count('How many groups were compared after that, if groups are pushed.'),
    missing: Count('Users here who are not there, and groups.'),
    extra: Count('Users there who should not be: unknown here, inactive, or not selected.'),
    different: Count('Users and groups that differ.'),
    error: ErrorCode('Why it was abandoned.'),
  },
  { title: 'ScimComparison' },
);

export const ScimTargetView = Type.Object(
  {
    id: Type.String({ examples: ['0198c0de-7a11-7000-8000-5f1e2d3c4b5e'] }),
    name: Type.String(),
    url: Type.String(),
    organizationSerials: Type.Array(Type.String()),
    tagSerials: Type.Array(Type.String()),
    sendsGroups: Type.Boolean(),
    sendsSensitive: Type.Boolean(),
    onDeactivate: Type.String({ enum: [...targetDeactivations] }),
    requestsPerSecond: Type.Integer(),
    isPaused: Type.Boolean(),
    pausedBecause: orNull(
      Type.String({
        enum: [...pausedCauses],
        description: 'Why the service has paused it; null if a person has.',
      }),
    ),
    isSyncing: Type.Boolean({ description: 'Whether everybody is being put into the queue.' }),
    users: Count('Users who are there.'),
    groups: Count('Groups that are there.'),
    queued: Count('Users and groups that wait to be pushed.'),
    failed: Count('Those among them whose last attempt failed.'),
    lastPushAt: orNull(Timestamp),
    failingSince: orNull(Timestamp),
    nextAttemptAt: orNull(Timestamp),
    lastError: ErrorCode('Why the target is not reached, or why its last request failed.'),
    lastStatus: orNull(Type.Integer({ description: 'The HTTP status of that response.' })),
    comparison: orNull(Comparison),
    createdAt: Timestamp,
  },
  { title: 'ScimTarget' },
);

const FailedPush = Type.Object(
  {
    kind: Type.String({ enum: ['user', 'group'] }),
    serial: Type.String({ description: 'Of the user or the tag.' }),
    attempts: Type.Integer(),
    error: Type.String({ enum: [...targetErrors] }),
    status: orNull(Type.Integer()),
    nextAttemptAt: orNull(Timestamp),
  },
  { title: 'ScimPushFailure' },
);

export const ScimTargetReply = success('ScimTargetReply', ScimTargetView);
export const ScimTargetListReply = success('ScimTargetList', pageOf(ScimTargetView));
export const ScimTargetDeletedReply = success('ScimTargetDeleted', Type.Object({ id: Type.String() }));
export const ScimPushFailuresReply = success('ScimPushFailures', pageOf(FailedPush));

export const ScimDifferenceListReply = success(
  'ScimDifferenceList',
  pageOf(
    Type.Object(
      {
        id: Type.String(),
        kind: Type.String({ enum: [...targetDifferences] }),
        userSerial: orNull(Serial),
        tagSerial: orNull(Type.String({ description: 'The tag, if it is a group that differs.' })),
        remoteId: orNull(Type.String({ description: 'The ID of the user or group at the target.' })),
        fields: Type.Array(Type.String(), {
          description:
            'The attributes that differ, without their values; of groups, displayName and members.',
        }),
      },
      { title: 'ScimDifference' },
    ),
  ),
);
