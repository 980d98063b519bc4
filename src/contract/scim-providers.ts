import { Type } from 'typebox';
import {
  deletionChoices,
  employeeIdSources,
  providerKinds,
  scimOperations,
  scimResourceTypes,
  unknownAttributesChoices,
  visibleUsersChoices,
} from './enums.js';
import { wholeNumberField } from './fields.js';
import { scimLimits } from './limits.js';
import { choiceField } from './nested-fields.js';
import { bodyOf, optional, orNull, pageOf, required, success, Timestamp } from './shapes.js';

const settingFields = {
  onDelete: choiceField(
    deletionChoices,
    'What DELETE does: deactivate hides the user from the provider and keeps the data; erase removes the personal data for good.',
  ),
  employeeId: choiceField(
    employeeIdSources,
    'Where the employee ID of a new user comes from if the provider sends no employee number: the user is rejected, gets the externalId, or a generated one.',
  ),
  visibleUsers: choiceField(
    visibleUsersChoices,
    'Whether the provider sees all users, or its own: those it has created or changed.',
  ),
  unknownAttributes: choiceField(
    unknownAttributesChoices,
    'What becomes of attributes that no schema defines: they are ignored and listed with the request, or the request is rejected.',
  ),
  deactivationPercent: wholeNumberField({
    minimum: 0,
    maximum: 100,
    description: `How many percent of the active users the provider may deactivate within ${scimLimits.deactivationWindowHours} hours, but at least ${scimLimits.deactivationsFew} users; 0 means any number.`,
  }),
} as const;

const kindField = choiceField(
  providerKinds,
  'The kind of identity provider. Settings that are not sent get the preset of the kind, and replies have the form that it expects.',
);

export const providerFields = {
  kind: required(kindField),
  onDelete: optional(settingFields.onDelete),
  employeeId: optional(settingFields.employeeId),
  visibleUsers: optional(settingFields.visibleUsers),
  unknownAttributes: optional(settingFields.unknownAttributes),
  deactivationPercent: optional(settingFields.deactivationPercent),
} as const;

export const allowDeactivationsFields = {
  count: required(
    wholeNumberField({
      minimum: 1,
      maximum: scimLimits.allowedMoreMax,
      description: 'How many more users the provider may deactivate.',
    }),
  ),
  hours: optional(
    wholeNumberField({
      minimum: 1,
      maximum: scimLimits.allowedHoursMax,
      default: scimLimits.allowedHoursDefault,
      description: 'For how long.',
    }),
  ),
} as const;

export const PutProvider = bodyOf(providerFields, {
  title: 'PutProvider',
  description: 'How an identity provider is served.',
});
export const AllowDeactivations = bodyOf(allowDeactivationsFields, {
  title: 'AllowDeactivations',
  description: 'Raises the limit of deactivations for some hours.',
});

const SettingsView = Type.Object(
  {
    kind: kindField.schema,
    onDelete: settingFields.onDelete.schema,
    employeeId: settingFields.employeeId.schema,
    visibleUsers: settingFields.visibleUsers.schema,
    unknownAttributes: settingFields.unknownAttributes.schema,
    deactivationPercent: settingFields.deactivationPercent.schema,
  },
  { title: 'ProviderSettings' },
);

const DeactivationsView = Type.Object(
  {
    used: Type.Integer({
      description: `Users whom the provider has deactivated or erased within the last ${scimLimits.deactivationWindowHours} hours.`,
    }),
    limit: Type.Union([Type.Integer(), Type.Null()], {
      description:
        'How many it may within this time, with what is allowed in addition; null means any number.',
    }),
    allowedMore: Type.Integer({ description: 'What an administrator allowed in addition, until then.' }),
    allowedUntil: orNull(Timestamp),
  },
  { title: 'ProviderDeactivations' },
);

export const ProviderView = Type.Object(
  {
    clientId: Type.String({ examples: ['client-1f2e3d4c5b6a'] }),
    name: Type.String({ description: 'The name of the client.' }),
    isActive: Type.Boolean({ description: 'Whether the client is enabled.' }),
    settings: SettingsView,
    deactivations: DeactivationsView,
    lastRequestAt: orNull(Timestamp),
    failedRequests: Type.Integer({
      description: `How many of the last ${scimLimits.requestsKept} requests failed.`,
    }),
  },
  { title: 'Provider' },
);
export const ProviderReply = success('ProviderReply', ProviderView);
export const ProviderListReply = success('ProviderList', pageOf(ProviderView));

export const ScimRequestView = Type.Object(
  {
    id: Type.String(),
    at: Timestamp,
    operation: Type.String({
      enum: [...scimOperations],
      description: 'What was requested; unknown if nothing at this path can be.',
      examples: ['create'],
    }),
    resourceType: orNull(Type.String({ enum: [...scimResourceTypes], examples: ['User'] })),
    resourceId: orNull(
      Type.String({ description: 'The serial of the user or the tag, if the request was about one.' }),
    ),
    status: Type.Integer({ description: 'The status of the response.', examples: [201] }),
    scimType: orNull(Type.String({ description: 'The SCIM error type.', examples: ['uniqueness'] })),
    error: orNull(
      Type.String({
        description: 'The name of the error in the catalog.',
        examples: ['USER_USERNAME_EXISTS'],
      }),
    ),
    ignoredAttributes: Type.Array(Type.String(), {
      description: 'The names of attributes that were sent and ignored.',
      examples: [['nickName']],
    }),
    durationMs: Type.Integer(),
  },
  { title: 'ScimRequest' },
);
export const ScimRequestListReply = success('ScimRequestList', pageOf(ScimRequestView));
