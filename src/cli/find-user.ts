import { type Rollcall, RollcallError, type Schemas } from '#client';

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
