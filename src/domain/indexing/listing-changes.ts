import type { StoredUser } from '../../contract/users.js';
import { nameWords } from './name-words.js';

interface ListedFields
  extends Pick<StoredUser, 'employeeID' | 'name' | 'isActive' | 'organizationSerial' | 'tagSerials'> {
  readonly hasManager: boolean;
  readonly words: string;
}

interface UserCount {
  readonly total: number;
  readonly active: number;
}

type Counted = Pick<ListedFields, 'name' | 'isActive' | 'organizationSerial' | 'tagSerials'>;

/** By how much the users of organizations, of tags, of words in names, and of all change, added up over users. */
export class CountChanges {
  readonly organizations = new Map<string, UserCount>();
  readonly tags = new Map<string, UserCount>();
  readonly nameWords = new Map<string, number>();
  all: UserCount = { total: 0, active: 0 };

  /** Either is undefined if the user wasn't listed, or no longer exists. */
  add(before: Counted | undefined, after: Counted | undefined): void {
    if (before) this.#count(before, -1);
    if (after) this.#count(after, 1);
    if (before?.name === after?.name) return;
    if (before) this.#countWords(before.name, -1);
    if (after) this.#countWords(after.name, 1);
  }

  #countWords(name: string, users: 1 | -1): void {
    for (const word of nameWords(name)) this.nameWords.set(word, (this.nameWords.get(word) ?? 0) + users);
  }

  #count({ isActive, organizationSerial, tagSerials }: Counted, users: 1 | -1): void {
    const change = { total: users, active: isActive ? users : 0 };
    this.all = sum(this.all, change);
    if (organizationSerial !== null) addTo(this.organizations, organizationSerial, change);
    for (const tag of new Set(tagSerials)) addTo(this.tags, tag, change);
  }
}

function addTo(counts: Map<string, UserCount>, serial: string, change: UserCount): void {
  const present = counts.get(serial);
  counts.set(serial, present ? sum(present, change) : change);
}

function sum(a: UserCount, b: UserCount): UserCount {
  return { total: a.total + b.total, active: a.active + b.active };
}

export function isListedAs(listed: ListedFields | undefined, user: ListedFields): boolean {
  return (
    listed !== undefined &&
    listed.words === user.words &&
    listed.name === user.name &&
    listed.employeeID === user.employeeID &&
    listed.isActive === user.isActive &&
    listed.organizationSerial === user.organizationSerial &&
    listed.hasManager === user.hasManager &&
    listed.tagSerials.length === user.tagSerials.length &&
    listed.tagSerials.every((tag, index) => tag === user.tagSerials[index])
  );
}
