interface NameTake {
  readonly position: number;
  readonly serial: string;
}

export interface Departure {
  readonly position: number;
  readonly to: string;
}

/** What earlier items of a call did to names, so that a later failure can name the item that caused it. */
export interface NameHistory {
  readonly employeeIdTakes: Map<string, NameTake>;
  readonly usernameTakes: Map<string, NameTake>;
  /** Keyed by the old employee ID: which item renamed the user, and to what. */
  readonly departures: Map<string, Departure>;
}

type MemoryEntries = {
  readonly [Name in keyof NameHistory]: readonly (readonly [string, never])[];
};

/** Converts a history to JSON. The names of its properties are stored, so they stay. */
export function serializeNameHistory({ employeeIdTakes, usernameTakes, departures }: NameHistory): unknown {
  return {
    employeeIdTakes: [...employeeIdTakes],
    usernameTakes: [...usernameTakes],
    departures: [...departures],
  };
}

export function parseNameHistory(written: unknown): NameHistory {
  const { employeeIdTakes, usernameTakes, departures } = written as MemoryEntries;
  return {
    employeeIdTakes: new Map(employeeIdTakes),
    usernameTakes: new Map(usernameTakes),
    departures: new Map(departures),
  };
}

export function emptyNameHistory(): NameHistory {
  return { employeeIdTakes: new Map(), usernameTakes: new Map(), departures: new Map() };
}

/** Called once a plan is committed, so that later plans see its history. */
export function extendNameHistory(past: NameHistory, recent: NameHistory): void {
  for (const [name, take] of recent.employeeIdTakes) past.employeeIdTakes.set(name, take);
  for (const [name, take] of recent.usernameTakes) past.usernameTakes.set(name, take);
  for (const [name, departure] of recent.departures) past.departures.set(name, departure);
}
