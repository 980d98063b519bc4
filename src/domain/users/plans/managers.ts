import type { Failure } from '../../../contract/errors.js';
import { managersAboveMax } from '../../../contract/limits.js';
import type { UserChange } from '../../../contract/user-values.js';
import type { StoredUser } from '../../../contract/users.js';
import type { Chunk } from '../../bulk/plan.js';
import { itemFailure, type Parsed, reject } from '../../read-fields.js';

/** Where a user stands in the organization. */
export interface ReportingLine {
  readonly employeeID: string;
  readonly managerSerial: string | null;
}

/** Of users and everyone above them, by serial. */
export type ReportingLines = ReadonlyMap<string, ReportingLine>;

export const noReportingLines: ReportingLines = new Map();

/** Of a chain, in errors. */
const chainShownMax = 12;

/** Why a user cannot report to this manager; undefined if they can. */
export function managerProblem(
  position: number | undefined,
  serial: string,
  managerSerial: string,
  lineOf: (serial: string) => ReportingLine | undefined,
): Failure | undefined {
  const chain = [lineOf(serial)?.employeeID ?? serial];
  for (let above: string | null = managerSerial; above !== null; ) {
    const line = lineOf(above);
    chain.push(line?.employeeID ?? above);
    if (above === serial) return managerCycle(position, chain);
    if (chain.length > managersAboveMax + 1) return lineTooLong(position);
    above = line?.managerSerial ?? null;
  }
  return undefined;
}

/** Whether more managers are above a user than are followed. */
function isTooLong(serial: string, lineOf: (serial: string) => ReportingLine | undefined): boolean {
  let above = lineOf(serial)?.managerSerial ?? null;
  for (let level = 0; level < managersAboveMax; level++) {
    if (above === null) return false;
    above = lineOf(above)?.managerSerial ?? null;
  }
  return above !== null;
}

/** From the user to the manager and on, back to the user. Empty for those who may not know whose IDs these are. */
export function managerCycle(position: number | undefined, chain: readonly string[]): Failure {
  const through = chain.length === 0 ? '' : ` (${shortened(chain, 6).join(' → ')})`;
  return itemFailure(
    'USER_MANAGER_CYCLE',
    position,
    `the user would be their own manager${through}. Change the manager of someone in between first.`,
    { chain: shortened(chain, chainShownMax) },
  );
}

/** Each item of a call can have an error of its own, and a chain is as long as the organization is deep. */
function shortened(chain: readonly string[], max: number): string[] {
  return chain.length > max ? [...chain.slice(0, max - 2), '…', ...chain.slice(-1)] : [...chain];
}

function lineTooLong(position: number | undefined): Failure {
  const problem = `must not make a line of more than ${managersAboveMax} managers.`;
  return reject('USER_FIELD_INVALID', { position }, 'managerEmployeeID', problem).failure;
}

export function managerNotFound(position: number | undefined, managerEmployeeID: string): Failure {
  const inCall = position === undefined ? '' : ', and no later item of the call gives it to anyone';
  return itemFailure(
    'USER_MANAGER_NOT_FOUND',
    position,
    `nobody has the employee ID "${managerEmployeeID}" of the manager${inCall}.`,
    { managerEmployeeID },
  );
}

/** Items in files are in no particular order: a manager may be created, or get the employee ID, by a later item. */
export class ManagerTracker {
  readonly #stored: ReportingLines;
  readonly #changed = new Map<string, ReportingLine>();
  readonly #givers: ReadonlyMap<string, number>;
  readonly #pending: PendingManager[] = [];
  /** The last item that says something about a user's manager. */
  readonly #lastIndex = new Map<string, number>();
  readonly #isUsed: boolean;

  /** Not used if no item says anything about managers. */
  constructor(lines: ReportingLines, givers: ReadonlyMap<string, number>, isUsed: boolean) {
    this.#stored = lines;
    this.#givers = givers;
    this.#isUsed = isUsed;
  }

  readonly lineOf = (serial: string): ReportingLine | undefined =>
    this.#changed.get(serial) ?? this.#stored.get(serial);

