import type { Failure } from '../../../contract/errors.js';
import type { StoredUser } from '../../../contract/users.js';
import type { Move } from '../../bulk/plan.js';
import type { YieldingTask } from '../../steps.js';
import { keyOf } from './name-holders.js';
import { PositionQueue } from './position-queue.js';
import { employeeIdTaken, type Holder, usernameTaken } from './user-change.js';

/** The change a call requests for one user. It succeeds or fails as a whole. */
export interface Mover extends Move {
  readonly serial: string;
  /** Position of the item. If two changes claim the same name, the earlier one gets it. */
  readonly position: number;
}

/** Creates the failure for one of the items. */
export type Refusal = (position: number | undefined) => Failure;

/**
 * Decides which changes succeed when names are compared at the end of the call. A name that a user keeps is never
 * available to others. A rejected change leaves the user's current names in place, which can cause further rejections.
 * In the result, every rejected change claims a name that another user holds, and no name has two holders.
 */
export function* resolveNames(
  movers: readonly Mover[],
  stayers: readonly StoredUser[],
): YieldingTask<NameResolution> {
  const room = new NameResolver(movers, stayers);
  yield;
  // Names that are kept come first: claims on them fail whatever their order.
  for (const mover of room.inOrder) if (room.isMoving(mover) && room.meetsStayer(mover)) room.stop(mover);
  for (const mover of room.inOrder) {
    if (room.isMoving(mover) && room.comesLate(mover)) yield* room.stopLate(mover);
  }
  yield;
  // A later claim can still succeed if the earlier claim was rejected in the meantime.
  room.moveWhoStillCan();
  return room;
}

export interface NameResolution {
  /** Rejected changes by serial. */
  refusals(): Map<string, Refusal>;
  /** Checks the requested names against the result without applying the change. */
  refusalOf(mover: Mover): Refusal | undefined;
}

/**
 * The dependency chain is followed again for every late claim. In the worst case (long chains whose members all claim
 * the same names), a call of 10,000 items takes about ten million steps. This many steps take a few milliseconds.
 */
const looksAtOnce = 10_000;

class NameResolver implements NameResolution {
  /** Changes that affect names, by position. */
  readonly inOrder: readonly Mover[];
  readonly #wants = new Map<Mover, readonly string[]>();
  readonly #leaves = new Map<Mover, readonly string[]>();
  readonly #wantedBy = new Map<string, Mover[]>();
  /** Accepted claims in order; only for names with several claims. */
  readonly #contested = new Map<string, Set<Mover>>();
  readonly #stays = new Map<string, string>();
  readonly #stopped = new Set<Mover>();
  #looks = 0;

  constructor(movers: readonly Mover[], stayers: readonly StoredUser[]) {
    this.inOrder = movers.filter(changesName).sort((a, b) => a.position - b.position);
    const keepers = movers.flatMap((mover) => (mover.before && !changesName(mover) ? [mover.before] : []));
    for (const user of [...stayers, ...keepers])
      for (const name of namesOf(user)) this.#stays.set(name, user.serial);
    for (const mover of this.inOrder) this.#enter(mover);
    for (const [name, wanting] of this.#wantedBy)
      if (wanting.length > 1) this.#contested.set(name, new Set(wanting));
  }

  #enter(mover: Mover): void {
    const had = namesOf(mover.before);
    const gets = namesOf(mover.after);
    const wants = without(gets, had);
    const leaves = without(had, gets);
    for (const name of without(had, leaves)) this.#stays.set(name, mover.serial);
    if (leaves.length > 0) this.#leaves.set(mover, leaves);
    if (wants.length > 0) this.#wants.set(mover, wants);
    for (const name of wants) {
      const wanting = this.#wantedBy.get(name);
      if (wanting) wanting.push(mover);
      else this.#wantedBy.set(name, [mover]);
    }
  }

  isMoving(mover: Mover): boolean {
    return !this.#stopped.has(mover);
  }

  meetsStayer(mover: Mover): boolean {
    return this.#wanted(mover).some((name) => this.#stays.has(name));
  }

  /** Whether an earlier accepted change claims one of the same names. */
  comesLate(mover: Mover): boolean {
    return this.#wanted(mover).some((name) => this.#firstMoving(name) !== mover);
  }

