import type { Failure } from '../../../contract/errors.js';
import type { StoredUser } from '../../../contract/users.js';
import type { AttributeSet } from '../../attributes/attribute-set.js';
import { attributeTaken, type Holder, usernameTaken } from './user-change.js';

/** What only one user can have besides an employee ID and a username: a value of a unique attribute, a sign-in name. */
export interface UniqueName {
  /** Tells it apart from all others. */
  readonly name: string;
  /** Why somebody else cannot have it. */
  taken(position: number | undefined, holder: Holder): Failure;
}

type Named = Pick<StoredUser, 'attributes' | 'signInName'>;

const none: readonly never[] = [];

export function uniqueNamesOf(
  { attributes: stored, signInName }: Named,
  attributes: AttributeSet,
): readonly UniqueName[] {
  const values = attributes.uniqueValues(stored);
  if (values.length === 0 && signInName === null) return none;
  const names: UniqueName[] = values.map(({ attribute, name }) => ({
    name,
    taken: (position, holder) => attributeTaken(position, attribute, holder),
  }));
  if (signInName === null) return names;
  names.push({
    name: `signInName:${signInName}`,
    taken: (position, holder) => usernameTaken(position, signInName, holder),
  });
  return names;
}

/** Whether two states of a user may differ in such a name. */
export function mayDifferInUniqueNames(before: Named | null, after: Named | null, attributes: AttributeSet) {
  return (
    (before?.signInName ?? null) !== (after?.signInName ?? null) ||
    (attributes.hasUnique && before?.attributes !== after?.attributes)
  );
}
