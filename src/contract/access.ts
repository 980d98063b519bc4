import { type TSchema, Type } from 'typebox';
import { type Field, nullable } from './fields.js';
import { fieldLimits, secretOverlapDefaultSeconds, secretOverlapMaxSeconds } from './limits.js';
import { isRole, isScope, type Role, roles, type Scope, scopes } from './scopes.js';
import { bodyOf, optional, pageOf, required, Serial, success, Timestamp } from './shapes.js';

/** A text that is compared with what is stored, so that any may come: what breaks a rule is simply wrong. */
function anyText(description: string, example: string): Field<string> {
  return {
    schema: Type.String({ minLength: 1, description, examples: [example] }),
    rule: 'a string that is not empty',
    normalise: (sent) => (sent === '' ? null : sent),
    accepts: (value): value is string => typeof value === 'string',
  };
}

const scopesField: Field<Scope[]> = {
  schema: Type.Array(Type.String({ enum: [...scopes] }), {
    minItems: 1,
    description: 'What the client may do.',
    examples: [['users:read', 'users:write']],
  }),
  rule: `a list of one or more of ${scopes.join(', ')}`,
  normalise: (sent) => (Array.isArray(sent) ? [...new Set(sent)] : sent),
  accepts: (value): value is Scope[] =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((entry) => typeof entry === 'string' && isScope(entry)),
};

const clientNamePattern = `^(?=.*[^\\s])[^\\p{C}]{1,${fieldLimits.clientNameMaxLength}}$`;
const clientNameRegex = new RegExp(clientNamePattern, 'u');
const clientNameField: Field<string> = {
  schema: Type.String({
    pattern: clientNamePattern,
    description: 'What the client is for, for people.',
    examples: ['Nightly HR sync'],
  }),
  rule: `a string of 1 to ${fieldLimits.clientNameMaxLength} printable characters`,
  normalise: (sent) => (typeof sent === 'string' ? sent.trim() || null : sent),
  accepts: (value): value is string => typeof value === 'string' && clientNameRegex.test(value),
};

const flagField = (description: string): Field<boolean> => ({
  schema: Type.Boolean({ description, examples: [false] }),
  rule: 'true or false',
  normalise: (sent) => sent,
  accepts: (value): value is boolean => typeof value === 'boolean',
});

const overlapField: Field<number> = {
  schema: Type.Integer({
    minimum: 0,
    maximum: secretOverlapMaxSeconds,
    default: secretOverlapDefaultSeconds,
    description: 'How many seconds the present secret goes on working beside the new one.',
  }),
  rule: `a whole number from 0 to ${secretOverlapMaxSeconds}`,
  normalise: (sent) => sent,
  accepts: (value): value is number =>
    Number.isInteger(value) && (value as number) >= 0 && (value as number) <= secretOverlapMaxSeconds,
};

const roleField: Field<Role> = {
  schema: Type.String({ enum: [...roles] }),
  rule: `one of ${roles.join(', ')}, or null for none`,
  normalise: (sent) => sent,
  accepts: isRole,
};

const idsField: Field<string[]> = {
  schema: Type.Array(Type.String(), { minItems: 1, maxItems: 10_000, description: 'IDs of deliveries.' }),
  rule: 'a list of 1 to 10000 IDs of deliveries',
  normalise: (sent) => sent,
  accepts: (value): value is string[] =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= 10_000 &&
    value.every((id) => typeof id === 'string'),
};

export const signInFields = {
  username: required(anyText('The username, without regard to case.', 'ada')),
  password: required(anyText('The password.', 'correct horse battery staple')),
} as const;

export const changePasswordFields = {
  currentPassword: required(anyText('The password that was good until now.', 'k3VxPq…')),
  // Any text here too: which rule it breaks is told by the rules for passwords, in their own words.
  newPassword: required({
    ...anyText('', ''),
    schema: Type.String({
      minLength: fieldLimits.chosenPasswordMinLength,
      maxLength: fieldLimits.passwordMaxLength,
      description:
        'Any characters. Not one of the commonest passwords, not the username or employee ID, not the present one.',
      examples: ['correct horse battery staple'],
    }),
  }),
} as const;

/** Here null says something: no role. So the field is there, or the request is a mistake. */
export const roleFields = { role: optional(roleField) } as const;

export const createClientFields = {
  name: required(clientNameField),
  scopes: required(scopesField),
} as const;

export const patchClientFields = {
  ...createClientFields,
  isActive: required(flagField('False disables the client: its tokens end within seconds.')),
} as const;

export const rotateFields = { overlapSeconds: optional(overlapField) } as const;

export const releaseFields = {
  all: optional(flagField('True releases every delivery that is held.')),
  requestId: optional(
    anyText('Those of the bulk create whose reply had this X-Request-Id.', 'nightly-2026-11-15'),
  ),
  ids: optional(idsField),
} as const;

