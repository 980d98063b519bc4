import { Type } from 'typebox';
import { type Field, flagField } from './fields.js';
import { fieldLimits, secretOverlapDefaultSeconds, secretOverlapMaxSeconds } from './limits.js';
import { isScope, type Scope, scopes } from './scopes.js';
import { bodyOf, optional, orNull, pageOf, required, Scopes, success, Timestamp } from './shapes.js';

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

export const createClientFields = {
  name: required(clientNameField),
  scopes: required(scopesField),
} as const;

export const patchClientFields = {
  ...createClientFields,
  isActive: required(flagField('False disables the client: its tokens end within seconds.')),
} as const;

export const rotateFields = { overlapSeconds: optional(overlapField) } as const;

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
