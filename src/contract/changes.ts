import { type TSchema, Type } from 'typebox';
import { type ChangeKind, changeKinds, type LoggedField, loggedFields } from './enums.js';
import { orNull, pageOf, Serial, success, Timestamp } from './shapes.js';

/** The value before and after; null for a user who is created or deleted. */
export interface FieldChange {
  readonly before: unknown;
  readonly after: unknown;
}

export type FieldChanges = { readonly [Field in LoggedField]?: FieldChange };

/** What an item of a bulk call does, or would do. */
export interface Effect {
  readonly kind: ChangeKind | 'unchanged';
  readonly fields: FieldChanges;
}

function fieldChangesView(change: TSchema, description: string) {
  return Type.Object(Object.fromEntries(loggedFields.map((field) => [field, Type.Optional(change)])), {
    description,
    additionalProperties: false,
    examples: [{ phone: { before: '+44 20 7946 0958', after: null } }],
  });
}

export const FieldChangesView = fieldChangesView(
  Type.Object({ before: Type.Unknown(), after: Type.Unknown() }),
  'The fields that changed, before and after. Never a secret. A deactivation removes the role, which is shown here. Of an erased user, all values are null.',
);

export const EffectView = Type.Object(
  {
    kind: Type.String({ enum: [...changeKinds, 'unchanged'] }),
    fields: fieldChangesView(
      Type.Object({ before: Type.Optional(Type.Unknown()), after: Type.Optional(Type.Unknown()) }),
      'The fields that change, before and after. Never a secret. Without users:read there is no before, and after only has values that you sent.',
    ),
  },
  { title: 'Effect', description: 'What the item does, or would do.' },
);

export const ActorView = Type.Object({
  kind: Type.String({
    description:
      '`client`, `person` (a signed-in user), `feed` or `outside` (a subject of an external issuer).',
  }),
  id: Type.String({ description: 'The ID of the client, the serial of the user, or the key of the feed.' }),
});

export const ChangeView = Type.Object(
  {
    sequence: Type.Integer({ description: 'Increases with every change of a user.' }),
    at: Timestamp,
    kind: Type.String({ enum: [...changeKinds] }),
    userSerial: Serial,
    employeeID: Type.String({
      description: 'The employee ID after the change, or before the removal; empty if the user was erased.',
    }),
    version: Type.Integer({ description: 'The version after the change; the number in the ETag.' }),
    actor: orNull(ActorView),
    requestId: orNull(Type.String()),
    callId: orNull(Type.String({ description: 'The bulk call that made the change.' })),
    fields: FieldChangesView,
  },
  { title: 'Change' },
);
export const ChangeListReply = success('ChangeList', pageOf(ChangeView));