export const SignIn = bodyOf(signInFields, { title: 'SignIn', description: 'A person signs in.' });
export const ChangePassword = bodyOf(changePasswordFields, {
  title: 'ChangePassword',
  description: 'A person chooses a new password.',
});
export const SetRole = bodyOf(roleFields, { title: 'SetRole', description: 'A role, or null for none.' });
export const CreateClient = bodyOf(createClientFields, {
  title: 'CreateClient',
  description: 'A machine that calls the service.',
});
export const PatchClient = bodyOf(patchClientFields, {
  title: 'PatchClient',
  description: 'A JSON merge patch: an absent field is left as it is.',
  patch: true,
});
export const RotateSecret = bodyOf(rotateFields, {
  title: 'RotateSecret',
  description: 'How long the two secrets overlap.',
});
export const ReleaseDeliveries = bodyOf(releaseFields, {
  title: 'ReleaseDeliveries',
  description: 'Which held deliveries go out: one of the three.',
});

const RoleOrNone = nullable(roleField.schema);
const Scopes = Type.Array(Type.String({ enum: [...scopes] }));
const orNull = (schema: TSchema) => Type.Union([schema, Type.Null()]);

export const SignedInReply = success(
  'SignedIn',
  Type.Object({
    accessToken: Type.String({ description: 'For the Authorization header, until signing out.' }),
    tokenType: Type.String({ const: 'Bearer' }),
    expiresIn: Type.Integer({ description: 'Seconds.' }),
    mustChangePassword: Type.Boolean({
      description:
        'True after signing in with an initial password: only changing it and signing out are allowed.',
    }),
    serial: Serial,
    role: RoleOrNone,
    scopes: Scopes,
  }),
);

export const MeReply = success(
  'Me',
  Type.Object({
    kind: Type.String({ enum: ['client', 'person', 'outside'] }),
    id: Type.String({ description: 'The client ID, the serial of the user, or issuer and subject.' }),
    name: orNull(Type.String({ description: 'The name of the person.' })),
    username: orNull(Type.String()),
    role: RoleOrNone,
    scopes: Scopes,
  }),
);

export const DoneReply = success('Done', Type.Object({}));
export const RoleReply = success('RoleReply', Type.Object({ serial: Serial, role: RoleOrNone }));

const clientProperties = {
  id: Type.String({ examples: ['client-1f2e3d4c5b6a'] }),
  name: clientNameField.schema,
  scopes: Scopes,
  isActive: Type.Boolean(),
  createdAt: Timestamp,
  secrets: Type.Array(Type.Object({ createdAt: Timestamp, expiresAt: orNull(Timestamp) }), {
    description: 'When the secrets that work now were made and end; never the secrets.',
  }),
};

export const ClientView = Type.Object(clientProperties, { title: 'Client' });
export const ClientReply = success('ClientReply', ClientView);
export const ClientListReply = success('ClientList', pageOf(ClientView));
export const ClientSecretReply = success(
  'ClientSecretReply',
  Type.Object({
    ...clientProperties,
    secret: Type.String({ description: 'Shown this once; only its hash is kept.' }),
  }),
);

export const deliveryStates = ['waiting', 'held', 'dormant', 'sent', 'parked', 'cancelled'] as const;
export type DeliveryState = (typeof deliveryStates)[number];
export type DeliveryKind = 'initial-password' | 'reset-password';
export type DeliveryChannel = 'email' | 'sms';

export const DeliveryView = Type.Object(
  {
    id: Type.String({ examples: ['0198c0de-7a11-7000-8000-5f1e2d3c4b5b'] }),
    userSerial: Serial,
    kind: Type.String({ enum: ['initial-password', 'reset-password'] satisfies DeliveryKind[] }),
    state: Type.String({
      enum: [...deliveryStates],
      description:
        'held until released; dormant until the user is active; parked after the last attempt failed; cancelled when a later one took its place.',
    }),
    channel: orNull(Type.String({ enum: ['email', 'sms'] satisfies DeliveryChannel[] })),
    attempts: Type.Integer(),
    createdAt: Timestamp,
    nextAttemptAt: orNull(Timestamp),
    sentAt: orNull(Timestamp),
    lastError: orNull(Type.String({ description: 'Why the last attempt failed.' })),
    requestId: orNull(Type.String()),
  },
  { title: 'Delivery' },
);
export const DeliveryReply = success('DeliveryReply', DeliveryView);
export const DeliveryListReply = success('DeliveryList', pageOf(DeliveryView));
export const ReleasedReply = success('Released', Type.Object({ released: Type.Integer() }));

export const accessEventKinds = [
  'sign-in.succeeded',
  'sign-in.failed',
  'sign-out',
  'password.changed',
  'password.reset',
  'role.changed',
  'client.created',
  'client.changed',
  'client.secret-rotated',
  'token.refused',
  'keys.rotated',
  'delivery.resent',
  'deliveries.released',
] as const;
export type AccessEventKind = (typeof accessEventKinds)[number];

export const AccessEventView = Type.Object(
  {
    id: Type.String(),
    at: Timestamp,
    kind: Type.String({ enum: [...accessEventKinds] }),
    actor: orNull(Type.Object({ kind: Type.String(), id: Type.String() })),
    userSerial: orNull(Serial),
    clientId: orNull(Type.String()),
    address: orNull(Type.String({ description: 'The network address it came from.' })),
    requestId: orNull(Type.String()),
    detail: Type.Object({}, { additionalProperties: true }),
  },
  { title: 'AccessEvent' },
);
export const AccessEventListReply = success('AccessEventList', pageOf(AccessEventView));
