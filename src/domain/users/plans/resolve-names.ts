import type { Failure } from '../../../contract/errors.js';
import type { StoredUser } from '../../../contract/users.js';
import type { Transition } from '../../bulk/plan.js';
import type { YieldingTask } from '../../yielding-task.js';
import { keyOf } from './name-holders.js';
import { PositionQueue } from './position-queue.js';
import { employeeIdTaken, type Holder, usernameTaken } from './user-change.js';

/** The change a call requests for one user. It succeeds or fails as a whole. */
export interface RequestedChange extends Transition {
  readonly serial: string;
  /** Position of the item. If two changes claim the same name, the earlier one gets it. */
  readonly position: number;
}

/** Creates the failure for one of the items. */
export type Rejection = (position: number | undefined) => Failure;

/**
 * Decides which changes succeed when names are compared at the end of the call. A name that a user keeps is never
 * available to others. A rejected change leaves the user's current names in place, which can cause further rejections.
 * In the result, every rejected change claims a name that another user holds, and no name has two holders.
 */
export function* resolveNames(
  changes: readonly RequestedChange[],
  others: readonly StoredUser[],
): YieldingTask<NameResolution> {
  const resolver = new NameResolver(changes, others);
  yield;
  yield* resolver.addClaims();
  // Names that are kept come first: claims on them fail whatever their order.
  for (const change of resolver.inOrder)
    if (resolver.isAccepted(change) && resolver.claimsKeptName(change)) resolver.reject(change);
  for (const change of resolver.inOrder) {
    if (resolver.isAccepted(change) && resolver.hasEarlierClaim(change))
      yield* resolver.resolveLateClaim(change);
  }
  yield;
  // A later claim can still succeed if the earlier claim was rejected in the meantime.
  resolver.reconsiderRejected();
  return resolver;
}

export interface NameResolution {
  /** Rejected changes by serial. */
  rejections(): Map<string, Rejection>;
  /** Checks the requested names against the result without applying the change. */
  rejectionOf(change: RequestedChange): Rejection | undefined;
}

/**
 * The dependency chain is followed again for every late claim. In the worst case (long chains whose members all claim
 * the same names), a call of 10,000 items takes about ten million steps. This many steps take a few milliseconds.
 */
const stepsPerSlice = 10_000;
/** Adding a change takes a few microseconds. */
const changesPerSlice = 2_500;

class NameResolver implements NameResolution {
  /** Changes that affect names, by position. */
  readonly inOrder: readonly RequestedChange[];
  readonly #claims = new Map<RequestedChange, readonly string[]>();
  readonly #releases = new Map<RequestedChange, readonly string[]>();
  readonly #claimsOn = new Map<string, RequestedChange[]>();
  /** Accepted claims in order; only for names with several claims. */
  readonly #contested = new Map<string, Set<RequestedChange>>();
  readonly #kept = new Map<string, string>();
  readonly #rejected = new Set<RequestedChange>();
  #steps = 0;

  constructor(changes: readonly RequestedChange[], others: readonly StoredUser[]) {
    this.inOrder = changes.filter(changesName).sort((a, b) => a.position - b.position);
    const keeping = changes.flatMap((change) =>
      change.before && !changesName(change) ? [change.before] : [],
    );
    for (const user of [...others, ...keeping])
      for (const name of namesOf(user)) this.#kept.set(name, user.serial);
  }

  *addClaims(): YieldingTask<void> {
    for (const [index, change] of this.inOrder.entries()) {
      this.#add(change);
      if ((index + 1) % changesPerSlice === 0) yield;
    }
    for (const [name, claimants] of this.#claimsOn)
      if (claimants.length > 1) this.#contested.set(name, new Set(claimants));
  }

  #add(change: RequestedChange): void {
    const current = namesOf(change.before);
    const requested = namesOf(change.after);
    const claims = without(requested, current);
    const releases = without(current, requested);
    for (const name of without(current, releases)) this.#kept.set(name, change.serial);
    if (releases.length > 0) this.#releases.set(change, releases);
    if (claims.length > 0) this.#claims.set(change, claims);
    for (const name of claims) {
      const claimants = this.#claimsOn.get(name);
      if (claimants) claimants.push(change);
      else this.#claimsOn.set(name, [change]);
    }
  }

