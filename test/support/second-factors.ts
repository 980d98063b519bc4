import { Secret, TOTP } from 'otpauth';
import type { Role } from '../../src/contract/scopes.js';
import { type Site, TestPasskey } from './passkeys.js';
import type { TestService } from './service.js';
import { givenSignedInUser, type SignedInUser } from './signed-in-users.js';

/** For services whose public URL this is. */
export const passkeySite: Site & { readonly settings: { readonly ROLLCALL_PUBLIC_URL: string } } = {
  rpId: 'people.example.com',
  origin: 'https://people.example.com',
  settings: { ROLLCALL_PUBLIC_URL: 'https://people.example.com' },
};

const period = 30;

/** An authenticator app. Its codes are of now, or of some steps earlier or later. */
export class TestApp {
  readonly #totp: TOTP;

  constructor(secret: string) {
    this.#totp = new TOTP({ secret: Secret.fromBase32(secret) });
  }

  code(stepsLater = 0): string {
    return this.#totp.generate({ timestamp: Date.now() + stepsLater * period * 1_000 });
  }

  /** A code that would not be accepted now. */
  wrongCode(): string {
    const right = [-2, -1, 0, 1, 2].map((step) => this.code(step));
    return ['000000', '111111', '222222', '333333', '444444', '555555'].find(
      (code) => !right.includes(code),
    ) as string;
  }
}

export interface UserWithApp extends SignedInUser {
  readonly app: TestApp;
  readonly factorId: string;
  readonly recoveryCodes: readonly string[];
}

/** A user with an authenticator app, whose session has given it. */
export async function givenUserWithApp(service: TestService, role: Role | null = null): Promise<UserWithApp> {
  const user = await givenSignedInUser(service, role);
  return { ...user, ...(await addApp(service, user.token)) };
}

/** The code that it takes can be used again, so that tests don't have to wait for the next one. */
export async function addApp(service: TestService, token: string) {
  const started = await service.post('/service/me/factors/totp', { name: 'Phone' }, { token });
  if (started.status !== 201) throw new Error(`could not start: ${started.text}`);
  const app = new TestApp(started.json.data.secret);
  const confirmed = await service.post('/service/me/factors/totp/confirm', { code: app.code() }, { token });
  if (confirmed.status !== 201) throw new Error(`could not confirm: ${confirmed.text}`);
  const { accessToken, factor, recoveryCodes } = confirmed.json.data;
  await service.database.pool.query('UPDATE factors SET last_step = NULL WHERE id = $1', [factor.id]);
  return {
    app,
    token: accessToken as string,
    factorId: factor.id as string,
    recoveryCodes: recoveryCodes as string[],
  };
}

/** The token of a session that waits for the second factor. */
export async function signInByPassword(
  service: TestService,
  { username, password }: Pick<SignedInUser, 'username' | 'password'>,
): Promise<string> {
  const reply = await service.signIn(username, password);
  if (reply.status !== 200) throw new Error(`could not sign in: ${reply.text}`);
  return reply.json.data.accessToken;
}

export function giveCode(service: TestService, token: string, code: string) {
  return service.post('/service/auth/factor', { code }, { token });
}

/** A passkey of the site in the settings, registered for the user of the session. */
export async function addPasskey(
  service: TestService,
  token: string,
  passkey = new TestPasskey(passkeySite),
) {
  const { options } = (await service.post('/service/me/factors/passkeys/options', undefined, { token })).json
    .data;
  const reply = await service.post(
    '/service/me/factors/passkeys',
    { passkey: passkey.create(options), name: 'Laptop' },
    { token },
  );
  return { passkey, reply, token: reply.json.data?.accessToken as string };
}

/** The options of a sign-in, with a challenge of their own. */
export async function passkeyOptions(service: TestService): Promise<{ readonly challenge: string }> {
  return (await service.post('/service/auth/passkey/options', undefined, { token: null })).json.data.options;
}

export function signInWithPasskey(service: TestService, passkey: object) {
  return service.post('/service/auth/passkey/sign-in', { passkey }, { token: null });
}
