import type { Schemas } from '@rollcall/client';
import { activityCopy, changesCopy, changeUsersCopy, commonCopy } from '../copy/copy.js';

type Call = Pick<Schemas['Call'], 'actor' | 'plan'>;

export interface Approvals {
  /** Calls that the user can approve. */
  readonly toDecide: number;
  /** Calls that someone else has to approve. */
  readonly ofOthers: number;
  readonly isMore: boolean;
}

export const noApprovals: Approvals = { toDecide: 0, ofOthers: 0, isMore: false };

/** Whoever requested or took over a call cannot approve it. */
export function isAuthorOf({ actor, plan }: Call, serial: string): boolean {
  return [actor, plan?.author ?? null].some((each) => each?.kind === 'person' && each.id === serial);
}

/** Who has to decide about the calls that await approval. */
export function approvalsFor(
  { items, nextCursor }: { readonly items: readonly Call[]; readonly nextCursor: string | null },
  me: { readonly serial: string; readonly mayApprove: boolean },
): Approvals {
  const toDecide = me.mayApprove ? items.filter((call) => !isAuthorOf(call, me.serial)).length : 0;
  return { toDecide, ofOthers: items.length - toDecide, isMore: nextCursor !== null };
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

type TitledCall = Pick<Schemas['Call'], 'kind' | 'source' | 'note' | 'patch'> & {
  readonly actor: Schemas['Call']['actor'] | null;
};

/** What was done: the name of a sync, the file of an import, or what the users who match a filter were changed to. */
export function callTitle(
  { kind, source, note, patch, actor }: TitledCall,
  feedName?: string,
  nameOf?: TargetName,
): string {
  if (actor?.kind === 'feed') return feedName ?? note ?? commonCopy.feedActor(actor.id);
  if (source !== null && fromFiles.includes(kind)) return changesCopy.importOf(source);
  if (patch !== null && patch.length > 0) return patchText(patch, nameOf);
  // Calls of earlier releases have it as a note.
  if (kind === 'update-matching' && note !== null) return note.replace(/\.$/, ''); // a sentence, as a title
  return activityCopy.calls.kind[kind];
}
