interface FieldChange {
  readonly before?: unknown;
  readonly after?: unknown;
}

/** A user in a report, which contains no names. */
export interface ReportedUser {
  readonly employeeID: string;
  /** Missing for users who were not changed. */
  readonly serial?: string;
  /** What has changed, or would. */
  readonly fields?: { readonly employeeID?: FieldChange; readonly name?: FieldChange };
}

export type UserNames = (user: ReportedUser) => string | undefined;

/** A list that grows asks only for what is new. */
const usersPerRequest = 100;

export interface NamedUser {
  readonly serial: string;
  readonly employeeID: string;
  readonly name: string;
}

/** Prefers the serial, because the change may have given the employee ID to someone else. */
export function namesIn(found: readonly NamedUser[]): UserNames {
  const bySerial = new Map(found.map(({ serial, name }) => [serial, name]));
  const byEmployeeID = new Map(found.map(({ employeeID, name }) => [employeeID, name]));
  return ({ serial, employeeID, fields }) =>
    (serial === undefined ? byEmployeeID.get(employeeID) : bySerial.get(serial)) ?? nameIn(fields);
}

/** Users who have been removed can't be looked up. */
function nameIn(fields: ReportedUser['fields']): string | undefined {
  return [fields?.name?.after, fields?.name?.before].find((name) => typeof name === 'string');
}

/** In requests of a limited size. */
export function employeeIDsToRead(users: readonly ReportedUser[], atOnce = usersPerRequest): string[][] {
  const requests = Math.ceil(users.length / atOnce);
  return Array.from({ length: requests }, (_, index) => {
    const chunk = users.slice(index * atOnce, (index + 1) * atOnce);
    return [...new Set(chunk.flatMap(employeeIDsOf))];
  });
}

/** Both before and after a change, because it may or may not have been made yet. */
function employeeIDsOf({ employeeID, fields }: ReportedUser): string[] {
  const { before, after } = fields?.employeeID ?? {};
  return [employeeID, before, after].filter((id) => typeof id === 'string').filter((id) => id !== '');
}
