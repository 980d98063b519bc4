import type { Schemas } from '@rollcall/client';
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

/** A field that another user changed in the meantime. */
export interface EditConflict {
  readonly field: DraftField;
  readonly before: User[DraftField];
  readonly theirs: User[DraftField];
  /** Undefined if it was not edited here. */
  readonly mine: User[DraftField] | undefined;
}

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

/** Applies the edits to the current user, except for the fields in `taken`. */
export function rebaseDraft(base: User, now: User, draft: Draft, taken: readonly DraftField[] = []): Draft {
  const kept = changedFields(base, draft).filter((field) => !taken.includes(field));
  return { ...draftOf(now), ...Object.fromEntries(kept.map((field) => [field, draft[field]])) };
}

/** Keeps what was typed during the save. */
export function draftAfterSave(sent: Draft, saved: User, draft: Draft): Draft {
  const typedSince = draftFields.filter((field) => !isEqual(draft[field], sent[field]));
  return { ...draftOf(saved), ...Object.fromEntries(typedSince.map((field) => [field, draft[field]])) };
}

export type ChangeActor = NonNullable<Schemas['Change']['actor']>;

/** Who has changed the user since that version, each once, the last one first. */
export function authorsSince(changes: readonly Schemas['Change'][], version: number): ChangeActor[] {
  const actors = changes.filter((change) => change.version > version).map(({ actor }) => actor);
  const known = actors.filter((actor) => actor !== null);
  return known.filter((actor, index) => known.findIndex(({ id }) => id === actor.id) === index);
}
