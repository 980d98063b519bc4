import type { Failure } from '../../../contract/errors.js';
import type { StoredUser } from '../../../contract/users.js';
import type { Move } from '../../bulk/plan.js';
import type { YieldingTask } from '../../steps.js';
import { keyOf } from './name-holders.js';
import { PositionQueue } from './position-queue.js';
import { employeeIdTaken, type Holder, usernameTaken } from './user-change.js';

/** Somebody whom a call moves from one state to another, all of it or nothing. */
export interface Mover extends Move {
  readonly serial: string;
  /** The item that moves them; the earlier of two who want one name gets it. */
  readonly position: number;
}

/** Why somebody cannot move, told for one of their items. */
export type Refusal = (position: number | undefined) => Failure;

/**
 * Decides who can move when names are judged by where everyone ends up. Whoever keeps a name has it before any who
 * would take it. A mover that cannot move keeps what they have, and that can stop others in turn. In the end every
 * refused mover wants a name that somebody else has, and no two have the same.
 */
export function* resolveNames(
  movers: readonly Mover[],
  stayers: readonly StoredUser[],
): YieldingTask<NameResolution> {
  const room = new NameResolver(movers, stayers);
  yield;
  // Names that stay where they are come first, whoever asks for them and in whichever order.
  for (const mover of room.inOrder) if (room.isMoving(mover) && room.meetsStayer(mover)) room.stop(mover);
  for (const mover of room.inOrder) {
    if (room.isMoving(mover) && room.comesLate(mover)) yield* room.stopLate(mover);
  }
  yield;
  // Somebody who came too late for a name may find that the one who was earlier cannot move after all.
  room.moveWhoStillCan();
  return room;
}

export interface NameResolution {
  /** Who cannot move, by serial. */
  refusals(): Map<string, Refusal>;
  /** Whether somebody could have the names they want at the end, without moving them. */
  refusalOf(mover: Mover): Refusal | undefined;
}

/**
 * Who waits for whom is followed anew for everybody who comes too late: with long chains, each of whose members wants what
 * somebody at its end wants too, that is some ten million looks for a call of 10,000 items. So many take a few milliseconds.
 */
const looksAtOnce = 10_000;

class NameResolver implements NameResolution {
  /** Those whose names change. */
  readonly inOrder: readonly Mover[];
  readonly #wants = new Map<Mover, readonly string[]>();
  readonly #leaves = new Map<Mover, readonly string[]>();
  readonly #wantedBy = new Map<string, Mover[]>();
  /** Of those who want a name, the ones who move, in order; only where several want it. */
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

  /** Whether somebody earlier, who moves, wants one of the same names. */
  comesLate(mover: Mover): boolean {
    return this.#wanted(mover).some((name) => this.#firstMoving(name) !== mover);
  }

  /** An earlier one who waits for this very mover can never have a name that both want, and stops in their place. */
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

  /** Leaves the mover where they are, and with them all who want a name that they would have left. */
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

  /** Those who want the name and move, in order. */
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

/** Employee IDs and usernames are two kinds of names: one may read like the other. */
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
