interface NameTake {
  readonly position: number;
  readonly serial: string;
}

export interface Departure {
  readonly position: number;
  readonly to: string;
}

/** What earlier items of a call did to names, so that a later failure can be traced to the item that caused it. */
export interface NameHistory {
  readonly employeeIdTakes: Map<string, NameTake>;
  readonly usernameTakes: Map<string, NameTake>;
  /** By the employee ID that was left: which item renamed its holder, and to what. */
  readonly departures: Map<string, Departure>;
}

type MemoryEntries = {
  readonly [Name in keyof NameHistory]: readonly (readonly [string, never])[];
};

/** A memory as JSON, and back. */
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

/** To be called once a plan is committed: its memory becomes the past of the plans that follow. */
export function extendNameHistory(past: NameHistory, recent: NameHistory): void {
  for (const [name, take] of recent.employeeIdTakes) past.employeeIdTakes.set(name, take);
  for (const [name, take] of recent.usernameTakes) past.usernameTakes.set(name, take);
  for (const [name, departure] of recent.departures) past.departures.set(name, departure);
}
