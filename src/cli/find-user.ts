import { type Rollcall, RollcallError, type Schemas } from '#client';

export interface SerialOption {
  /** Users are named by their serials instead of their employee IDs. */
  readonly serial?: boolean | undefined;
}

/** The user whom an argument names. */
export async function findUser(
  rollcall: Rollcall,
  id: string,
  { serial }: SerialOption,
): Promise<Schemas['User']> {
  if (serial) return (await rollcall.call('getUser', { path: { serial: id } })).body.data;
  const { body } = await rollcall.call('listUsers', { query: { employeeID: id, limit: 1 } });
  const [user] = body.data.items;
  if (user) return user;
  // In the words of the service, so that scripts meet the same error either way.
  const detail = `No user has the employee ID "${id}".`;
  throw new RollcallError(404, { name: 'USER_NOT_FOUND', code: 10102, detail });
}

/** What operations on one user want; nothing is asked where it is known already. */
export async function serialOf(rollcall: Rollcall, id: string, options: SerialOption): Promise<string> {
  return options.serial ? id : (await findUser(rollcall, id, options)).serial;
}
