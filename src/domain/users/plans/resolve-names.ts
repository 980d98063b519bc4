import type { Failure } from '../../../contract/errors.js';
import type { StoredUser } from '../../../contract/users.js';
import { type AttributeSet, noAttributes } from '../../attributes/attribute-set.js';
import type { Transition } from '../../bulk/plan.js';
import { isOff, noQuarantine, type Quarantine } from '../../names/quarantine.js';
import type { YieldingTask } from '../../yielding-task.js';
import { keyOf } from './name-holders.js';
import { PositionQueue } from './position-queue.js';
import { releasedBefore, releasedWithin, type WantedName } from './quarantine.js';
import { mayDifferInUniqueNames, type UniqueName, uniqueNamesOf } from './unique-names.js';
import { employeeIdTaken, type Holder, usernameTaken } from './user-change.js';

/** The change a call requests for one user. It succeeds or fails as a whole. */
export interface RequestedChange extends Transition {
  readonly serial: string;
  /** Position of the item. If two changes claim the same name, the earlier one gets it. */
  readonly position: number;
  /** The manager at the end of the call, if not known by serial. */
  readonly managerEmployeeID?: string | undefined;
}

/** Creates the failure for one of the items. */
export type Rejection = (position: number | undefined) => Failure;

/**
 * Decides which changes succeed when names are compared at the end of the call. A name that a user keeps is never
 * available to others. A rejected change leaves the user's current names in place, which can cause further rejections.
 * In the result, every rejected change claims a name that another user holds or that is quarantined, and no name has two
 * holders.
 */
export function* resolveNames(
  changes: readonly RequestedChange[],
  others: readonly StoredUser[],
  quarantine: Quarantine = noQuarantine,
  attributes: AttributeSet = noAttributes,
): YieldingTask<NameResolution> {
  const resolver = new NameResolver(changes, others, quarantine, attributes);
  yield;
  yield* resolver.addClaims();
  // Names that are kept or quarantined come first: claims on them fail whatever their order.
  for (const change of resolver.inOrder)
    if (resolver.isAccepted(change) && resolver.claimsUnavailableName(change)) resolver.reject(change);
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
  readonly #quarantine: Quarantine;
  readonly #attributes: AttributeSet;
  /** The change that gives up a name. */
  readonly #releaseOf = new Map<string, RequestedChange>();
  readonly #rejected = new Set<RequestedChange>();
  #steps = 0;

  constructor(
    changes: readonly RequestedChange[],
    others: readonly StoredUser[],
    quarantine: Quarantine,
    attributes: AttributeSet,
  ) {
    this.#quarantine = quarantine;
    this.#attributes = attributes;
    const changesName = (change: RequestedChange) => this.#changesName(change);
    this.inOrder = changes.filter(changesName).sort((a, b) => a.position - b.position);
    const keeping = changes.flatMap((change) =>
      change.before && !changesName(change) ? [change.before] : [],
    );
    for (const user of [...others, ...keeping])
      for (const name of this.#namesOf(user)) this.#kept.set(name, user.serial);
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
    const current = this.#namesOf(change.before);
    const requested = this.#namesOf(change.after);
    const claims = without(requested, current);
    const releases = without(current, requested);
    for (const name of without(current, releases)) this.#kept.set(name, change.serial);
    if (releases.length > 0) this.#releases.set(change, releases);
    for (const name of releases) this.#releaseOf.set(name, change);
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

  claimsUnavailableName(change: RequestedChange): boolean {
    return this.#claimedBy(change).some((name) => this.#kept.has(name)) || this.#claimsQuarantined(change);
  }

  #claimsQuarantined(change: RequestedChange): boolean {
    if (isOff(this.#quarantine.days)) return false;
    return wantedNames(change).some((wanted) => this.#quarantined(change, wanted, undefined) !== undefined);
  }

  /** Why a user who doesn't have the name yet cannot get it, even though nobody keeps it. */
  #quarantined(
    { before }: RequestedChange,
    wanted: WantedName,
    position: number | undefined,
  ): Failure | undefined {
    const name = nameOf(wanted);
    if (this.#namesOf(before).includes(name)) return undefined;
    const release = this.#releaseOf.get(name);
    return release
      ? releasedWithin(this.#quarantine, position, wanted, release)
      : releasedBefore(this.#quarantine, position, wanted);
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
    return (
      this.#claimedBy(change).every(
        (name) => !this.#kept.has(name) && this.#firstClaim(name) === undefined,
      ) && !this.#claimsQuarantined(change)
    );
  }

  rejectionOf(change: RequestedChange): Rejection | undefined {
    for (const wanted of wantedNames(change)) {
      const holder = this.#holder(nameOf(wanted));
      if (holder && holder.serial !== change.serial) {
        const taken = wanted.field === 'employeeID' ? employeeIdTaken : usernameTaken;
        return (position) => taken(position, wanted.value, holder);
      }
      const quarantined = (position: number | undefined) => this.#quarantined(change, wanted, position);
      if (!holder && quarantined(undefined)) return (position) => quarantined(position) as Failure;
    }
    for (const unique of this.#uniqueOf(change.after)) {
      const holder = this.#holder(uniqueName(unique));
      if (holder && holder.serial !== change.serial) return (position) => unique.taken(position, holder);
    }
    return undefined;
  }

  #changesName({ before, after }: RequestedChange): boolean {
    return (
      before?.employeeID !== after?.employeeID ||
      before?.username !== after?.username ||
      mayDifferInUniqueNames(before, after, this.#attributes)
    );
  }

  #uniqueOf(user: StoredUser | null): readonly UniqueName[] {
    return user === null ? none : uniqueNamesOf(user, this.#attributes);
  }

  #namesOf(user: StoredUser | null): readonly string[] {
    const unique = this.#uniqueOf(user);
    return unique.length === 0 ? namesOf(user) : [...namesOf(user), ...unique.map(uniqueName)];
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

/** The names that a change ends with, in the order in which they are checked. */
function wantedNames({ serial, after }: RequestedChange): readonly WantedName[] {
  if (after === null) return none;
  const { employeeID, username } = after;
  const id: WantedName = { field: 'employeeID', value: employeeID, key: employeeID, serial };
  return username === null ? [id] : [id, { field: 'username', value: username, key: keyOf(after), serial }];
}

function uniqueName({ name }: UniqueName): string {
  return `n${name}`;
}

/** The prefix separates the kinds of names: an employee ID may equal a username. */
function nameOf({ field, key }: Pick<WantedName, 'field' | 'key'>): string {
  return field === 'employeeID' ? `i${key}` : `u${key}`;
}

function namesOf(user: StoredUser | null): readonly string[] {
  if (user === null) return none;
  const id = nameOf({ field: 'employeeID', key: user.employeeID });
  return user.username === null ? [id] : [id, nameOf({ field: 'username', key: keyOf(user) })];
}

function without(names: readonly string[], others: readonly string[]): readonly string[] {
  return names.some((name) => !others.includes(name)) ? names.filter((name) => !others.includes(name)) : none;
}
