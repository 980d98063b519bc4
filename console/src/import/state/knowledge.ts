/** A user of the service. */
export interface KnownUser {
  readonly serial: string;
  readonly employeeID: string;
  readonly name: string;
}

/** What the service was asked about the file. */
export interface Knowledge {
  /** How many digits nearly all employee IDs have. */
  readonly usualDigits?: number | undefined;
  /** Who has an email address, by the address in lower case. Undefined if nobody has it. */
  readonly emailOwners: ReadonlyMap<string, KnownUser | undefined>;
  /** Who had an employee ID before, and has another one now, by the former one. Undefined if nobody did. */
  readonly formerHolders: ReadonlyMap<string, KnownUser | undefined>;
}
