import { passwordField } from '../../contract/fields.js';
import { fieldLimits } from '../../contract/limits.js';

/** Names that a password must not be: whoever knows the person would try them first. */
export interface PersonalNames {
  readonly employeeID: string;
  readonly username: string | null;
}

/**
 * The rules for a password that a person chooses, after NIST SP 800-63B and OWASP ASVS: long enough, not a common one,
 * not the person's own name; every character is allowed and none is demanded. Gives a sentence, or undefined.
 */
export function passwordProblem(
  password: string,
  { employeeID, username }: PersonalNames,
  isCommon: (password: string) => boolean,
): string | undefined {
  const { chosenPasswordMinLength, passwordMaxLength } = fieldLimits;
  const length = [...password].length;
  // An accent typed apart from its letter does not make the password longer.
  const shortest = Math.min(length, [...normalised(password)].length);
  if (shortest < chosenPasswordMinLength || length > passwordMaxLength) {
    const counted = length > passwordMaxLength ? length : shortest;
    return `a password has ${chosenPasswordMinLength} to ${passwordMaxLength} characters; this one has ${counted}.`;
  }
  if (!passwordField.accepts(password)) return 'a password must be made of whole characters and no NUL.';
  const folded = comparable(password);
  if (folded === comparable(employeeID) || (username !== null && folded === comparable(username))) {
    return 'a password must not be the username or the employee ID.';
  }
  if (isCommon(folded))
    return 'this is one of the commonest passwords, which are tried first; choose another.';
  return undefined;
}

/** One form for what is typed the same: NIST asks for it before hashing, so that no keyboard locks a person out. */
export function normalised(password: string): string {
  return password.normalize('NFKC');
}

function comparable(text: string): string {
  return normalised(text).toLowerCase();
}
