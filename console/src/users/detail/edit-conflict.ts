import type { User } from '../data/user.js';
import {
  changedFields,
  type Draft,
  type DraftField,
  draftFields,
  draftOf,
  isEqual,
  submittedValue,
} from '../form/draft.js';

/** A field that somebody else changed while it stood in a form here. */
export interface EditConflict {
  readonly field: DraftField;
  readonly before: User[DraftField];
  readonly theirs: User[DraftField];
  /** Undefined where it was left alone here: then there is nothing to choose. */
  readonly mine: User[DraftField] | undefined;
}

/** What somebody else changed between the person that a draft began with and the person as they are now. */
export function findEditConflicts(base: User, now: User, draft: Draft): EditConflict[] {
  const changedHere = changedFields(base, draft);
  return draftFields
    .filter((field) => !isEqual(base[field], now[field]))
    .map((field) => {
      const mine = submittedValue(draft, field) as User[DraftField];
      const isMine = changedHere.includes(field) && !isEqual(mine, now[field]);
      return { field, before: base[field], theirs: now[field], mine: isMine ? mine : undefined };
    });
}

/** The draft on top of the person as they are now: what was changed here stays, unless theirs is taken. */
export function rebaseDraft(base: User, now: User, draft: Draft, taken: readonly DraftField[] = []): Draft {
  const kept = changedFields(base, draft).filter((field) => !taken.includes(field));
  return { ...draftOf(now), ...Object.fromEntries(kept.map((field) => [field, draft[field]])) };
}

/** What is typed while a draft is on its way to the service stays typed. */
export function draftAfterSave(sent: Draft, saved: User, draft: Draft): Draft {
  const typedSince = draftFields.filter((field) => !isEqual(draft[field], sent[field]));
  return { ...draftOf(saved), ...Object.fromEntries(typedSince.map((field) => [field, draft[field]])) };
}
