import type { Schemas } from '@rollcall/client';
import { attributeField } from '@rollcall/sheets';
import { activityCopy, changesCopy, changeUsersCopy, commonCopy, plannedCopy } from '../copy/copy.js';
import { formatDay, formatStart } from '../copy/format.js';
import { type Attribute, attributeName } from './attribute-value.js';
import { dayAfter } from './day-range.js';
import type { DirectoryKind, DisplayNames } from './directory.js';
import { fullEntryName } from './entry-name.js';

type Call = Pick<Schemas['Call'], 'id' | 'actor' | 'plan'>;

export interface Approvals {
  /** The IDs of calls that the user can approve. */
  readonly toDecide: readonly string[];
  /** Those that someone else has to approve. */
  readonly ofOthers: readonly string[];
  readonly isMore: boolean;
}

export const noApprovals: Approvals = { toDecide: [], ofOthers: [], isMore: false };

/** Whoever requested or took over a call cannot approve it. */
export function isAuthorOf({ actor, plan }: Omit<Call, 'id'>, serial: string): boolean {
  return [actor, plan?.author ?? null].some((each) => each?.kind === 'person' && each.id === serial);
}

/** Who has to decide about the calls that await approval. */
export function approvalsFor(
  { items, nextCursor }: { readonly items: readonly Call[]; readonly nextCursor: string | null },
  me: { readonly serial: string; readonly mayApprove: boolean },
): Approvals {
  const isToDecide = (call: Call) => me.mayApprove && !isAuthorOf(call, me.serial);
  const [toDecide = [], ofOthers = []] = [true, false].map((wanted) =>
    items.filter((call) => isToDecide(call) === wanted).map(({ id }) => id),
  );
  return { toDecide, ofOthers, isMore: nextCursor !== null };
}

type NamedCall = Pick<Schemas['Call'], 'kind' | 'source'>;

const fromFiles: readonly NamedCall['kind'][] = ['create-bulk', 'update-bulk', 'upsert-bulk'];

/** What kind of call it is, in words of the console: users import files, whatever that sends. */
export function callName({ kind, source }: NamedCall): string {
  return source !== null && fromFiles.includes(kind)
    ? activityCopy.calls.import
    : activityCopy.calls.kind[kind];
}

type PatchPart = NonNullable<Schemas['Call']['patch']>[number];

/** What the target of a part is called. */
export type TargetName = (part: PatchPart) => string | null;

interface TargetTexts {
  readonly organizations: DisplayNames;
  readonly tags: DisplayNames;
  readonly attributes: readonly Attribute[];
}

/** What the organizations, tags and attributes are called that a call sets. */
export function targetNames({ organizations, tags, attributes }: TargetTexts): TargetName {
  return ({ kind, target }) => {
    if (target === null) return null;
    if (kind.endsWith('Attribute')) return attributeName(attributeField(target), attributes);
    const names = kind.endsWith('Tag') ? tags : organizations;
    return fullEntryName({ serial: target, displayName: names.get(target) ?? null });
  };
}

/** What users were changed to. The service names no managers and no sensitive attributes. */
export function patchText(patch: readonly PatchPart[], nameOf: TargetName = ({ target }) => target): string {
  const parts = patch.map((part) => {
    const [copy, name] = [changeUsersCopy, nameOf(part)];
    switch (part.kind) {
      case 'activate':
      case 'deactivate':
      case 'clearOrganization':
        return copy.sentences[part.kind]();
      case 'setAttribute':
        return name === null ? copy.kinds.setAttribute : copy.done.setAttribute(name);
      default:
        return name === null ? copy.kinds[part.kind] : copy.sentences[part.kind](name);
    }
  });
  return parts.map((part) => part.replace(/\.$/, '')).join('; '); // sentences, as a title
}

type Subject = Pick<Schemas['Call'], 'replaces' | 'undone' | 'patch'>;

type TitledCall = Pick<Schemas['Call'], 'kind' | 'source' | 'note'> &
  Partial<Subject> & {
    readonly actor: Schemas['Call']['actor'] | null;
    readonly items?: number;
  };
