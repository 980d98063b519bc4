import { bearer, isRollcallError, RequestFailed, type Rollcall } from '#client';
import { say } from '../output.js';
import { CommandProblem } from '../problem.js';
import { askSecret, canAsk } from '../terminal/prompt.js';
import { brieflyTried, clientAt } from './connect.js';
import { readSecret } from './secret-input.js';
import { endSession } from './session-end.js';
import type { StoredLogin } from './stored-login.js';

/** Signs somebody in. What is kept is the session; the password is forgotten. */
export async function logInPerson(url: string, username: string): Promise<StoredLogin> {
  const password = await readSecret('Password', 'password');
  const { body } = await clientAt(url, { retry: brieflyTried })
    .call('signIn', { body: { username, password } })
    .catch((error: unknown) => {
      // A session whose token never came ends by itself: there is nothing to look after.
      if (error instanceof RequestFailed) error.outcomeUnknown = false;
      if (!isRollcallError(error, 'ACCESS_SIGN_IN_FAILED')) throw error;
      throw new CommandProblem(
        'refused',
        `${error.detail} If ${username} is the ID of a client: \`rollcall login --client-id ${username}\`.`,
        { cause: error },
      );
    });
  const { accessToken: token, expiresIn, mustChangePassword } = body.data;
  const login = { url, username, token, endsAt: new Date(Date.now() + expiresIn * 1_000).toISOString() };
  if (!mustChangePassword) return login;
  try {
    if (!canAsk()) throw mustChoose(url, username);
    await choosePassword(clientAt(url, { auth: bearer(token), retry: brieflyTried }), password);
  } catch (error) {
    await endSession(login);
    throw error;
  }
  return login;
}

function mustChoose(url: string, username: string): CommandProblem {
  return new CommandProblem(
    'refused',
    `This is an initial password, and ${username} has to choose another first: run \`rollcall login --username ${username}\` on a terminal, or sign in at ${url}.`,
  );
}

/** Asks until the service takes one. The session goes on with the new password. */
async function choosePassword(rollcall: Rollcall, currentPassword: string): Promise<void> {
  say('This is an initial password. Choose one of your own:');
  for (;;) {
    const newPassword = await askSecret('New password');
    if (newPassword !== (await askSecret('New password again'))) {
      say('These two are not the same. Once more:');
      continue;
    }
    try {
      await rollcall.call('changePassword', { body: { currentPassword, newPassword } });
      say('Your password is changed.');
      return;
    } catch (error) {
      if (!isRollcallError(error, 'ACCESS_PASSWORD_REFUSED', 'REQUEST_BODY_INVALID')) throw error;
      say(`${error.detail} Once more:`);
    }
  }
}
