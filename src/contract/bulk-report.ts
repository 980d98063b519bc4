import { type TSchema, Type } from 'typebox';
import { EffectView } from './changes.js';
import { eraseFields } from './erasure.js';
import { anyErrorOf } from './error-schemas.js';
import { itemErrorNames } from './errors.js';
import { employeeIdField } from './fields.js';
import { type FieldUse, propertiesOf, Serial, success } from './shapes.js';
import { fieldsEchoedIn } from './user-values.js';
import {
  bulkUpdateFields,
  bulkUpsertFields,
  createUserFields,
  NormalizedFields,
  normalizedOnRequest,
} from './users.js';

interface Payloads {
  /** The fields of an item that succeeded, which are valid. */
  readonly valid: TSchema;
  /** The fields of an item that failed, which may have any type. */
  readonly any: TSchema;
}

/** The submitted fields that a report returns. */
function echoedFields(
  uses: Readonly<Record<string, FieldUse>>,
  echo: readonly string[],
  description: string,
): Payloads {
  const echoed = Object.fromEntries(Object.entries(uses).filter(([name]) => echo.includes(name)));
  const anyValues = Object.fromEntries(echo.map((name) => [name, Type.Optional(Type.Unknown())]));
  return {
    valid: Type.Object(propertiesOf(echoed), {
      description: `The submitted fields, as sent. ${description}`.trim(),
    }),
    any: Type.Object(anyValues, {
      description:
        `The submitted fields, as sent: any of them can be absent or of another type. ${description}`.trim(),
    }),
  };
}

interface ReportShape {
  readonly title: string;
  readonly payloads: Payloads;
  /** Of items that contain fields of users. */
  readonly normalized?: TSchema;
  readonly serial: TSchema;
  readonly position: TSchema;
  readonly effect: TSchema;
}

const ignoredFields = Type.Optional(
  Type.Array(Type.String(), {
    description: 'Fields and attributes that do not exist, if they are ignored. At most 20 fields.',
    examples: [['shoeSize', 'attributes.nickname']],
  }),
);

function bulkReport({ title, payloads, normalized, serial, position, effect }: ReportShape) {
  const forms = normalized && { normalized, ignored: ignoredFields };
  return success(
    title,
    Type.Object({
      successItems: Type.Array(
        Type.Object({
          payload: payloads.valid,
          position,
          response: Type.Object({ serial }),
          effect,
          ...forms,
        }),
      ),
      failedItems: Type.Array(
        Type.Object({
          payload: payloads.any,
          position,
          error: anyErrorOf(itemErrorNames),
          ...forms,
        }),
      ),
    }),
  );
}

const position = Type.Integer({ minimum: 0, description: 'The index of the item in the call.' });

export const BulkUpdateReply = bulkReport({
  title: 'BulkUpdateReport',
  payloads: echoedFields(bulkUpdateFields, fieldsEchoedIn('updateBulk'), 'Without organizationSerial.'),
  normalized: normalizedOnRequest,
  serial: Serial,
  position: Type.Optional(
    Type.Integer({ minimum: 0, description: 'The index of the item in the call. Only with details=true.' }),
  ),
  effect: Type.Optional(EffectView),
});

export const BulkCreateReply = bulkReport({
  title: 'BulkCreateReport',
  payloads: echoedFields(createUserFields, fieldsEchoedIn('create'), 'Without the password.'),
  normalized: Type.Optional(NormalizedFields),
  serial: Type.Union([Serial, Type.Null()], {
    description: 'The serial of the new user; null in a preview, because the user does not exist yet.',
  }),
  position,
  effect: Type.Optional(EffectView),
});

export const BulkUpsertReply = bulkReport({
  title: 'BulkUpsertReport',
  payloads: echoedFields(bulkUpsertFields, fieldsEchoedIn('upsertBulk'), 'Without the password.'),
  normalized: Type.Optional(NormalizedFields),
  serial: Type.Union([Serial, Type.Null()], {
    description: 'Null in the preview of a create, because the user does not exist yet.',
  }),
  position,
  effect: Type.Optional(EffectView),
});

export const BulkEraseReply = bulkReport({
  title: 'BulkEraseReport',
  payloads: echoedFields(eraseFields, Object.keys(eraseFields), ''),
  serial: Serial,
  position,
  effect: Type.Optional(EffectView),
});

const UndonePayload = Type.Object(
  { employeeID: Type.Optional(employeeIdField.schema) },
  { description: 'The employee ID of the user before the undo; empty without users:read.' },
);

const MatchedPayload = Type.Object(
  { employeeID: Type.Optional(employeeIdField.schema) },
  { description: 'The employee ID of the user.' },
);

/** Of a call that updates the users matching a filter. */
export const MatchingUpdateReply = bulkReport({
  title: 'MatchingUpdateReport',
  payloads: { valid: MatchedPayload, any: MatchedPayload },
  serial: Serial,
  position: Type.Integer({ minimum: 0, description: 'The index of the user in the report.' }),
  effect: Type.Optional(EffectView),
});

export const UndoReply = bulkReport({
  title: 'UndoReport',
  payloads: { valid: UndonePayload, any: UndonePayload },
  serial: Serial,
  position: Type.Integer({ minimum: 0, description: 'The index of the user in the report.' }),
  effect: EffectView,
});
