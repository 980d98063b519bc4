import { isRollcallError, type Rollcall } from '#client';
import { printMessage } from '../output.js';
import { CommandProblem } from '../problem.js';
import { ask, canAsk } from '../terminal/prompt.js';

/** Codes work once and end with the minute, so that they may be seen. */
export function askCode(): Promise<string> {
  return ask('Code from your authenticator app, or a recovery code');
}

/** The second step of a sign-in. Returns the token with which the session goes on. */
export async function giveFactor(rollcall: Rollcall, given: string | undefined): Promise<string> {
  if (given === undefined && !canAsk()) {
    throw new CommandProblem('wrongUse', 'This user has a second factor. Pass its code with --code.');
  }
  for (let code = given; ; code = undefined) {
    try {
      const { body } = await rollcall.call('giveFactor', { body: { code: code ?? (await askCode()) } });
      return body.data.accessToken ?? '';
    } catch (error) {
      if (!isRollcallError(error, 'ACCESS_FACTOR_CODE_WRONG') || !canAsk()) throw error;
      printMessage(`${error.detail} Try again:`);
    }
  }
}

/** Passkeys and QR codes need a browser. */
export function enrolmentRequired(url: string): CommandProblem {
  return new CommandProblem(
    'refused',
    `Your company requires a second factor, and you have none yet. Sign in at ${url} to add one, then log in here.`,
  );
}
