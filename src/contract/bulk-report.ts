import { Type } from 'typebox';
import { EffectView } from './changes.js';
import { anyErrorOf } from './error-schemas.js';
import { itemErrorNames, TakenBy } from './errors.js';
import { Serial, success } from './shapes.js';

const Payload = Type.Object(
  {},
  { additionalProperties: true, description: 'The submitted fields, exactly as sent.' },
);

const position = Type.Optional(
  Type.Integer({ description: 'The index of the item in the call. On update-bulk only with details=true.' }),
);

export const BulkReply = success(
  'BulkReport',
  Type.Object({
    successItems: Type.Array(
      Type.Object({
        payload: Payload,
        position,
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
        position,
        error: anyErrorOf(itemErrorNames),
        takenBy: Type.Optional(
          Type.Object(TakenBy.properties, {
            deprecated: true,
            description: 'Use error.data.takenBy. Sent with effects or dryRun only.',
          }),
        ),
      }),
    ),
  }),
);
