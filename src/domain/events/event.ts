import type { FieldChanges } from '../../contract/changes.js';
import { type EventType, eventTypes } from '../../contract/enums.js';
import type { FeedRow } from '../../storage/changes/change-feed.js';

export interface Event {
  readonly sequence: number;
  /** The most specific of its types among those requested. */
  readonly type: EventType;
  readonly timestamp: string;
  /** As JSON on one line. */
  readonly json: string;
}

/** One change is one event. Undefined if none of its types was requested. */
export function eventOf(row: FeedRow, wanted: ReadonlySet<EventType>): Event | undefined {
  const types = typesOf(row);
  const type = types.find((each) => wanted.has(each));
  if (type === undefined) return undefined;
  const { sequence, at, actor, requestId, callId, userSerial, employeeID, version } = row;
  const subject = userSerial === null ? { callId } : { userSerial, employeeID, version, callId };
  const timestamp = at.toISOString();
  const head = JSON.stringify({ type, timestamp }).slice(0, -1);
  const data = JSON.stringify({ sequence, types, ...subject, actor, requestId }).slice(0, -1);
  // The log stores JSON, so it is inserted verbatim.
  const rest = `"${userSerial === null ? 'call' : 'fields'}":${row.fields}`;
  return { sequence, type, timestamp, json: `${head},"data":${data},${rest}}}` };
}

/** All types of a change, from most to least specific. */
function typesOf({ kind, fields }: FeedRow): EventType[] {
  if (kind === 'created') return ['user.created'];
  if (kind === 'deleted') return ['user.deleted'];
  if (kind === 'erased') return ['user.erased', 'user.deleted'];
  if (kind === 'call') return ['call.completed'];
  if (kind !== 'updated' && kind !== 'rehired') return [kind];
  const { employeeID, isActive } = JSON.parse(fields) as FieldChanges;
  return [
    ...(kind === 'rehired' ? (['user.rehired'] as const) : []),
    ...(employeeID ? (['user.renamed'] as const) : []),
    ...(isActive?.after === true ? (['user.reactivated'] as const) : []),
    ...(isActive?.after === false ? (['user.deactivated'] as const) : []), // null if the user was erased
    'user.updated',
  ];
}

export const allEventTypes: ReadonlySet<EventType> = new Set(eventTypes);
