import type { Schemas } from '@rollcall/client';

export type Change = Schemas['Change'];
export type AccessEvent = Schemas['AccessEvent'];
export type Message = Schemas['Delivery'];

/** Something that happened to a user. */
export type TimelineEntry =
  | { readonly kind: 'change'; readonly at: string; readonly key: string; readonly change: Change }
  | { readonly kind: 'access'; readonly at: string; readonly key: string; readonly event: AccessEvent }
  | { readonly kind: 'message'; readonly at: string; readonly key: string; readonly message: Message };

export function entryOfChange(change: Change): TimelineEntry {
  return { kind: 'change', at: change.at, key: `change ${change.sequence}`, change };
}

export function entryOfEvent(event: AccessEvent): TimelineEntry {
  return { kind: 'access', at: event.at, key: event.id, event };
}

export function entryOfMessage(message: Message): TimelineEntry {
  return { kind: 'message', at: message.createdAt, key: message.id, message };
}

export type ChangeTitle =
  | Exclude<Change['kind'], 'updated'>
  | 'updated'
  | 'renamed'
  | 'deactivated'
  | 'reactivated'
  | 'role';

/** What a change is called. Deactivating a user also removes the role. */
export function titleOfChange({ kind, fields }: Change): ChangeTitle {
  if (kind !== 'updated') return kind;
  const changed = Object.keys(fields).filter((field) => field !== 'role' || fields.isActive === undefined);
  const [only, ...others] = changed;
  if (others.length > 0) return 'updated';
  if (only === 'employeeID') return 'renamed';
  if (only === 'role') return 'role';
  if (only === 'isActive') return fields.isActive?.after === true ? 'reactivated' : 'deactivated';
  return 'updated';
}
