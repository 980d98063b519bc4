import { Type } from 'typebox';
import { orNull, pageOf, Serial, success, Timestamp } from './shapes.js';

export const accessEventKinds = [
  'sign-in.succeeded',
  'sign-in.failed',
  'sign-in.delayed',
  'sign-out',
  'password.changed',
  'password.reset',
  'role.changed',
  'user.erased',
  'user.data-exported',
  'client.created',
  'client.changed',
  'client.secret-rotated',
  'token.issued',
  'token.refused',
  'token.revoked',
  'request.forbidden',
  'keys.rotated',
  'keys.rewrapped',
  'delivery.resent',
  'deliveries.released',
  'name.released',
  'names.remembered',
  'webhook.created',
  'webhook.changed',
  'webhook.secret-rotated',
  'webhook.replayed',
  'webhook.tested',
  'webhook.deleted',
  'backup.downloaded',
  'attribute.created',
  'attribute.changed',
  'attribute.deleted',
  'feed.created',
  'feed.changed',
  'feed.deleted',
] as const;
export type AccessEventKind = (typeof accessEventKinds)[number];

export const AccessEventView = Type.Object(
  {
    id: Type.String(),
    at: Timestamp,
    kind: Type.String({ enum: [...accessEventKinds] }),
    actor: orNull(Type.Object({ kind: Type.String(), id: Type.String() })),
    userSerial: orNull(Serial),
    clientId: orNull(Type.String()),
    address: orNull(Type.String({ description: 'The network address it came from.' })),
    requestId: orNull(Type.String()),
    detail: Type.Object({}, { additionalProperties: true }),
  },
  { title: 'AccessEvent' },
);
export const AccessEventListReply = success('AccessEventList', pageOf(AccessEventView));