  /** Whom an item means by the employee ID of the manager. */
  meant(
    change: UserChange,
    index: number,
    serialOf: (employeeID: string) => string | undefined,
  ): MeantManager {
    const { managerEmployeeID: wanted } = change;
    if (wanted === undefined) return { change };
    if (wanted === null) return { change: { ...change, managerSerial: null }, wanted };
    const managerSerial = serialOf(wanted);
    if (managerSerial !== undefined) return { change: { ...change, managerSerial }, wanted };
    return { change, wanted, isMissing: (this.#givers.get(wanted) ?? -1) <= index, isPending: true };
  }

  problem(
    position: number,
    serial: string,
    { change: { managerSerial }, wanted, isMissing }: MeantManager,
  ): Failure | undefined {
    if (isMissing && wanted != null) return managerNotFound(position, wanted);
    return wanted == null || managerSerial == null
      ? undefined
      : managerProblem(position, serial, managerSerial, this.lineOf);
  }

  /** A user as of this item. */
  note(user: StoredUser, index: number, { wanted, isPending }: MeantManager): void {
    if (!this.#isUsed) return;
    const { serial, employeeID, managerSerial } = user;
    this.#changed.set(serial, { employeeID, managerSerial });
    if (wanted === undefined) return;
    this.#lastIndex.set(serial, index);
    if (isPending && wanted !== null) this.#pending.push({ index, serial, managerEmployeeID: wanted });
  }

  /**
   * At the end, finds the managers that were missing. An item whose manager is still missing, or comes from an item that
   * fails for the same reason, fails as a whole; then everything has to be planned again without it.
   */
  settle(
    first: number,
    holderOf: (
      employeeID: string,
    ) => { readonly serial: string; readonly takenAt: number | undefined } | undefined,
  ): SettledManagers {
    const failures = new Map<number, Failure>();
    const managers = new Map<number, string>();
    const waitingFor = new Map<number, PendingManager[]>();
    const failing: number[] = [];
    const fail = (index: number, problem: Failure) => {
      if (!failures.has(index)) failing.push(index);
      failures.set(index, problem);
    };
    for (const pending of this.#pending) {
      const { index, serial, managerEmployeeID } = pending;
      const holder = holderOf(managerEmployeeID);
      if (!holder) {
        fail(index, managerNotFound(first + index, managerEmployeeID));
        continue;
      }
      const giver = holder.takenAt === undefined ? undefined : holder.takenAt - first;
      if (giver !== undefined) {
        const others = waitingFor.get(giver);
        if (others) others.push(pending);
        else waitingFor.set(giver, [pending]);
      }
      if (this.#lastIndex.get(serial) !== index) continue; // a later item has said otherwise
      const problem = managerProblem(first + index, serial, holder.serial, this.lineOf);
      if (problem) {
        fail(index, problem);
        continue;
      }
      managers.set(index, holder.serial);
      const line = this.lineOf(serial) as ReportingLine; // it was noted with the item
      this.#changed.set(serial, { ...line, managerSerial: holder.serial });
    }
    // Only now, the lines are complete.
    for (const { index, serial } of this.#pending)
      if (managers.has(index) && isTooLong(serial, this.lineOf)) fail(index, lineTooLong(first + index));
    for (const index of failing) {
      for (const { index: waiting, managerEmployeeID } of waitingFor.get(index) ?? [])
        fail(waiting, managerNotFound(first + waiting, managerEmployeeID));
    }
    const waiting = this.#pending.map(
      ({ index, managerEmployeeID }) => [index, managerNotFound(first + index, managerEmployeeID)] as const,
    );
    return { failures, managers, waiting: new Map(waiting) };
  }
}

export interface MeantManager {
  /** With the serial of the manager, as far as it is known. */
  readonly change: UserChange;
  /** The employee ID that the item has sent; undefined if it says nothing about the manager. */
  readonly wanted?: string | null;
  /** Nobody has it yet. */
  readonly isPending?: boolean;
  /** And no later item gives it to anyone. */
  readonly isMissing?: boolean;
}

interface PendingManager {
  readonly index: number;
  readonly serial: string;
  readonly managerEmployeeID: string;
}

/** Items that fail because of their managers, by index. */
export interface FailingManagers {
  readonly failures: ReadonlyMap<number, Failure>;
  /** As if none of the managers that were missing at first could be found. */
  readonly waiting: ReadonlyMap<number, Failure>;
}

/** After some rounds, everything that waits for a manager fails, so that no call can go on for long. */
const roundsMax = 20;

/** Rarely more than one round: an item that fails can be the one that made another succeed. */
export function replannedWithoutFailing<T, Plan extends object>(
  { items }: Pick<Chunk<T>, 'items'>,
  plan: (items: readonly Parsed<T>[]) => Plan | FailingManagers,
): Plan {
  let remaining = items;
  for (let round = 1; ; round++) {
    const planned = plan(remaining);
    if (!('failures' in planned)) return planned;
    const failures = round < roundsMax ? planned.failures : planned.waiting;
    remaining = remaining.map((item, index) => {
      const failure = failures.get(index);
      return failure ? { ok: false, failure } : item;
    });
  }
}

interface SettledManagers extends FailingManagers {
  /** The serials of the managers that were missing at first. */
  readonly managers: ReadonlyMap<number, string>;
}

/** The last item that gives each employee ID to somebody. */
export function giversOf<T>(
  items: readonly Parsed<T>[],
  givenBy: (item: T) => string | undefined,
): ReadonlyMap<string, number> {
  const givers = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    const employeeID = item.ok ? givenBy(item.value) : undefined;
    if (employeeID !== undefined) givers.set(employeeID, index);
  }
  return givers;
}

/** Whether an item names a manager who gets the employee ID only by a later item. */
export function hasForwardManager<T>(
  items: readonly Parsed<T>[],
  managerOf: (item: T) => string | null | undefined,
  givenBy: (item: T) => string | undefined,
): boolean {
  if (!items.some((item) => item.ok && managerOf(item.value))) return false;
  const givers = giversOf(items, givenBy);
  return items.some((item, index) => {
    const manager = item.ok ? managerOf(item.value) : undefined;
    return manager != null && (givers.get(manager) ?? -1) > index;
  });
}

/** A change of one user by the final state of a call. */
interface FinalChange {
  readonly serial: string;
  readonly position: number;
  readonly before: StoredUser | null;
  readonly after: StoredUser | null;
  /** The employee ID of the manager at the end of the call, if it is not known by serial. */
  readonly managerEmployeeID?: string | undefined;
}

export interface FinalManagers {
  /** Changes that fail because of their managers, by serial. */
  readonly rejections: ReadonlyMap<string, (position: number | undefined) => Failure>;
  /** The serials of the managers, by the serial of the user. */
  readonly managers: ReadonlyMap<string, string>;
}

/**
 * Who manages whom at the end of a call, given the changes that succeed otherwise. Whoever would manage themselves does
 * so because of several changes; the last of them fails.
 */
export function finalManagers(
  changes: readonly FinalChange[],
  stored: readonly StoredUser[],
  lines: ReportingLines,
): FinalManagers {
  const rejections = new Map<string, (position: number | undefined) => Failure>();
  const managers = new Map<string, string>();
  const moved = changes.filter(
    ({ before, after, managerEmployeeID }) =>
      managerEmployeeID !== undefined || (after && after.managerSerial !== (before?.managerSerial ?? null)),
  );
  if (moved.length === 0) return { rejections, managers };
  const changed = new Map(changes.map((change) => [change.serial, change]));
  const holders = new Map<string, string>();
  for (const { serial, employeeID } of stored) if (!changed.has(serial)) holders.set(employeeID, serial);
  for (const { serial, after } of changes) if (after) holders.set(after.employeeID, serial);
  for (const { serial, managerEmployeeID } of moved) {
    if (managerEmployeeID === undefined) continue;
    const manager = holders.get(managerEmployeeID);
    if (manager === undefined)
      rejections.set(serial, (position) => managerNotFound(position, managerEmployeeID));
    else managers.set(serial, manager);
  }
  if (rejections.size > 0) return { rejections, managers };
  const lineOf = (serial: string): ReportingLine | undefined => {
    const change = changed.get(serial);
    if (!change) return lines.get(serial);
    if (!change.after) return undefined;
    const { employeeID, managerSerial } = change.after;
    return { employeeID, managerSerial: managers.get(serial) ?? managerSerial };
  };
  const managerOf = (serial: string) => lineOf(serial)?.managerSerial ?? null;
  // Files often repeat the manager that a user has.
  const changing = moved.filter(
    ({ serial, before }) => managerOf(serial) !== (before?.managerSerial ?? null),
  );
  const changingBy = new Map(changing.map((change) => [change.serial, change]));
  for (const cycle of cyclesFrom(changing, managerOf)) {
    const last = cycle
      .flatMap((serial) => changingBy.get(serial) ?? [])
      .reduce((a, b) => (a.position > b.position ? a : b));
    const at = cycle.indexOf(last.serial);
    const chain = [...cycle.slice(at), ...cycle.slice(0, at), last.serial];
    const employeeIDs = chain.map((serial) => lineOf(serial)?.employeeID ?? serial);
    rejections.set(last.serial, (position) => managerCycle(position, employeeIDs));
  }
  if (rejections.size === 0)
    for (const { serial } of changing) if (isTooLong(serial, lineOf)) rejections.set(serial, lineTooLong);
  return { rejections, managers };
}

/** Everyone has at most one manager, so each walk upwards ends, or meets itself or an earlier one. */
function cyclesFrom(
  moved: readonly { readonly serial: string }[],
  managerOf: (serial: string) => string | null,
): string[][] {
  const walkOf = new Map<string, number>();
  const cycles: string[][] = [];
  for (const [walk, { serial }] of moved.entries()) {
    const path: string[] = [];
    let at: string | null = serial;
    for (; at !== null && !walkOf.has(at); at = managerOf(at)) {
      walkOf.set(at, walk);
      path.push(at);
    }
    if (at !== null && walkOf.get(at) === walk) cycles.push(path.slice(path.indexOf(at)));
  }
  return cycles;
}
