import type { Schemas } from '@rollcall/client';
import { type FieldValue, storedValue, type User } from '../data/user.js';
import {
  changedFields,
  type Draft,
  type DraftField,
  draftOf,
  fieldsIn,
  isEqual,
  submittedValue,
  typedValue,
  withValue,
} from '../form/draft.js';

/** A field that another user changed in the meantime. */
export interface EditConflict {
  readonly field: DraftField;
  readonly before: FieldValue;
  readonly theirs: FieldValue;
  /** Undefined if it was not edited here. */
  readonly mine: FieldValue | undefined;
}

export function findEditConflicts(base: User, now: User, draft: Draft): EditConflict[] {
  const changedHere = changedFields(base, draft);
  return fieldsIn(base, now)
    .filter((field) => !isEqual(storedValue(base, field), storedValue(now, field)))
    .map((field) => {
      const [before, theirs, mine] = [
        storedValue(base, field),
        storedValue(now, field),
        submittedValue(draft, field),
      ];
      const isMine = changedHere.includes(field) && !isEqual(mine, theirs);
      return { field, before, theirs, mine: isMine ? mine : undefined };
    });
}

/** Applies the edits to the current user, except for the fields in `taken`. */
export function rebaseDraft(base: User, now: User, draft: Draft, taken: readonly DraftField[] = []): Draft {
  const kept = changedFields(base, draft).filter((field) => !taken.includes(field));
  return withFieldsOf(draft, kept, draftOf(now));
}

/** Keeps what was typed during the save. */
export function draftAfterSave(sent: Draft, saved: User, draft: Draft): Draft {
  const typedSince = fieldsIn(sent, draft).filter(
    (field) => !isEqual(typedValue(draft, field), typedValue(sent, field)),
  );
  return withFieldsOf(draft, typedSince, draftOf(saved));
}

function withFieldsOf(draft: Draft, fields: readonly DraftField[], start: Draft): Draft {
  return fields.reduce((next, field) => withValue(next, field, typedValue(draft, field)), start);
}

export type ChangeActor = NonNullable<Schemas['Change']['actor']>;

/** Who has changed the user since that version, each once, the last one first. */
export function authorsSince(changes: readonly Schemas['Change'][], version: number): ChangeActor[] {
  const actors = changes.filter((change) => change.version > version).map(({ actor }) => actor);
  const known = actors.filter((actor) => actor !== null);
  return known.filter((actor, index) => known.findIndex(({ id }) => id === actor.id) === index);
}
