import { isStorable } from '../contract/fields.js';
import { scimLimits } from '../contract/limits.js';
import { isEmpty, isObject, type JsonObject, own } from './language/json.js';
import { done, failed, type Outcome, quoted, type ScimFailure } from './language/outcome.js';
import { attributeNamed, type ScimAttribute } from './language/schema.js';
import { readValues } from './language/values.js';
import { groupSchema } from './schemas.js';

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

export const membersAttribute = attributeNamed('members', groupSchema.attributes) as ScimAttribute;

/**
 * Members as they were sent, by value. There may be 100,000, so this yields after some. Those whose values are not even IDs
 * are no users, and a group keeps few of them: where they would be added, too many are refused before anything else.
 */
export function* readMembers(
  sent: unknown,
  use: 'to add' | 'to remove',
): Generator<void, Outcome<Map<string, JsonObject>>, void> {
  const listed = Array.isArray(sent) ? sent : [sent];
  const members = new Map<string, JsonObject>();
  const others = new Set<string>();
  for (let start = 0; start < listed.length; start += membersReadAtOnce) {
    if (start > 0) yield;
    const read = readValues(membersAttribute, listed.slice(start, start + membersReadAtOnce));
    const byValue = read.ok ? membersByValue(read.value) : read;
    if (!byValue.ok) return byValue;
    for (const [value, details] of byValue.value) {
      members.set(value, { ...members.get(value), ...details });
      if (!isId.test(value)) others.add(value);
    }
    if (use === 'to add' && others.size > scimLimits.groupMembersKeptMax) return tooManyOthers();
  }
  return done(members);
}

const membersReadAtOnce = 1_000;

/** What is refused if a group has too many members that are no users. */
export function tooManyOthers(): ScimFailure {
  const { groupMembersKeptMax: max, groupMembersKeptMaxBytes: maxBytes } = scimLimits;
  return failed(
    'invalidValue',
    `A group may have at most ${max} members that are not users, and ${maxBytes} bytes about them.`,
  );
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
  return isId.test(value) ? value.toLowerCase() : value;
}

const isId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

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
  const withoutNotes = () =>
    [...members].filter(([value]) => own(stored, value) !== undefined || !names.has(value));
  const fitting = withinLimits([...members]) ?? withinLimits(withoutNotes());
  return fitting ? done(fitting) : tooManyOthers();
}

/** Undefined if there is nothing to note. */
function noteOn(name: string, { display, displayName }: JsonObject): StoredMember | undefined {
  const note = Object.fromEntries(
    Object.entries({ display, displayName }).filter(([, each]) => !isEmpty(each) && each !== name),
  );
  return Object.keys(note).length === 0 ? undefined : { isUser: true, ...note };
}

/** Counts first: to write 100,000 notes about users as JSON takes most of a second. */
function withinLimits(members: readonly (readonly [string, StoredMember])[]): StoredMembers | undefined {
  const { groupMembersKeptMax: max, groupMembersKeptMaxBytes: maxBytes } = scimLimits;
  if (members.length > max) return undefined;
  const stored: StoredMembers = Object.fromEntries(members);
  return Buffer.byteLength(JSON.stringify(stored)) <= maxBytes ? stored : undefined;
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
