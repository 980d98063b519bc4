import type { User } from '../data/user.js';
import {
  changedFields,
  type Draft,
  type DraftField,
  draftFields,
  draftOf,
  isSame,
  meant,
} from '../form/draft.js';

/** A field that somebody else changed while it stood in a form here. */
export interface Encounter {
  readonly field: DraftField;
  readonly before: User[DraftField];
  readonly theirs: User[DraftField];
  /** Undefined where it was left alone here: then there is nothing to choose. */
  readonly mine: User[DraftField] | undefined;
}

/** What somebody else changed between the person that a draft began with and the person as they are now. */
export function encounters(base: User, now: User, draft: Draft): Encounter[] {
  const changedHere = changedFields(base, draft);
  return draftFields
    .filter((field) => !isSame(base[field], now[field]))
    .map((field) => {
      const mine = meant(draft, field) as User[DraftField];
      const isMine = changedHere.includes(field) && !isSame(mine, now[field]);
      return { field, before: base[field], theirs: now[field], mine: isMine ? mine : undefined };
    });
}

/** The draft on top of the person as they are now: what was changed here stays, unless theirs is taken. */
export function rebased(base: User, now: User, draft: Draft, taken: readonly DraftField[] = []): Draft {
  const kept = changedFields(base, draft).filter((field) => !taken.includes(field));
  return { ...draftOf(now), ...Object.fromEntries(kept.map((field) => [field, draft[field]])) };
}

/** What is typed while a draft is on its way to the service stays typed. */
export function afterSave(sent: Draft, saved: User, draft: Draft): Draft {
  const typedSince = draftFields.filter((field) => !isSame(draft[field], sent[field]));
  return { ...draftOf(saved), ...Object.fromEntries(typedSince.map((field) => [field, draft[field]])) };
}
