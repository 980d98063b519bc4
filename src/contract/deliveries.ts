import { type TSchema, Type } from 'typebox';
import { deliveryKinds, deliveryProblems, deliveryStates, heldReasons } from './enums.js';
import { type Field, flagField, withoutNul } from './fields.js';
import { optional, orNull, pageOf, Serial, success, Timestamp } from './shapes.js';

const idsField: Field<string[]> = {
  schema: Type.Array(Type.String(), { minItems: 1, maxItems: 10_000, description: 'IDs of deliveries.' }),
  rule: 'a list of 1 to 10000 IDs of deliveries',
  normalize: (sent) => sent,
  accepts: (value): value is string[] =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= 10_000 &&
    value.every((id) => typeof id === 'string'),
};

const requestIdField: Field<string> = {
  schema: Type.String({
    pattern: withoutNul.required,
    minLength: 1,
    description: 'Deliveries of the bulk create whose reply had this X-Request-Id.',
    examples: ['nightly-2026-11-15'],
  }),
  rule: 'a non-empty string without NUL',
  normalize: (sent) => sent,
  accepts: (value): value is string => typeof value === 'string' && value !== '' && !value.includes('\u0000'),
};

const allDescription =
  'True releases every delivery that was held on request. A delivery held because the address changed is only released by its ID.';

export const releaseFields = {
  all: optional(flagField(allDescription)),
  requestId: optional(requestIdField),
  ids: optional(idsField),
} as const;

/** One way to select deliveries. The other two are absent, or say nothing. */
function selection(title: string, description: string, selector: Record<string, TSchema>) {
  const { all, requestId, ids } = {
    all: Type.Optional(orNull(Type.Literal(false))),
    requestId: Type.Optional(Type.Null()),
    ids: Type.Optional(Type.Null()),
    ...selector,
  };
  return Type.Object({ all, requestId, ids }, { title, description, additionalProperties: false });
}

export const ReleaseDeliveries: TSchema = {
  title: 'ReleaseDeliveries',
  description: 'Which held deliveries to release: exactly one of all, requestId and ids.',
  // Not oneOf, though they exclude each other: Redocly cannot see that.
  anyOf: [
    selection('ReleaseAll', 'All that were held on request.', {
      all: Type.Literal(true, { description: allDescription }),
    }),
    selection('ReleaseByRequest', 'Those of one bulk create.', { requestId: requestIdField.schema }),
    selection('ReleaseByIds', 'Selected ones.', { ids: idsField.schema }),
  ],
};

export type DeliveryChannel = 'email' | 'sms';

export const DeliveryView = Type.Object(
  {
    id: Type.String({ examples: ['0198c0de-7a11-7000-8000-5f1e2d3c4b5b'] }),
    userSerial: Serial,
    kind: Type.String({
      enum: [...deliveryKinds],
      description:
        'account-changed is a notice, sent to the address from before the change; confirm-contact brings the code that confirms a new email or phone; password-link brings a link to choose a new password.',
    }),
    state: Type.String({
      enum: [...deliveryStates],
      description:
        'held until released; dormant until the user is active; parked after the last attempt failed; cancelled if a later delivery replaced it, or if it is a notice to an address that does not exist.',
    }),
    heldReason: orNull(
      Type.String({
        enum: [...heldReasons],
        description:
          'requested: by deliver=hold. addressChanged: a caller without permission to reset the password changed the address it would be sent to, or someone else set it when they rehired the user. Check the address, then release the delivery by its ID or resend it.',
      }),
    ),
    channel: orNull(Type.String({ enum: ['email', 'sms'] satisfies DeliveryChannel[] })),
    address: orNull(
      Type.String({
        description:
          'The email address or phone number of the last attempt, or where a notice, code or link goes. Null for passwords that have not been attempted, and for those of earlier releases.',
        examples: ['ada@example.com'],
      }),
    ),
    attempts: Type.Integer(),
    createdAt: Timestamp,
    nextAttemptAt: orNull(Timestamp),
    sentAt: orNull(Timestamp),
    lastProblem: orNull(
      Type.String({
        enum: [...deliveryProblems],
        description: 'Why the last attempt failed. Attempts of earlier releases have only a sentence.',
      }),
    ),
    lastProblemCode: orNull(
      Type.String({
        description: 'What the mail server, the SMS gateway or the system gave as the cause, if anything.',
        examples: ['550', 'ECONNREFUSED'],
      }),
    ),
    lastError: orNull(Type.String({ description: 'The same as a sentence.' })),
    requestId: orNull(Type.String()),
  },
  { title: 'Delivery' },
);
export const DeliveryReply = success('DeliveryReply', DeliveryView);
export const DeliveryListReply = success('DeliveryList', pageOf(DeliveryView));
export const ReleasedReply = success('Released', Type.Object({ released: Type.Integer() }));
