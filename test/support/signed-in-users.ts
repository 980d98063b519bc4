import type { Role } from '../../src/contract/scopes.js';
import { newId, type TestService } from './service.js';

export interface SignedInUser {
  readonly serial: string;
  readonly employeeID: string;
  readonly username: string;
  readonly password: string;
  /** The token of a session. */
  readonly token: string;
}

/** A user who has signed in with the initial password and has to change it. */
export async function givenNewcomer(
  service: TestService,
  overrides: Record<string, unknown> = {},
): Promise<SignedInUser> {
  const username = newId('u');
  const password = `initial ${username}`;
  const user = await service.givenUser({ username, password, ...overrides });
  const reply = await service.signIn(username, password);
  if (reply.status !== 200) throw new Error(`could not sign in: ${reply.text}`);
  return {
    serial: user.serial,
    employeeID: user.employeeID,
    username,
    password,
    token: reply.json.data.accessToken,
  };
}

/** A user who has signed in and changed the password, with or without a role. */
export async function givenSignedInUser(
  service: TestService,
  role: Role | null = null,
  overrides: Record<string, unknown> = {},
): Promise<SignedInUser> {
  const newcomer = await givenNewcomer(service, overrides);
  const password = `chosen by ${newcomer.username}`;
  const changed = await service.post(
    '/service/auth/change-password',
    { currentPassword: newcomer.password, newPassword: password },
    { token: newcomer.token },
  );
  if (changed.status !== 200) throw new Error(`could not change the password: ${changed.text}`);
  const { accessToken } = changed.json.data; // the session goes on with another token
  if (role === null) return { ...newcomer, password, token: accessToken };
  const body = { role };
  const set = await service.request('PUT', `/service/users/${newcomer.serial}/role`, { body });
  if (set.status !== 200) throw new Error(`could not set the role: ${set.text}`);
  const again = await service.signIn(newcomer.username, password); // a new role ends sessions
  return { ...newcomer, password, token: again.json.data.accessToken };
}
