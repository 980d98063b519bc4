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
  /** Keyed by the old employee ID: which item renamed the user, and to what. */
  readonly renames: Map<string, Rename>;
}

/** Stored in the database, where renames are called departures. */
interface SerializedNameHistory {
  readonly employeeIdTakes: readonly (readonly [string, NameTake])[];
  readonly usernameTakes: readonly (readonly [string, NameTake])[];
  readonly departures: readonly (readonly [string, Rename])[];
}

export function serializeNameHistory({ employeeIdTakes, usernameTakes, renames }: NameHistory): unknown {
  const serialized: SerializedNameHistory = {
    employeeIdTakes: [...employeeIdTakes],
    usernameTakes: [...usernameTakes],
    departures: [...renames],
  };
  return serialized;
}

export function parseNameHistory(stored: unknown): NameHistory {
  const { employeeIdTakes, usernameTakes, departures } = stored as SerializedNameHistory;
  return {
    employeeIdTakes: new Map(employeeIdTakes),
    usernameTakes: new Map(usernameTakes),
    renames: new Map(departures),
  };
}

export function emptyNameHistory(): NameHistory {
  return { employeeIdTakes: new Map(), usernameTakes: new Map(), renames: new Map() };
}

/** Called once a plan is committed, so that later plans see its history. */
export function extendNameHistory(past: NameHistory, recent: NameHistory): void {
  for (const [name, take] of recent.employeeIdTakes) past.employeeIdTakes.set(name, take);
  for (const [name, take] of recent.usernameTakes) past.usernameTakes.set(name, take);
  for (const [name, rename] of recent.renames) past.renames.set(name, rename);
}
