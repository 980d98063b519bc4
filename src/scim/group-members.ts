import { isStorable } from '../contract/fields.js';
import { scimLimits } from '../contract/limits.js';
import { isEmpty, isObject, type JsonObject, own } from './language/json.js';
import { done, failed, type Outcome, quoted } from './language/outcome.js';

/** What a request does to the members of a group. A value is either added or removed. */
export interface MemberChanges {
  /** Whether all members are removed that are not added. */
  readonly clears: boolean;
  /** What was sent about each, by value. */
  readonly added: ReadonlyMap<string, JsonObject>;
  readonly removed: ReadonlySet<string>;
}

export const noMemberChanges: MemberChanges = { clears: false, added: new Map(), removed: new Set() };

/**
 * What is stored about members, by value: those that are no users here, such as nested groups, and what was sent about
 * users besides their ID.
 */
export type StoredMembers = Readonly<Record<string, StoredMember>>;

interface StoredMember extends JsonObject {
  /** Only a note about a user, who is a member as long as they have the tag. */
  readonly isUser?: true;
}

/** Members as they were read by the schema, by value. */
export function membersByValue(members: readonly unknown[]): Outcome<Map<string, JsonObject>> {
  const byValue = new Map<string, JsonObject>();
  for (const member of members) {
    const { value: sent, ...details } = isObject(member) ? member : {};
    const problem = valueProblem(sent) ?? detailProblem(details);
    if (problem !== undefined) return failed('invalidValue', problem);
    const value = normalizedValue(String(sent));
    byValue.set(value, { ...byValue.get(value), ...details });
  }
  return done(byValue);
}

function valueProblem(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') return 'A member must have a "value".';
  const { memberValueMaxLength } = scimLimits;
  if (value.length > memberValueMaxLength) {
    return `The value of a member may have at most ${memberValueMaxLength} characters.`;
  }
  return isStorable(value) ? undefined : notStorable(value);
}

function detailProblem(details: JsonObject): string | undefined {
  const stray = Object.values(details).find((each) => typeof each === 'string' && !isStorable(each));
  return stray === undefined ? undefined : notStorable(stray);
}

function notStorable(text: unknown): string {
  return `${quoted(text)} contains NUL or a lone surrogate, which cannot be stored.`;
}

/** The IDs of users are UUIDs in lower case. */
export function normalizedValue(value: string): string {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value) ? value.toLowerCase() : value;
}

/**
 * What is stored about members after a change. Of users, only what their names don't say, and as long as there is room:
 * nothing is lost but a spelling. Members that are no users are nowhere else, so they are refused beyond the limit.
 */
export function changedMembers(
  stored: StoredMembers,
  { clears, added, removed }: MemberChanges,
  /** Of the users among the members that are added, by serial. */
  names: ReadonlyMap<string, string>,
): Outcome<StoredMembers> {
  const kept = clears ? [] : Object.entries(stored).filter(([value]) => !removed.has(value));
  const members = new Map<string, StoredMember>(kept);
  for (const [value, details] of added) {
    const name = names.get(value);
    const before = own(stored, value) as StoredMember | undefined;
    const member = name === undefined ? { ...before, ...details } : noteOn(name, { ...before, ...details });
    if (member) members.set(value, member);
    else members.delete(value);
  }
  const all: StoredMembers = Object.fromEntries(members);
  if (isWithinLimits(all)) return done(all);
  const withoutNotes = Object.fromEntries(
    [...members].filter(([value]) => own(stored, value) !== undefined || !names.has(value)),
  );
  if (isWithinLimits(withoutNotes)) return done(withoutNotes);
  const { groupMembersKeptMax: max, groupMembersKeptMaxBytes: maxBytes } = scimLimits;
  return failed(
    'invalidValue',
    `A group may have at most ${max} members that are not users, and ${maxBytes} bytes about them.`,
  );
}

/** Undefined if there is nothing to note. */
function noteOn(name: string, { display, displayName }: JsonObject): StoredMember | undefined {
  const note = Object.fromEntries(
    Object.entries({ display, displayName }).filter(([, each]) => !isEmpty(each) && each !== name),
  );
  return Object.keys(note).length === 0 ? undefined : { isUser: true, ...note };
}

function isWithinLimits(members: StoredMembers): boolean {
  const { groupMembersKeptMax: max, groupMembersKeptMaxBytes: maxBytes } = scimLimits;
  return Object.keys(members).length <= max && Buffer.byteLength(JSON.stringify(members)) <= maxBytes;
}

/** The changes that lead from some members to others. */
export function differenceOf(
  before: ReadonlyMap<string, JsonObject>,
  after: ReadonlyMap<string, JsonObject>,
): MemberChanges {
  const added = [...after].filter(([value, details]) => {
    const was = before.get(value);
    return !was || JSON.stringify(was) !== JSON.stringify(details);
  });
  return {
    clears: false,
    added: new Map(added),
    removed: new Set([...before.keys()].filter((value) => !after.has(value))),
  };
}
