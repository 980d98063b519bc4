import { Type } from 'typebox';
import type { Field } from './fields.js';
import { bodyOf, required, Serial, success, Timestamp } from './shapes.js';

const uuid = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$';
const uuidPattern = new RegExp(uuid);

const userSerialField: Field<string> = {
  schema: Type.String({ ...Serial, pattern: uuid }),
  rule: 'the serial of a user, a UUID',
  normalize: (sent) => (typeof sent === 'string' ? sent.toLowerCase() : sent),
  accepts: (value): value is string => typeof value === 'string' && uuidPattern.test(value),
};

export const eraseFields = { serial: required(userSerialField) } as const;

export const BulkErase = Type.Object(
  {
    items: Type.Array(
      bodyOf(eraseFields, {
        title: 'BulkEraseItem',
        description:
          'Selects a user by serial. Employee IDs can be reused, so they do not select whom to erase.',
      }),
    ),
  },
  { title: 'BulkErase', additionalProperties: false },
);

export const ErasedReply = success('UserErased', Type.Object({ serial: Serial, erasedAt: Timestamp }));
