import { type Rollcall, RollcallError, type Schemas } from '#client';

/** Employee IDs of users that a list knows only by serial. */
export interface UserNames {
  load(serial: string): Promise<void>;
  /** Falls back to the serial. */
  of(serial: string): string;
}

/** Each lookup is a request. Beyond this many, a list shows serials. */
const lookupsMax = 200;

export function createUserNames(rollcall: Rollcall): UserNames {
  const known = new Map<string, string>();
  return {
    load: async (serial) => {
      if (!known.has(serial) && known.size < lookupsMax)
        known.set(serial, await employeeIdOf(rollcall, serial));
    },
    of: (serial) => known.get(serial) ?? serial,
  };
}

/** The user may be deleted or not readable, which must not break the list. */
async function employeeIdOf(rollcall: Rollcall, serial: string): Promise<string> {
  try {
    return (await rollcall.call('getUser', { path: { serial } })).body.data.employeeID;
  } catch (error) {
    if (error instanceof RollcallError && error.status < 500) return serial;
    throw error;
  }
}

/** Loads the names for each item before yielding it. */
export async function* withNames<T>(
  items: AsyncIterable<T>,
  names: UserNames,
  serialsOf: (item: T) => readonly string[],
): AsyncGenerator<T, void, void> {
  for await (const item of items) {
    for (const serial of serialsOf(item)) await names.load(serial);
    yield item;
  }
}

export type Actor = { readonly kind: string; readonly id: string } | null;

export function serialsOfActor(actor: Actor): string[] {
  return actor?.kind === 'person' ? [actor.id] : [];
}

/** A client's ID or a user's employee ID; empty for the service itself. */
export function formatActor(actor: Actor, names: UserNames): string {
  return actor === null ? '' : names.of(actor.id);
}

export interface SerialOption {
  /** The given IDs are serials instead of employee IDs. */
  readonly serial?: boolean | undefined;
}

export async function findUser(
  rollcall: Rollcall,
  id: string,
  { serial }: SerialOption,
): Promise<Schemas['User']> {
  if (serial) return (await rollcall.call('getUser', { path: { serial: id } })).body.data;
  const { body } = await rollcall.call('listUsers', { query: { employeeID: id, limit: 1 } });
  const [user] = body.data.items;
  if (user) return user;
  // The same error as from the service, so that scripts can rely on it.
  const detail = `No user has the employee ID "${id}".${await whoHadIt(rollcall, id)}`;
  throw new RollcallError(404, { name: 'USER_NOT_FOUND', code: 10102, detail });
}

async function whoHadIt(rollcall: Rollcall, id: string): Promise<string> {
  const { body } = await rollcall.call('listUsers', { query: { formerEmployeeID: id, limit: 2 } });
  const [user, another] = body.data.items;
  if (another)
    return ` Several users had it before: "rollcall users list --former-employee-id ${id}" lists them.`;
  return user ? ` It was changed to "${user.employeeID}".` : '';
}

export async function serialOf(rollcall: Rollcall, id: string, options: SerialOption): Promise<string> {
  return options.serial ? id : (await findUser(rollcall, id, options)).serial;
}
