import { Type } from 'typebox';
import { rotateFields } from './clients.js';
import { eventTypes, webhookDisabledCauses, webhookProblems } from './enums.js';
import { anyText, choicesField, type Field, flagField, labelField, wholeNumberField } from './fields.js';
import { webhookBatchDefault, webhookBatchMax, webhookUrlMaxLength } from './limits.js';
import {
  bodyOf,
  optional,
  orNull,
  pageOf,
  required,
  SecretDates,
  Serial,
  success,
  Timestamp,
} from './shapes.js';
import { readTime, timePattern } from './times.js';

/** White space, control characters, backslashes and fragments. */
const URL_EXCLUDED = '\\s\\x00-\\x1f\\x7f\\\\#';

export const urlField: Field<string> = {
  ...anyText('', ''),
  // The domain checks the URL, including its address.
  schema: Type.String({
    pattern: `^[Hh][Tt][Tt][Pp][Ss]?://[^${URL_EXCLUDED}@/?]+([/?][^${URL_EXCLUDED}]*)?$`,
    minLength: 1,
    maxLength: webhookUrlMaxLength,
    description:
      'Where events are sent by POST: a complete URL with a public host, without credentials and fragment.',
    examples: ['https://hooks.example.com/rollcall'],
  }),
};

const settingsFields = {
  eventTypes: optional(
    choicesField(eventTypes, {
      description: 'Which events are sent; all by default.',
      examples: [['user.created', 'user.deactivated']],
    }),
  ),
  description: optional(labelField('What the webhook is for.', 'Door badges')),
  batchMax: optional(
    wholeNumberField({
      minimum: 1,
      maximum: webhookBatchMax,
      default: webhookBatchDefault,
      description: 'How many waiting events one message may contain; 1 sends every event separately.',
    }),
  ),
} as const;

export const createWebhookFields = { url: required(urlField), ...settingsFields } as const;

export const patchWebhookFields = {
  url: required(urlField),
  ...settingsFields,
  isActive: required(flagField('False stops sending; true continues with what has happened since.')),
} as const;

const sinceField: Field<string> = {
  schema: Type.String({
    pattern: timePattern,
    description: 'Resends what has happened since this time, as far as the change log still has it.',
    examples: ['2026-11-15T08:30:00Z'],
  }),
  rule: 'a time with an offset, such as 2026-11-15T08:30:00Z',
  normalize: (sent) => sent,
  accepts: (value): value is string => typeof value === 'string' && readTime(value) !== undefined,
};

export const replayFields = {
  fromSequence: optional(
    wholeNumberField({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'The first event to resend.',
    }),
  ),
  since: optional(sinceField),
} as const;

export const CreateWebhook = bodyOf(createWebhookFields, {
  title: 'CreateWebhook',
  description: 'A receiver of events.',
});
export const PatchWebhook = bodyOf(patchWebhookFields, {
  title: 'PatchWebhook',
  description: 'A JSON merge patch: absent fields are unchanged, null restores the default.',
  patch: true,
});
export const RotateWebhookSecret = bodyOf(rotateFields, {
  title: 'RotateWebhookSecret',
  description: 'How long messages are signed with both secrets.',
});
export const ReplayWebhook = bodyOf(replayFields, {
  title: 'ReplayWebhook',
  description:
    'From where to resend events, the later of fromSequence and since. Without either, only what waits is tried at once.',
});

const webhookProperties = {
  id: Type.String({ examples: ['0198c0de-7a11-7000-8000-5f1e2d3c4b5e'] }),
  url: urlField.schema,
  description: orNull(Type.String()),
  eventTypes: Type.Array(Type.String({ enum: [...eventTypes] })),
  batchMax: Type.Integer(),
  isActive: Type.Boolean(),
  disabledCause: orNull(Type.String({ enum: [...webhookDisabledCauses] })),
  disabledBecause: orNull(Type.String({ description: 'Why the service stopped sending, if it did.' })),
  deliveredUpTo: Type.Integer({ description: 'The sequence up to which everything was delivered.' }),
  lastDeliveryAt: orNull(Timestamp),
  attempts: Type.Integer({ description: 'Failed attempts to send the current message.' }),
  failingSince: orNull(Timestamp),
  nextAttemptAt: orNull(Timestamp),
  lastProblem: orNull(Type.String({ enum: [...webhookProblems] })),
  lastStatusCode: orNull(
    Type.Integer({ description: 'The status of the last response, if the attempt failed.' }),
  ),
  lastError: orNull(Type.String({ description: 'Why the last attempt failed.' })),
  createdAt: Timestamp,
  secrets: SecretDates,
};

export const WebhookView = Type.Object(webhookProperties, { title: 'Webhook' });
export const WebhookReply = success('WebhookReply', WebhookView);
export const WebhookListReply = success('WebhookList', pageOf(WebhookView));
export const WebhookSecretReply = success(
  'WebhookSecretReply',
  Type.Object({
    ...webhookProperties,
    secret: Type.String({ description: 'Shown only once; verifies the signatures.' }),
  }),
);
export const WebhookDeletedReply = success('WebhookDeleted', Type.Object({ id: Type.String() }));

export const WebhookTestReply = success(
  'WebhookTestReply',
  Type.Object(
    {
      delivered: Type.Boolean({
        description: 'Whether the receiver responded with a status from 200 to 299.',
      }),
      statusCode: orNull(Type.Integer({ description: 'The status of the response; null without one.' })),
      reason: orNull(Type.String({ description: 'Why it was not delivered.' })),
      durationMs: Type.Integer(),
    },
    { title: 'WebhookTest' },
  ),
);

const deliveryProperties = {
  id: Type.String({ examples: ['0198c0de-7a11-7000-8000-5f1e2d3c4b5f'] }),
  at: Timestamp,
  sequences: Type.Array(Type.Integer(), { description: 'The numbers of its events.' }),
  eventType: Type.String({ enum: [...eventTypes], description: 'Of its first event.' }),
  users: Type.Integer({
    description: 'How many users its events are about, as far as the change log still has them.',
  }),
  user: orNull(
    Type.Object(
      {
        serial: Serial,
        employeeID: orNull(Type.String({ description: 'Null after an erasure.' })),
        fields: Type.Array(Type.String(), { description: 'Those that changed.' }),
      },
      { title: 'WebhookDeliveryUser', description: 'The first of these users.' },
    ),
  ),
  attempt: Type.Integer({ description: '1 for the first.' }),
  isDelivered: Type.Boolean({ description: 'Whether the receiver responded with a status from 200 to 299.' }),
  statusCode: orNull(Type.Integer({ description: 'The status of the response; null without one.' })),
  durationMs: Type.Integer(),
  problem: orNull(Type.String({ enum: [...webhookProblems] })),
  reason: orNull(Type.String({ description: 'Why it was not delivered.' })),
  response: orNull(Type.String({ description: 'The first kilobyte of the response.' })),
};

export const WebhookDeliveryView = Type.Object(deliveryProperties, {
  title: 'WebhookDelivery',
  description: 'One attempt to deliver a message.',
});
export const WebhookDeliveryListReply = success('WebhookDeliveryList', pageOf(WebhookDeliveryView));
export const WebhookResentReply = success('WebhookResent', WebhookDeliveryView);
export const WebhookDeliveryReply = success(
  'WebhookDeliveryReply',
  Type.Object({
    ...deliveryProperties,
    payload: orNull(
      Type.String({
        description:
          'The body of the message, as the change log has it now: erased values are missing. Null if the log no longer has all of its events.',
      }),
    ),
  }),
);
