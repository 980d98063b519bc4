/** A user to create, with every field except the password. */
export interface NewUser {
  readonly employeeID: string;
  readonly name: string;
  readonly username: string;
  readonly email: string;
  readonly phone: string;
  readonly isActive: boolean;
  readonly tagSerials: readonly string[];
  readonly organizationSerial: string;
}

let made = 0;

/** Users that don't exist yet. */
export function newUsers(count: number): NewUser[] {
  return Array.from({ length: count }, () => {
    const number = ++made;
    return {
      employeeID: `N${number}`,
      name: 'Margaret Hamilton',
      username: `new${number}`,
      email: `new${number}@example.com`,
      phone: `+49 89 ${1_000_000 + number}`,
      isActive: true,
      tagSerials: [`TAG${number % 50}`, `TAG${(number + 1) % 50}`],
      organizationSerial: `ORG${number % 200}`,
    };
  });
}

/** What the change log stores for a create. */
export function createdLogText(user: NewUser): string {
  return JSON.stringify(
    Object.fromEntries(Object.entries(user).map(([field, after]) => [field, { before: null, after }])),
  );
}
