import type { Schemas } from '#client';
import { attributeIn } from '#sheets';
import type { ListShape } from '../output.js';
import { formatTime } from '../terminal/format-time.js';
import { formatActor, serialsOfActor, type UserNames } from '../user-names.js';

export type Change = Schemas['Change'];
type FieldChanges = Schemas['Effect']['fields'];

export function serialsOfChange({ actor }: Change): string[] {
  return serialsOfActor(actor);
}

/** The longest column comes last, where a terminal may truncate it. */
export function changeList(names: UserNames, empty: string): ListShape<Change> {
  return {
    headings: ['SEQUENCE', 'WHEN', 'EMPLOYEE ID', 'KIND', 'BY', 'WHAT'],
    row: (change) => [
      String(change.sequence),
      formatTime(change.at),
      change.employeeID || change.userSerial, // an erased user has no employee ID
      change.kind,
      formatActor(change.actor, names),
      formatFields(change.kind, change.fields),
    ],
    empty,
  };
}

/** Fields whose values people know by another name. */
const fieldNames: ReadonlyMap<string, string> = new Map([
  ['tagSerials', 'tags'],
  ['organizationSerial', 'organization'],
]);

type Kind = Schemas['Effect']['kind'];

/**
 * "phone: +44 20 → nothing, name: Ada → Ada King"; for created and deleted users only the values. Without users:read,
 * there are no values. Attributes are named by their keys.
 */
export function formatFields(kind: Kind, fields: FieldChanges): string {
  return Object.entries(fields)
    .flatMap(([field, change]): [string, ValueChange][] =>
      field === 'attributes' ? attributeChanges(change) : [[field, change]],
    )
    .map(([field, { before, after }]) => {
      const name = fieldNames.get(field) ?? field;
      if (before === undefined && after === undefined) return name;
      if (before === null && after === null) return name; // of an erased user
      if (kind === 'created') return `${name}: ${formatValue(after)}`;
      if (kind === 'deleted') return `${name}: ${formatValue(before)}`;
      return `${name}: ${formatValue(before)} → ${formatValue(after)}`;
    })
    .join(', ');
}

interface ValueChange {
  readonly before?: unknown;
  readonly after?: unknown;
}

/** One change for each attribute, of which only those that differ are logged. */
function attributeChanges({ before, after }: ValueChange): [key: string, change: ValueChange][] {
  if (!isRecord(before) && !isRecord(after)) return [['attributes', {}]];
  const [was, is] = [isRecord(before) ? before : {}, isRecord(after) ? after : {}];
  const keys = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return keys.map((key) => [
    key,
    { before: attributeIn(was, key) ?? null, after: attributeIn(is, key) ?? null },
  ]);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function formatValue(value: unknown): string {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return 'nothing';
  return Array.isArray(value) ? value.map((each) => formatListed(String(each))).join(' ') : String(value);
}

/** Tags can contain spaces. */
function formatListed(text: string): string {
  return /\s/.test(text) ? `"${text}"` : text;
}
