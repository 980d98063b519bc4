/** The closed sets of words in the API, apart from its schemas: whoever needs the words alone loads no more than them. */

export const changeKinds = ['created', 'updated', 'deleted'] as const;
export type ChangeKind = (typeof changeKinds)[number];

export const callKinds = ['create-bulk', 'update-bulk', 'undo'] as const;
export type CallKind = (typeof callKinds)[number];

export const callStates = ['running', 'completed', 'interrupted'] as const;
export type CallState = (typeof callStates)[number];

export const deliveryStates = ['waiting', 'held', 'dormant', 'sent', 'parked', 'cancelled'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** Messages that bring a password, and a notice that an account was changed. */
export const deliveryKinds = ['initial-password', 'reset-password', 'account-changed'] as const;
export type DeliveryKind = (typeof deliveryKinds)[number];

/** Why a delivery is held: by deliver=hold, or because the address changed under it. */
export const heldReasons = ['requested', 'addressChanged'] as const;
export type HeldReason = (typeof heldReasons)[number];

/** What a notice can tell of. */
export const noticeSubjects = ['email', 'username', 'password', 'role'] as const;
export type NoticeSubject = (typeof noticeSubjects)[number];

/** What can happen, from the most telling to the least. */
export const eventTypes = [
  'user.created',
  'user.deleted',
  'user.renamed',
  'user.deactivated',
  'user.reactivated',
  'user.updated',
  'call.completed',
] as const;
export type EventType = (typeof eventTypes)[number];
