import type { Schemas } from '#client';
import type { ListShape } from '../output.js';
import { formatTime } from '../terminal/format-time.js';
import { formatActor, type UserNames } from '../user-names.js';

export type Call = Schemas['Call'];

export function callList(names: UserNames, empty: string): ListShape<Call> {
  return {
    headings: ['ID', 'STARTED', 'KIND', 'STATE', 'ITEMS', 'FAILED', 'CHANGES', 'BY'],
    row: (call) => [
      call.id,
      formatTime(call.startedAt),
      call.kind,
      call.undoneBy === null ? call.state : 'undone',
      String(call.items),
      String(call.failed),
      String(call.changes),
      formatActor(call.actor, names),
    ],
    empty,
  };
}

export function formatCall(call: Call, names: UserNames): [name: string, value: string][] {
  return [
    ['ID', call.id],
    ['kind', call.kind],
    ['state', call.state],
    ['by', formatActor(call.actor, names)],
    ['request ID', call.requestId],
    ['started', formatTime(call.startedAt)],
    ['finished', formatTime(call.finishedAt)],
    ['items', `${call.items}: ${call.succeeded} succeeded, ${call.failed} failed`],
    ['changes', String(call.changes)],
    ['undoes', call.undoes ?? ''],
    ['undone by', call.undoneBy ?? ''],
  ];
}
