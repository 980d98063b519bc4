import { type Auth, bearer, createClient, isRollcallError, type Rollcall } from '#client';
import { printMessage } from '../output.js';
import { askSecret, canAsk } from '../terminal/prompt.js';
import { askCode } from './second-factor.js';
import { type StoredSession, storeLogin } from './stored-login.js';

/**
 * The token of a user's session. When it is refused although the session goes on, the command is sensitive and asks for
 * the password again.
 */
export function sessionAuth(login: StoredSession): Auth {
  let { token } = login;
  return () => async (refused) => {
    const asked = { ...login, token };
    if (refused === token && canAsk() && (await goesOn(asked))) token = await prove(asked);
    return token;
  };
}

function clientOf({ url, token }: StoredSession): Rollcall {
  return createClient({ baseUrl: url, auth: bearer(token), retry: { attemptsMax: 3 } });
}

async function goesOn(login: StoredSession): Promise<boolean> {
  const me = clientOf(login).call('getMe');
  return me.then(
    () => true,
    () => false,
  );
}

async function prove(login: StoredSession): Promise<string> {
  printMessage(`This needs the password of ${login.username} again.`);
  const password = await askSecret('Password');
  const rollcall = clientOf(login);
  const { body } = await rollcall.call('prove', { body: { password } }).catch(async (error: unknown) => {
    if (!isRollcallError(error, 'ACCESS_FACTOR_REQUIRED')) throw error;
    return rollcall.call('prove', { body: { password, code: await askCode() } });
  });
  const token = body.data.accessToken ?? login.token;
  storeLogin({ ...login, token });
  return token;
}
