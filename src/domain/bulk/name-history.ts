/** Which item took or released a name, and for which user. */
interface NameTake {
  readonly position: number;
  readonly serial: string;
}

export interface Rename {
  readonly position: number;
  readonly to: string;
}

/** What earlier items of a call did to names, so that a later failure can name the item that caused it. */
export interface NameHistory {
  readonly employeeIdTakes: Map<string, NameTake>;
  readonly usernameTakes: Map<string, NameTake>;
  /** Values of unique attributes, and sign-in names. */
  readonly uniqueNameTakes: Map<string, NameTake>;
  /** Keyed by the old employee ID: which item renamed the user, and to what. */
  readonly renames: Map<string, Rename>;
  /** Who gave up a name, for the quarantine. Empty if it is off. */
  readonly employeeIdReleases: Map<string, NameTake>;
  readonly usernameReleases: Map<string, NameTake>;
}

/** Stored in the database, where renames are called departures, and takes of unique names those of attributes. */
interface SerializedNameHistory {
  readonly employeeIdTakes: readonly (readonly [string, NameTake])[];
  readonly usernameTakes: readonly (readonly [string, NameTake])[];
  readonly attributeTakes?: readonly (readonly [string, NameTake])[];
  readonly departures: readonly (readonly [string, Rename])[];
  readonly employeeIdReleases?: readonly (readonly [string, NameTake])[];
  readonly usernameReleases?: readonly (readonly [string, NameTake])[];
}

export function serializeNameHistory(history: NameHistory): unknown {
  const { uniqueNameTakes, employeeIdReleases, usernameReleases } = history;
  const serialized: SerializedNameHistory = {
    employeeIdTakes: [...history.employeeIdTakes],
    usernameTakes: [...history.usernameTakes],
    departures: [...history.renames],
    ...(uniqueNameTakes.size > 0 && { attributeTakes: [...uniqueNameTakes] }),
    ...(employeeIdReleases.size > 0 && { employeeIdReleases: [...employeeIdReleases] }),
    ...(usernameReleases.size > 0 && { usernameReleases: [...usernameReleases] }),
  };
  return serialized;
}

export function parseNameHistory(stored: unknown): NameHistory {
  const serialized = stored as SerializedNameHistory;
  return {
    employeeIdTakes: new Map(serialized.employeeIdTakes),
    usernameTakes: new Map(serialized.usernameTakes),
    uniqueNameTakes: new Map(serialized.attributeTakes),
    renames: new Map(serialized.departures),
    employeeIdReleases: new Map(serialized.employeeIdReleases),
    usernameReleases: new Map(serialized.usernameReleases),
  };
}

export function emptyNameHistory(): NameHistory {
  return {
    employeeIdTakes: new Map(),
    usernameTakes: new Map(),
    uniqueNameTakes: new Map(),
    renames: new Map(),
    employeeIdReleases: new Map(),
    usernameReleases: new Map(),
  };
}

/** Called once a plan is committed, so that later plans see its history. */
export function extendNameHistory(past: NameHistory, recent: NameHistory): void {
  extend(past.employeeIdTakes, recent.employeeIdTakes);
  extend(past.usernameTakes, recent.usernameTakes);
  extend(past.uniqueNameTakes, recent.uniqueNameTakes);
  extend(past.renames, recent.renames);
  extend(past.employeeIdReleases, recent.employeeIdReleases);
  extend(past.usernameReleases, recent.usernameReleases);
}

function extend<T>(past: Map<string, T>, recent: ReadonlyMap<string, T>): void {
  for (const [name, entry] of recent) past.set(name, entry);
}
