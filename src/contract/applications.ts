import { Type } from 'typebox';
import { rotateFields } from './clients.js';
import { isWithin } from './code-points.js';
import { applicationScopes } from './enums.js';
import {
  choicesField,
  type Field,
  flagField,
  keyField,
  labelField,
  serialReferenceField,
  wholeNumberField,
} from './fields.js';
import { applicationLimits } from './limits.js';
import { listField } from './nested-fields.js';
import { bodyOf, optional, orNull, pageOf, required, SecretDates, success, Timestamp } from './shapes.js';

/** White space, control characters, backslashes, fragments, wildcards and credentials. */
const URI_EXCLUDED = '\\s\\x00-\\x1f\\x7f\\\\#*';
const portableUri = `^https?://[^${URI_EXCLUDED}@]+$`;
const LOOPBACK = '(?:localhost|127\\.0\\.0\\.1|\\[::1\\])';
const uriForm = new RegExp(
  `^(?:https://[^${URI_EXCLUDED}@/?]+|http://${LOOPBACK}(?::[0-9]{1,5})?)(?:[/?][^${URI_EXCLUDED}@]*)?$`,
);

/** Compared character by character. */
const uriField: Field<string> = {
  schema: Type.String({
    pattern: portableUri,
    minLength: 1,
    maxLength: applicationLimits.uriMaxLength,
    examples: ['https://wiki.example.com/callback'],
  }),
  rule: 'a complete URL with https, or with http on localhost, 127.0.0.1 or [::1], without credentials, wildcards and fragment',
  normalize: (sent) => sent,
  accepts: (value): value is string =>
    typeof value === 'string' &&
    isWithin(value, applicationLimits.uriMaxLength) &&
    uriForm.test(value) &&
    URL.canParse(value),
};

const listedUris = listField(uriField, {
  maxItems: applicationLimits.urisMax,
  description:
    'Where users may be sent with a code: complete URLs, which have to be the same character by character. With https; http only on the machine itself.',
  example: ['https://wiki.example.com/callback'],
});

const redirectUrisField: Field<readonly string[]> = {
  ...listedUris,
  schema: { ...listedUris.schema, minItems: 1 },
  rule: `a list of 1 to ${applicationLimits.urisMax} URLs, each ${uriField.rule}`,
  accepts: (value): value is readonly string[] => listedUris.accepts(value) && value.length > 0,
};

const scopesField = choicesField(applicationScopes, {
  description:
    'What the application may ask for. `openid` is always included, and `offline_access` allows refresh tokens.',
  examples: [['openid', 'profile', 'email']],
});

const serialsField = (description: string) =>
  listField(serialReferenceField, {
    maxItems: applicationLimits.serialsMaxCount,
    description,
    example: ['ORG7'],
  });

const settingsFields = {
  redirectUris: required(redirectUrisField),
  postLogoutUris: optional(
    listField(uriField, {
      maxItems: applicationLimits.urisMax,
      description: 'Where users may be sent after signing out.',
      example: ['https://wiki.example.com/'],
    }),
  ),
  scopes: optional(scopesField),
  attributes: optional(
    listField(keyField, {
      maxItems: applicationLimits.attributesMax,
      description:
        'Keys of the attributes that the scope `employee` includes. Sensitive ones are sent if they are listed.',
      example: ['costCenter'],
    }),
  ),
  organizationSerials: optional(
    serialsField('Only users of these organizations may sign in; an empty list means any organization.'),
  ),
  tagSerials: optional(
    serialsField('Only users with at least one of these tags may sign in; an empty list means any user.'),
  ),
  accessTokenSeconds: optional(
    wholeNumberField({
      minimum: applicationLimits.accessTokenSecondsMin,
      maximum: applicationLimits.accessTokenSecondsMax,
      default: applicationLimits.accessTokenSecondsDefault,
      description: 'How long an access token can be used.',
    }),
  ),
  refreshTokenDays: optional(
    wholeNumberField({
      minimum: applicationLimits.refreshTokenDaysMin,
      maximum: applicationLimits.refreshTokenDaysMax,
      default: applicationLimits.refreshTokenDaysDefault,
      description: 'After how many days users sign in again, although refresh tokens were used.',
    }),
  ),
} as const;

const applicationNameField = labelField('What users call the application. Unique, ignoring case.', 'Wiki');

export const createApplicationFields = {
  name: required(applicationNameField),
  isPublic: optional(
    flagField(
      'True for an application in a browser or on a device, which can keep no secret. It cannot be changed.',
    ),
  ),
  ...settingsFields,
} as const;

export const patchApplicationFields = {
  name: required(applicationNameField),
  ...settingsFields,
  isActive: required(
    flagField('False ends the access of all users, and nobody can sign in until it is true again.'),
  ),
} as const;

export const rotateApplicationSecretFields = rotateFields;

export const CreateApplication = bodyOf(createApplicationFields, {
  title: 'CreateApplication',
  description: 'An application of the company, whose users sign in here.',
});
export const PatchApplication = bodyOf(patchApplicationFields, {
  title: 'PatchApplication',
  description: 'A JSON merge patch: absent fields are unchanged, null restores the default.',
  patch: true,
});

const applicationProperties = {
  id: Type.String({
    description: 'Also its `client_id`.',
    examples: ['0198c0de-7a11-7000-8000-5f1e2d3c4b5f'],
  }),
  name: Type.String(),
  isPublic: Type.Boolean(),
  redirectUris: Type.Array(Type.String()),
  postLogoutUris: Type.Array(Type.String()),
  scopes: Type.Array(Type.String({ enum: [...applicationScopes] })),
  attributes: Type.Array(Type.String()),
  organizationSerials: Type.Array(Type.String()),
  tagSerials: Type.Array(Type.String()),
  accessTokenSeconds: Type.Integer(),
  refreshTokenDays: Type.Integer(),
  isActive: Type.Boolean(),
  users: Type.Integer({ description: 'The users who have signed in, and whose access has not ended.' }),
  createdAt: Timestamp,
  secrets: SecretDates,
};

export const ApplicationView = Type.Object(applicationProperties, { title: 'Application' });
export const ApplicationReply = success('ApplicationReply', ApplicationView);
export const ApplicationListReply = success('ApplicationList', pageOf(ApplicationView));
export const ApplicationSecretReply = success(
  'ApplicationSecretReply',
  Type.Object({
    ...applicationProperties,
    secret: orNull(
      Type.String({
        description: 'Shown only once; the service stores its hash. Null for a public application.',
      }),
    ),
  }),
);
export const ApplicationDeletedReply = success('ApplicationDeleted', Type.Object({ id: Type.String() }));

const OwnApplication = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    scopes: Type.Array(Type.String({ enum: [...applicationScopes] }), {
      description: 'What it may be told.',
    }),
    firstSignedInAt: Timestamp,
    lastUsedAt: Timestamp,
  },
  { title: 'OwnApplication' },
);
export const OwnApplicationsReply = success(
  'OwnApplications',
  Type.Object({ applications: Type.Array(OwnApplication) }),
);

export const ApplicationSignInReply = success(
  'ApplicationSignIn',
  Type.Object({ applicationName: Type.String({ examples: ['Wiki'] }) }),
);