  isAccepted(change: RequestedChange): boolean {
    return !this.#rejected.has(change);
  }

  claimsKeptName(change: RequestedChange): boolean {
    return this.#claimedBy(change).some((name) => this.#kept.has(name));
  }

  /** Whether an earlier accepted change claims one of the same names. */
  hasEarlierClaim(change: RequestedChange): boolean {
    return this.#claimedBy(change).some((name) => this.#firstClaim(name) !== change);
  }

  /** An earlier claim that depends on this change can never succeed, so it is rejected instead. */
  *resolveLateClaim(change: RequestedChange): YieldingTask<void> {
    const dependents = new Set([change]);
    for (const each of dependents) {
      if (++this.#steps % stepsPerSlice === 0) yield;
      for (const name of this.#releasedBy(each))
        for (const other of this.#acceptedClaims(name)) dependents.add(other);
    }
    for (const name of this.#claimedBy(change)) {
      for (const other of this.#acceptedClaims(name)) {
        if (other === change) break;
        if (dependents.has(other)) this.reject(other);
      }
    }
    if (this.isAccepted(change) && this.hasEarlierClaim(change)) this.reject(change);
  }

  /** Rejects the change, and every change that claims a name it would have released. */
  reject(change: RequestedChange): void {
    const rejecting = [change];
    for (const each of rejecting) {
      if (this.#rejected.has(each)) continue;
      this.#rejected.add(each);
      for (const name of this.#claimedBy(each)) this.#contested.get(name)?.delete(each);
      for (const name of this.#releasedBy(each)) {
        this.#kept.set(name, each.serial);
        for (const other of this.#acceptedClaims(name)) rejecting.push(other);
      }
    }
  }

  reconsiderRejected(): void {
    const queue = new PositionQueue<RequestedChange>();
    for (const change of this.#rejected) queue.add(change);
    for (let change = queue.next(); change; change = queue.next()) {
      if (!this.#canAccept(change)) continue;
      this.#rejected.delete(change);
      for (const name of this.#claimedBy(change)) this.#contested.get(name)?.add(change);
      for (const name of this.#releasedBy(change)) {
        this.#kept.delete(name);
        for (const other of this.#claimsOn.get(name) ?? []) if (!this.isAccepted(other)) queue.add(other);
      }
    }
  }

  rejections(): Map<string, Rejection> {
    const rejections = new Map<string, Rejection>();
    for (const change of this.#rejected) {
      const rejection = this.rejectionOf(change);
      if (rejection) rejections.set(change.serial, rejection);
    }
    return rejections;
  }

  #canAccept(change: RequestedChange): boolean {
    return this.#claimedBy(change).every(
      (name) => !this.#kept.has(name) && this.#firstClaim(name) === undefined,
    );
  }

  rejectionOf({ serial, after }: RequestedChange): Rejection | undefined {
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
    const change = this.#firstClaim(name);
    if (change) return { serial: change.serial, position: change.position };
    const serial = this.#kept.get(name);
    return serial === undefined ? undefined : { serial };
  }

  #claimedBy(change: RequestedChange): readonly string[] {
    return this.#claims.get(change) ?? none;
  }

  #releasedBy(change: RequestedChange): readonly string[] {
    return this.#releases.get(change) ?? none;
  }

  /** Accepted claims on the name, in order. */
  #acceptedClaims(name: string): Iterable<RequestedChange> {
    const contested = this.#contested.get(name);
    if (contested) return contested;
    const [only] = this.#claimsOn.get(name) ?? none;
    return only && this.isAccepted(only) ? [only] : none;
  }

  #firstClaim(name: string): RequestedChange | undefined {
    const [first] = this.#acceptedClaims(name);
    return first;
  }
}

const none: readonly never[] = [];

function changesName({ before, after }: RequestedChange): boolean {
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