interface PlannedCall {
  readonly kind: Schemas['Call']['kind'];
  readonly source: string | null;
  readonly plan: (PlannedTime & Pick<NonNullable<Schemas['Call']['plan']>, 'effects'>) | null;
}

type PlannedTime = Pick<NonNullable<Schemas['Call']['plan']>, 'effectiveAt' | 'lastWorkingDay'>;

/** `Last working day 30 Nov 2026, inactive from 1 Dec 2026.` */
export function lastDayText(day: string): string {
  return plannedCopy.lastDay(formatDay(day), formatDay(dayAfter(day)));
}

/** `30 Nov 2026` is the last working day, or the change is made then. */
export function plannedTimeText({ effectiveAt, lastWorkingDay }: PlannedTime): string | undefined {
  if (lastWorkingDay !== null) return plannedCopy.upcoming.lastDay(formatDay(lastWorkingDay));
  return effectiveAt === null ? undefined : formatStart(effectiveAt);
}

/** `Deactivate 4 users, last working day 30 Nov 2026`, or `Deactivate 4 users on 1 Dec 2026`. Undefined for a call that does something else as well, or was not planned. */
export function plannedTitle({ kind, source, plan }: PlannedCall): string | undefined {
  const isTitled = kind === 'update-matching' || (kind === 'update-bulk' && source === null);
  if (!isTitled || !plan?.effects || Object.keys(plan.effects).length !== 1) return undefined;
  const { deactivated, reactivated } = plan.effects;
  const titles = plannedCopy.titles;
  const what = deactivated ? titles.deactivated(deactivated) : reactivated && titles.reactivated(reactivated);
  if (!what) return undefined;
  if (plan.lastWorkingDay !== null) return titles.lastDay(what, formatDay(plan.lastWorkingDay));
  return plan.effectiveAt === null ? what : titles.on(what, formatStart(plan.effectiveAt));
}

/** What was done: the name of a sync, the file of an import, or what the users who match a filter were changed to. */
export function callTitle(
  call: TitledCall,
  feedName?: string,
  names: EntryNames = noNames,
  nameOf?: TargetName,
): string {
  const { kind, source, note, actor, replaces, undone, patch, items } = call;
  if (undone) return changesCopy.undone(callTitle({ ...undone, actor: null }, undefined, names));
  if (replaces) return replacementTitle(kind, replaces, names);
  if (actor?.kind === 'feed') return feedName ?? note ?? commonCopy.feedActor(actor.id);
  if (source !== null && fromFiles.includes(kind)) return changesCopy.importOf(source);
  if (patch && patch.length > 0) return patchText(patch, nameOf);
  // Calls of earlier releases have it as a note.
  if (kind === 'update-matching' && note !== null) return note.replace(/\.$/, ''); // a sentence, as a title
  const titles: Partial<Record<typeof kind, (count: number) => string>> = activityCopy.calls.titles;
  return (items === undefined ? undefined : titles[kind]?.(items)) ?? activityCopy.calls.kind[kind];
}

/** The display name of an organization or a tag, if it is known. */
export type EntryNames = (kind: DirectoryKind, serial: string) => string | undefined;

const noNames: EntryNames = () => undefined;

function replacementTitle(
  kind: NamedCall['kind'],
  { from, to }: NonNullable<Subject['replaces']>,
  nameOf: EntryNames,
): string {
  const directory = directoryOf(kind);
  const name = (serial: string) => nameOf(directory, serial) ?? serial;
  if (kind.startsWith('merge-')) return changesCopy.merged(name(from), name(to));
  const text = directory === 'organizations' ? changesCopy.renamedOrganization : changesCopy.renamedTag;
  return text(name(to), from, to);
}

function directoryOf(kind: NamedCall['kind']): DirectoryKind {
  return kind.endsWith('-organization') ? 'organizations' : 'tags';
}

/** The serials in the titles of calls. */
export function serialsIn(
  calls: readonly (Pick<NamedCall, 'kind'> & Partial<Subject>)[],
  directory: DirectoryKind,
) {
  return calls
    .flatMap((call) => [call, ...(call.undone ? [call.undone] : [])])
    .filter(({ kind }) => directoryOf(kind) === directory)
    .flatMap(({ replaces }) => (replaces ? [replaces.from, replaces.to] : []));
}
