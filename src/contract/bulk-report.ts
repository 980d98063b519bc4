import { Type } from 'typebox';
import { EffectView } from './changes.js';
import { ErrorFields, orNull, Serial, success } from './shapes.js';

const Payload = Type.Object(
  {},
  { additionalProperties: true, description: 'The submitted fields, exactly as sent.' },
);

const TakenByView = Type.Object(
  {
    field: Type.String({ enum: ['employeeID', 'username'] }),
    value: Type.String(),
    position: orNull(
      Type.Integer({ description: 'The item of this call that took it; null if the user already had it.' }),
    ),
    serial: Type.Union([Serial, Type.Null()], {
      description: 'Null without users:read, and for a user that a preview did not create.',
    }),
  },
  { title: 'TakenBy', description: 'Who has the requested name; only with effects or dryRun.' },
);

export const BulkReply = success(
  'BulkReport',
  Type.Object({
    successItems: Type.Array(
      Type.Object({
        payload: Payload,
        response: Type.Object({
          serial: Type.Union([Serial, Type.Null()], {
            description: 'Null in the preview of a create: the user does not exist yet.',
          }),
        }),
        effect: Type.Optional(EffectView),
      }),
    ),
    failedItems: Type.Array(
      Type.Object({
        payload: Payload,
        error: Type.Object(ErrorFields),
        takenBy: Type.Optional(TakenByView),
      }),
    ),
  }),
);
