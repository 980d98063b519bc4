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
