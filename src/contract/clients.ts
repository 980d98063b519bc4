import { Type } from 'typebox';
import { choicesField, flagField, labelField, wholeNumberField } from './fields.js';
import { secretOverlapDefaultSeconds, secretOverlapMaxSeconds } from './limits.js';
import { scopes } from './scopes.js';
import { bodyOf, optional, pageOf, required, Scopes, SecretDates, success, Timestamp } from './shapes.js';

const scopesField = choicesField(scopes, {
  description: 'What the client may do.',
  examples: [['users:read', 'users:write']],
});

const clientNameField = labelField('What the client is for, for people.', 'Nightly HR sync');

export const createClientFields = {
  name: required(clientNameField),
  scopes: required(scopesField),
} as const;

export const patchClientFields = {
  ...createClientFields,
  isActive: required(flagField('False disables the client: its tokens end within seconds, for good.')),
} as const;

export const rotateFields = {
  overlapSeconds: optional(
    wholeNumberField({
      minimum: 0,
      maximum: secretOverlapMaxSeconds,
      default: secretOverlapDefaultSeconds,
      description:
        'How many seconds the present secret goes on working beside the new one; 0 also ends all tokens issued so far.',
    }),
  ),
} as const;

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
  secrets: SecretDates,
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
