import type { Schemas } from '@rollcall/client';
import {
  callTitle,
  type EntryNames,
  plannedTimeText,
  plannedTitle,
  type TargetName,
} from '../components/calls.js';
import { parseChoice } from '../components/choices.js';
import { dayRange } from '../components/day-range.js';
import { activityCopy, changesCopy, commonCopy } from '../copy/copy.js';
import { formatList } from '../copy/format.js';

export type Change = Schemas['Change'];
export type StoryEntry = Schemas['ActivityEntry'];
type ChangeKind = Change['kind'];
type Field = keyof Change['fields'] & string;

const { unchanged: _, ...kinds } = commonCopy.changeKinds;
const { newEmployeeID: __, password: ___, managerEmployeeID: ____, ...fields } = commonCopy.fields;
export const kindChoices: Readonly<Record<ChangeKind, string>> = kinds;
export const fieldChoices = fields;

/** The filters of the activity; all of them are in the URL. */
export interface ActivityFilters {
  readonly actorId: string | undefined;
  readonly organizationSerial: string | undefined;
  readonly kind: ChangeKind | undefined;
  readonly field: Field | undefined;
  readonly from: string | null;
  readonly until: string | null;
}

export function readActivityFilters(get: (name: string) => string | null): ActivityFilters {
  return {
    actorId: get('by') ?? undefined,
    organizationSerial: get('organization') ?? undefined,
    kind: parseChoice(kindChoices, get('kind')),
    field: parseChoice(fieldChoices, get('field')) as Field | undefined,
    from: get('from'),
    until: get('until'),
  };
}

export const noFilters = {
  by: null,
  organization: null,
  kind: null,
  field: null,
  from: null,
  until: null,
};

export function isFiltered(filters: ActivityFilters): boolean {
  return Object.values(filters).some((value) => value !== undefined && value !== null);
}

export function isByChange({ field, kind, organizationSerial }: ActivityFilters): boolean {
  return (field ?? kind ?? organizationSerial) !== undefined;
}

/** The parameters of the request. Only those who may read changes can filter by them. */
export function activityQuery({ from, until, actorId, ...byChange }: ActivityFilters, seesChanges: boolean) {
  return { actorId, ...(seesChanges && byChange), ...dayRange(from, until) };
}

/** The same for the changes of a call. */
export function changesQuery({ field, kind, organizationSerial }: ActivityFilters) {
  return { field, kind, organizationSerial };
}

/** As lists of users know them. */
export function reported({ userSerial, employeeID, fields }: Change) {
  return { serial: userSerial, employeeID, fields };
}

/** The filters that all views have in common, for links between them. */
export function commonSearch(get: (name: string) => string | null): string {
  const given = ['from', 'until', 'by'].flatMap((name) => {
    const value = get(name);
    return value === null ? [] : [[name, value]];
  });
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

/** Where the changes were at their former address. */
export function formerChangesPath(search: string): string {
  const params = new URLSearchParams(search);
  const [call, user] = [params.get('call'), params.get('user')];
  if (call !== null) return `/activity/calls/${call}`;
  if (user !== null) return `/users/${user}`;
  return `/activity/story${search === '' ? '' : `?${params}`}`;
}

/** `14 new, 22 changed and 6 deactivated`, in the words of imports. Failures are shown apart. */
export function countsText(counts: StoryEntry['counts']): string {
  const { did } = activityCopy.call;
  const counted = [
    [counts.created, did.created],
    [counts.changed, did.updated],
    [counts.deactivated, did.deactivated],
    [counts.reactivated, did.reactivated],
    [counts.removed, did.removed],
  ] as const;
  const parts = counted.flatMap(([count, text]) => (count === 0 ? [] : [text(count)]));
  if (parts.length > 0) return formatList(parts);
  return counts.failed > 0 ? '' : changesCopy.nothingChanged;
}

interface Effect {
  readonly kind: Change['kind'];
  readonly fields: { readonly isActive?: { readonly after?: unknown } };
}

/** What a change did, as imports say it. */
export function changeText({ kind, fields }: Effect): string {
  if (kind !== 'updated' || fields.isActive === undefined) return commonCopy.changeKinds[kind];
  return changesCopy.statuses[fields.isActive.after === true ? 'reactivated' : 'deactivated'];
}

/** What was scheduled, approved or cancelled, with what its title doesn't say. */
export function decisionTexts(
  decision: NonNullable<StoryEntry['decision']>,
  names: EntryNames,
  nameOf: TargetName,
): { readonly title: string; readonly detail: string } {
  const call = { ...decision, kind: decision.callKind };
  const planned = plannedTitle({ ...call, plan: decision });
  if (planned !== undefined) return { title: planned, detail: '' };
  const start = plannedTimeText(decision);
  const time = start === undefined ? '' : ` ${changesCopy.decision.runs(start)}`;
  const title = callTitle({ ...call, actor: null }, undefined, names, nameOf);
  return { title, detail: `${time} (${changesCopy.decision.users(decision.items)})` };
}

export type DirectoryEdit = NonNullable<StoryEntry['edit']>;

/** How an entry of the directory is called after an edit, or was before its removal. */
export function nameOfEdit({ serial, kind, fields: { displayName } }: DirectoryEdit): string {
  return (kind === 'removed' ? displayName?.before : displayName?.after) ?? serial;
}

/** An entry, and those that were added to the same directory right before, such as a chart of organizations. */
export interface StoryGroup extends StoryEntry {
  readonly edits: readonly DirectoryEdit[];
}

/** Who adds many organizations or tags adds one after the other. */
export function withGroupedEdits(entries: readonly StoryEntry[]): StoryGroup[] {
  const groups: StoryGroup[] = [];
  for (const entry of entries) {
    const { edit, actor } = entry;
    const last = groups.at(-1);
    const isMore =
      edit?.kind === 'added' &&
      last?.edit?.kind === 'added' &&
      last.edit.directory === edit.directory &&
      last.actor?.id === actor?.id;
    if (isMore) groups[groups.length - 1] = { ...last, edits: [...last.edits, edit] };
    else groups.push({ ...entry, edits: edit ? [edit] : [] });
  }
  return groups;
}

interface HappenedChange {
  readonly timestamp: string;
  readonly data: {
    readonly types: readonly string[];
    readonly actor: { readonly id: string } | null;
    readonly fields: object;
  };
}

/** Whether a change that has just happened may belong to the list. Where its user is, only the service knows. */
export function matchesFilters(filters: ActivityFilters, { timestamp, data }: HappenedChange): boolean {
  const { since, until } = dayRange(filters.from, filters.until);
  return (
    (filters.actorId === undefined || data.actor?.id === filters.actorId) &&
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
