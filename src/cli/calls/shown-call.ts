import type { Schemas } from '#client';
import type { ListShape } from '../output.js';
import { shownTime } from '../terminal/time.js';
import { type Names, shownActor } from '../user-names.js';

export type Call = Schemas['Call'];

export function callList(names: Names, empty: string): ListShape<Call> {
  return {
    headings: ['ID', 'STARTED', 'KIND', 'STATE', 'ITEMS', 'FAILED', 'CHANGES', 'BY'],
    row: (call) => [
      call.id,
      shownTime(call.startedAt),
      call.kind,
      call.undoneBy === null ? call.state : 'undone',
      String(call.items),
      String(call.failed),
      String(call.changes),
      shownActor(call.actor, names),
    ],
    empty,
  };
}

export function shownCall(call: Call, names: Names): [name: string, value: string][] {
  return [
    ['ID', call.id],
    ['kind', call.kind],
    ['state', call.state],
    ['by', shownActor(call.actor, names)],
    ['request ID', call.requestId],
    ['started', shownTime(call.startedAt)],
    ['finished', shownTime(call.finishedAt)],
    ['items', `${call.items}: ${call.succeeded} succeeded, ${call.failed} failed`],
    ['changes', String(call.changes)],
    ['undoes', call.undoes ?? ''],
    ['undone by', call.undoneBy ?? ''],
  ];
}
