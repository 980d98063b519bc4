import type { Schemas } from '@rollcall/client';
import { activityCopy, changesCopy, commonCopy, plannedCopy } from '../copy/copy.js';
import { formatStart } from '../copy/format.js';

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

/** `Deactivate 4 users on 30 Nov 2026`. Undefined for a call that does something else as well, or was not planned. */
export function plannedTitle({ kind, plan }: Pick<Schemas['Call'], 'kind' | 'plan'>): string | undefined {
  if (kind !== 'update-matching' || !plan?.effects || Object.keys(plan.effects).length !== 1)
    return undefined;
  const { deactivated, reactivated } = plan.effects;
  const titles = plannedCopy.titles;
  const what = deactivated ? titles.deactivated(deactivated) : reactivated && titles.reactivated(reactivated);
  if (!what) return undefined;
  return plan.effectiveAt === null ? what : titles.on(what, formatStart(plan.effectiveAt));
}

type TitledCall = Pick<Schemas['Call'], 'kind' | 'source' | 'note'> & {
  readonly actor: Schemas['Call']['actor'] | null;
};

/** What was done: the name of a sync, the file of an import, or what the users who match a filter were changed to. */
export function callTitle({ kind, source, note, actor }: TitledCall, feedName?: string): string {
  if (actor?.kind === 'feed') return feedName ?? note ?? commonCopy.feedActor(actor.id);
  if (source !== null && fromFiles.includes(kind)) return changesCopy.importOf(source);
  if (kind === 'update-matching' && note !== null) return note.replace(/\.$/, ''); // a sentence, as a title
  return activityCopy.calls.kind[kind];
}
