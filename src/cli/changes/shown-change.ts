import type { Schemas } from '#client';
import type { ListShape } from '../output.js';
import { shownTime } from '../terminal/time.js';
import { type Names, serialsOfActor, shownActor } from '../user-names.js';

export type Change = Schemas['Change'];
type FieldChanges = Schemas['Effect']['fields'];

export function serialsOfChange({ actor }: Change): string[] {
  return serialsOfActor(actor);
}

/** Changes as a table; the longest column comes last, where a terminal may cut it. */
export function changeList(names: Names, empty: string): ListShape<Change> {
  return {
    headings: ['SEQUENCE', 'WHEN', 'EMPLOYEE ID', 'KIND', 'BY', 'WHAT'],
    row: (change) => [
      String(change.sequence),
      shownTime(change.at),
      change.employeeID,
      change.kind,
      shownActor(change.actor, names),
      shownFields(change.kind, change.fields),
    ],
    empty,
  };
}

type Kind = Schemas['Effect']['kind'];

/** "phone: +44 20 → nothing, name: Ada → Ada King"; of a user who comes or goes only what there is or was. */
export function shownFields(kind: Kind, fields: FieldChanges): string {
  return Object.entries(fields)
    .map(([name, { before, after }]) => {
      if (kind === 'created') return `${name}: ${shownValue(after)}`;
      if (kind === 'deleted') return `${name}: ${shownValue(before)}`;
      return `${name}: ${shownValue(before)} → ${shownValue(after)}`;
    })
    .join(', ');
}

function shownValue(value: unknown): string {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return 'nothing';
  return Array.isArray(value) ? value.join(' ') : String(value);
}