  /** An earlier claim that depends on this change can never succeed, so it is rejected instead. */
  *stopLate(mover: Mover): YieldingTask<void> {
    const waiting = new Set([mover]);
    for (const each of waiting) {
      if (++this.#looks % looksAtOnce === 0) yield;
      for (const name of this.#left(each)) for (const other of this.#coming(name)) waiting.add(other);
    }
    for (const name of this.#wanted(mover)) {
      for (const other of this.#coming(name)) {
        if (other === mover) break;
        if (waiting.has(other)) this.stop(other);
      }
    }
    if (this.isMoving(mover) && this.comesLate(mover)) this.stop(mover);
  }

  /** Rejects the change, and every change that claims a name it would have released. */
  stop(mover: Mover): void {
    const stopping = [mover];
    for (const each of stopping) {
      if (this.#stopped.has(each)) continue;
      this.#stopped.add(each);
      for (const name of this.#wanted(each)) this.#contested.get(name)?.delete(each);
      for (const name of this.#left(each)) {
        this.#stays.set(name, each.serial);
        for (const other of this.#coming(name)) stopping.push(other);
      }
    }
  }

  moveWhoStillCan(): void {
    const waiting = new PositionQueue<Mover>();
    for (const mover of this.#stopped) waiting.add(mover);
    for (let mover = waiting.next(); mover; mover = waiting.next()) {
      if (!this.#canMove(mover)) continue;
      this.#stopped.delete(mover);
      for (const name of this.#wanted(mover)) this.#contested.get(name)?.add(mover);
      for (const name of this.#left(mover)) {
        this.#stays.delete(name);
        for (const other of this.#wantedBy.get(name) ?? []) if (!this.isMoving(other)) waiting.add(other);
      }
    }
  }

  refusals(): Map<string, Refusal> {
    const refusals = new Map<string, Refusal>();
    for (const mover of this.#stopped) {
      const refusal = this.refusalOf(mover);
      if (refusal) refusals.set(mover.serial, refusal);
    }
    return refusals;
  }

  #canMove(mover: Mover): boolean {
    return this.#wanted(mover).every(
      (name) => !this.#stays.has(name) && this.#firstMoving(name) === undefined,
    );
  }

  refusalOf({ serial, after }: Mover): Refusal | undefined {
    if (after === null) return undefined;
    const { employeeID, username } = after;
    const idHolder = this.#holder(idName(after));
    if (idHolder && idHolder.serial !== serial) {
      return (position) => employeeIdTaken(position, employeeID, idHolder);
    }
    const usernameHolder = username === null ? undefined : this.#holder(usernameName(after));
    if (username === null || !usernameHolder || usernameHolder.serial === serial) return undefined;
    return (position) => usernameTaken(position, username, usernameHolder);
  }

  #holder(name: string): Holder | undefined {
    const mover = this.#firstMoving(name);
    if (mover) return { serial: mover.serial, position: mover.position };
    const serial = this.#stays.get(name);
    return serial === undefined ? undefined : { serial };
  }

  #wanted(mover: Mover): readonly string[] {
    return this.#wants.get(mover) ?? none;
  }

  #left(mover: Mover): readonly string[] {
    return this.#leaves.get(mover) ?? none;
  }

  /** Accepted claims on the name, in order. */
  #coming(name: string): Iterable<Mover> {
    const contested = this.#contested.get(name);
    if (contested) return contested;
    const [only] = this.#wantedBy.get(name) ?? none;
    return only && this.isMoving(only) ? [only] : none;
  }

  #firstMoving(name: string): Mover | undefined {
    const [first] = this.#coming(name);
    return first;
  }
}

const none: readonly never[] = [];

function changesName({ before, after }: Mover): boolean {
  return before?.employeeID !== after?.employeeID || before?.username !== after?.username;
}

/** The prefix separates the two kinds of names: an employee ID may equal a username. */
function idName({ employeeID }: StoredUser): string {
  return `i${employeeID}`;
}

function usernameName(user: StoredUser): string {
  return `u${keyOf(user)}`;
}

function namesOf(user: StoredUser | null): readonly string[] {
  if (user === null) return [];
  return user.username === null ? [idName(user)] : [idName(user), usernameName(user)];
}

function without(names: readonly string[], others: readonly string[]): readonly string[] {
  return names.some((name) => !others.includes(name)) ? names.filter((name) => !others.includes(name)) : none;
}
