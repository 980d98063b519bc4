import { Type } from 'typebox';
import { choicesField, flagField, labelField, wholeNumberField } from './fields.js';
import { secretOverlapDefaultSeconds, secretOverlapMaxSeconds } from './limits.js';
import { scopes } from './scopes.js';
import { bodyOf, optional, pageOf, required, Scopes, SecretDates, success, Timestamp } from './shapes.js';

const scopesField = choicesField(scopes, {
  description: 'What the client may do.',
  examples: [['users:read', 'users:write']],
});

const clientNameField = labelField('What the client is for.', 'Nightly HR sync');

const ignoresUnknownField = flagField(
  'Whether bulk calls of the client ignore unknown fields and attributes, as with unknownFields=ignore, instead of rejecting their items.',
);

export const createClientFields = {
  name: required(clientNameField),
  scopes: required(scopesField),
  ignoresUnknownFields: optional(ignoresUnknownField),
} as const;

export const patchClientFields = {
  ...createClientFields,
  ignoresUnknownFields: required(ignoresUnknownField),
  isActive: required(
    flagField(
      'False disables the client: its tokens stop working within seconds. Only long-lived ones work again when it is enabled.',
    ),
  ),
} as const;

export const rotateFields = {
  overlapSeconds: optional(
    wholeNumberField({
      minimum: 0,
      maximum: secretOverlapMaxSeconds,
      default: secretOverlapDefaultSeconds,
      description:
        'How many seconds the current secret keeps working alongside the new one; 0 also invalidates all tokens issued so far.',
    }),
  ),
} as const;

export const CreateClient = bodyOf(createClientFields, {
  title: 'CreateClient',
  description: 'A machine client of the service.',
});
export const PatchClient = bodyOf(patchClientFields, {
  title: 'PatchClient',
  description: 'A JSON merge patch: absent fields are unchanged.',
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
  ignoresUnknownFields: Type.Boolean(),
  createdAt: Timestamp,
  lastUsedAt: Type.Union([Timestamp, Type.Null()], {
    description: 'When the client last sent a request, to the minute.',
  }),
  secrets: SecretDates,
};

export const ClientView = Type.Object(clientProperties, { title: 'Client' });
export const ClientReply = success('ClientReply', ClientView);
export const ClientListReply = success('ClientList', pageOf(ClientView));
export const ClientSecretReply = success(
  'ClientSecretReply',
  Type.Object({
    ...clientProperties,
    secret: Type.String({ description: 'Shown only once; the service stores its hash.' }),
  }),
);
