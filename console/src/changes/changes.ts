import type { Schemas } from '@rollcall/client';
import { parseChoice } from '../components/choices.js';
import { dayRange } from '../components/day-range.js';
import { commonCopy } from '../copy/copy.js';

export type Change = Schemas['Change'];
type ChangeKind = Change['kind'];
type Field = keyof Change['fields'] & string;

const { unchanged: _, ...kinds } = commonCopy.changeKinds;
const { newEmployeeID: __, password: ___, ...fields } = commonCopy.fields;
export const kindChoices: Readonly<Record<ChangeKind, string>> = kinds;
export const fieldChoices = fields;

/** The filters of the feed; all of them are in the URL. */
export interface ChangeFilters {
  readonly actorId: string | undefined;
  readonly userSerial: string | undefined;
  readonly callId: string | undefined;
  readonly kind: ChangeKind | undefined;
  readonly field: Field | undefined;
  readonly from: string | null;
  readonly until: string | null;
}

export function readChangeFilters(get: (name: string) => string | null): ChangeFilters {
  return {
    actorId: get('by') ?? undefined,
    userSerial: get('user') ?? undefined,
    callId: get('call') ?? undefined,
    kind: parseChoice(kindChoices, get('kind')),
    field: parseChoice(fieldChoices, get('field')) as Field | undefined,
    from: get('from'),
    until: get('until'),
  };
}

export const noFilters = {
  by: null,
  user: null,
  call: null,
  kind: null,
  field: null,
  from: null,
  until: null,
};

export function isFiltered(filters: ChangeFilters): boolean {
  return Object.values(filters).some((value) => value !== undefined && value !== null);
}

/** The parameters of the request. */
export function changesQuery({ from, until, ...filters }: ChangeFilters) {
  return { ...filters, ...dayRange(from, until) };
}

interface HappenedChange {
  readonly timestamp: string;
  readonly data: {
    readonly types: readonly string[];
    readonly userSerial: string;
    readonly callId: string | null;
    readonly actor: { readonly id: string } | null;
    readonly fields: object;
  };
}

/** Whether a change that has just happened belongs to the list. */
export function matchesFilters(filters: ChangeFilters, { timestamp, data }: HappenedChange): boolean {
  const { since, until } = dayRange(filters.from, filters.until);
  return (
    (filters.actorId === undefined || data.actor?.id === filters.actorId) &&
    (filters.userSerial === undefined || data.userSerial === filters.userSerial) &&
    (filters.callId === undefined || data.callId === filters.callId) &&
    (filters.kind === undefined || kindOf(data.types) === filters.kind) &&
    (filters.field === undefined || Object.hasOwn(data.fields, filters.field)) &&
    (since === undefined || timestamp >= since) &&
    (until === undefined || timestamp < until)
  );
}

/** The types of an event begin with the most specific one. */
export function kindOf(types: readonly string[]): ChangeKind {
  if (types.includes('user.created')) return 'created';
  if (types.includes('user.erased')) return 'erased';
  if (types.includes('user.deleted')) return 'deleted';
  return types.includes('user.rehired') ? 'rehired' : 'updated';
}

interface DayGroup<Item> {
  /** The time of its first item. */
  readonly at: string;
  readonly items: readonly Item[];
}

/** Groups a list that is in the order of time by days, in the time zone of the browser. */
export function byDay<Item extends { readonly at: string }>(items: readonly Item[]): DayGroup<Item>[] {
  const groups: { at: string; items: Item[] }[] = [];
  for (const item of items) {
    const last = groups.at(-1);
    if (last && dayOf(last.at) === dayOf(item.at)) last.items.push(item);
    else groups.push({ at: item.at, items: [item] });
  }
  return groups;
}

function dayOf(time: string): string {
  return new Date(time).toDateString();
}
