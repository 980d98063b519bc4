import { nameField, usernameField } from '../contract/fields.js';
import { fieldLimits } from '../contract/limits.js';
import { signInNameOfUserName } from '../contract/user-names.js';
import { isObject, isSame, type JsonObject, own } from './language/json.js';
import { done, failed, type Outcome } from './language/outcome.js';

/** How a `userName` is stored: as the username if it can be one, otherwise as the sign-in name. */
export interface SignInNames {
  readonly username: string | null;
  readonly signInName: string | null;
  /** The spelling of a sign-in name. */
  readonly userName: string | undefined;
}

interface NamedUser {
  readonly employeeID: string;
  readonly username: string | null;
  readonly signInName: string | null;
}

/** The `userName` of a user. People without any other name sign in with their employee ID. */
export function userNameOf(
  { employeeID, username, signInName }: NamedUser,
  spelled: string | undefined,
): string {
  return (signInName === null ? username : (spelled ?? signInName)) ?? employeeID;
}

export function signInNamesOf(userName: string): Outcome<SignInNames> {
  if (usernameField.accepts(userName)) {
    return done({ username: userName, signInName: null, userName: undefined });
  }
  const signInName = signInNameOfUserName(userName);
  if (signInName === undefined) {
    return failed(
      'invalidValue',
      `"userName" must have 1 to ${fieldLimits.signInNameMaxLength} characters, without control characters, invisible characters and spaces at its ends, and must not look like another name.`,
    );
  }
  return done({ username: null, signInName, userName });
}

/**
 * The parts of a name. Of a user whom no provider has named, the last word counts as the family name. A single word is both,
 * because many providers can't do without one of them.
 */
export function nameParts(name: string, stored: unknown): JsonObject {
  if (isObject(stored))
    return 'formatted' in stored ? stored : { formatted: fullName(stored) ?? name, ...stored };
  const words = name.split(' ');
  const givenName = words.slice(0, -1).join(' ') || name;
  return { formatted: name, familyName: words.at(-1) ?? name, givenName };
}

export function fullName(parts: unknown): string | undefined {
  if (!isObject(parts)) return undefined;
  const formatted = own(parts, 'formatted');
  if (typeof formatted === 'string' && formatted.trim() !== '') return formatted;
  const words = ['givenName', 'middleName', 'familyName'].map((part) => own(parts, part));
  const name = words.filter((word) => typeof word === 'string' && word.trim() !== '').join(' ');
  return name === '' ? undefined : name;
}

/** Parts that have changed replace a full name that was made of the earlier ones. */
export function changedParts(before: unknown, after: unknown): unknown {
  if (!isObject(before) || !isObject(after) || isSame(before, after)) return after;
  if (own(before, 'formatted') !== own(after, 'formatted')) return after;
  const { formatted: _, ...parts } = after;
  return parts;
}

/** A name as it is stored. */
export function readName(sent: string): Outcome<string> {
  const name = nameField.normalize(sent);
  if (nameField.accepts(name)) return done(name);
  return failed('invalidValue', `The name, in "displayName" or "name", must be ${nameField.rule}.`);
}
