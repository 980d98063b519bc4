import { bearer, isRollcallError, RequestFailed, type Rollcall } from '#client';
import { printMessage } from '../output.js';
import { CommandProblem } from '../problem.js';
import { askSecret, canAsk } from '../terminal/prompt.js';
import { briefRetry, clientAt } from './connect.js';
import { endSession } from './end-session.js';
import { readSecret } from './secret-input.js';
import type { StoredLogin } from './stored-login.js';

/** Signs a user in. Only the session is stored, not the password. */
export async function logInUser(url: string, username: string): Promise<StoredLogin> {
  const password = await readSecret('Password', 'password');
  const { body } = await clientAt(url, { retry: briefRetry })
    .call('signIn', { body: { username, password } })
    .catch((error: unknown) => {
      // A session whose token was lost expires by itself, so there is nothing to check.
      if (error instanceof RequestFailed) error.outcomeUnknown = false;
      if (!isRollcallError(error, 'ACCESS_SIGN_IN_FAILED')) throw error;
      throw new CommandProblem(
        'refused',
        `${error.detail} If ${username} is a client ID, run \`rollcall login --client-id ${username}\`.`,
        { cause: error },
      );
    });
  const { accessToken: token, expiresIn, mustChangePassword } = body.data;
  const login = { url, username, token, endsAt: new Date(Date.now() + expiresIn * 1_000).toISOString() };
  if (!mustChangePassword) return login;
  try {
    if (!canAsk()) throw passwordChangeRequired(url, username);
    await choosePassword(clientAt(url, { auth: bearer(token), retry: briefRetry }), password);
  } catch (error) {
    await endSession(login);
    throw error;
  }
  return login;
}

function passwordChangeRequired(url: string, username: string): CommandProblem {
  return new CommandProblem(
    'refused',
    `This is an initial password, which ${username} has to change first. Run \`rollcall login --username ${username}\` in a terminal, or sign in at ${url}.`,
  );
}

/** Prompts until the service accepts a password. The session stays valid. */
async function choosePassword(rollcall: Rollcall, currentPassword: string): Promise<void> {
  printMessage('This is an initial password. Choose a new one:');
  for (;;) {
    const newPassword = await askSecret('New password');
    if (newPassword !== (await askSecret('Repeat new password'))) {
      printMessage('The passwords do not match. Try again:');
      continue;
    }
    try {
      await rollcall.call('changePassword', { body: { currentPassword, newPassword } });
      printMessage('Password changed.');
      return;
    } catch (error) {
      if (!isRollcallError(error, 'ACCESS_PASSWORD_REFUSED', 'REQUEST_BODY_INVALID')) throw error;
      printMessage(`${error.detail} Try again:`);
    }
  }
}
