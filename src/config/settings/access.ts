import { isEmail } from '../../contract/email.js';
import { type OwnField, ownFields, secondFactorPolicies } from '../../contract/enums.js';
import { type IssuerSettings, parseIssuers } from '../../contract/issuers.js';
import { fieldLimits, tokenLifetimeMaxSeconds } from '../../contract/limits.js';
import { choice, onOrOff, optionalSecret, type Setting, wholeNumber } from '../kinds.js';

function secretKey(name: string, description: string): Setting<string | undefined> {
  return {
    ...optionalSecret(name, 'key', description),
    expects: '32 bytes in Base64',
    parse: (value) =>
      /^[A-Za-z0-9+/_-]+={0,2}$/.test(value) && Buffer.from(value, 'base64').length === 32
        ? value
        : undefined,
  };
}

/** Keys, the first client and administrator, tokens and sessions. */
export const accessSettings = {
  secretKey: secretKey(
    'ROLLCALL_SECRET_KEY',
    'Key that encrypts signing keys, webhook secrets and passwords waiting to be sent (`openssl rand -base64 32`), the same on all nodes. Unset: each node creates its own. See [security/keys.md](security/keys.md).',
  ),
  secretKeyPrevious: secretKey(
    'ROLLCALL_SECRET_KEY_PREVIOUS',
    'Previous secret key, needed until `rollcall keys rewrap` has run.',
  ),
  bootstrapClientId: {
    name: 'ROLLCALL_BOOTSTRAP_CLIENT_ID',
    description:
      'ID of the first client, instead of a generated one. Requires `ROLLCALL_BOOTSTRAP_CLIENT_SECRET`.',
    fallback: undefined,
    valueName: 'id',
    expects: '1 to 64 characters from a-z, A-Z, 0-9, ".", "_" and "-"',
    parse: (value: string) => (/^[A-Za-z0-9._-]{1,64}$/.test(value) ? value : undefined),
  } satisfies Setting<string | undefined>,
  bootstrapClientSecret: {
    ...optionalSecret(
      'ROLLCALL_BOOTSTRAP_CLIENT_SECRET',
      'secret',
      'Secret of the first client, applied at every start. Use at least 32 random characters.',
    ),
    expects: '1 to 256 printable ASCII characters',
    parse: (value: string) => (/^[\x21-\x7e]{1,256}$/.test(value) ? value : undefined),
  } satisfies Setting<string | undefined>,
  adminUsername: {
    name: 'ROLLCALL_ADMIN_USERNAME',
    description: 'Username and employee ID of the first administrator. Choose one that is hard to guess.',
    fallback: 'admin',
    valueName: 'username',
    expects: `1 to ${fieldLimits.usernameMaxLength} characters from a-z, A-Z and 0-9`,
    parse: (value: string) =>
      /^[A-Za-z0-9]+$/.test(value) && value.length <= fieldLimits.usernameMaxLength ? value : undefined,
  } satisfies Setting<string>,
  adminEmail: {
    name: 'ROLLCALL_ADMIN_EMAIL',
    description: 'Email address of the first administrator.',
    fallback: 'admin@localhost',
    valueName: 'email',
    expects: 'an email address',
    parse: (value: string) => (isEmail(value) ? value : undefined),
  } satisfies Setting<string>,
  issuers: {
    name: 'ROLLCALL_ISSUERS',
    description:
      'OIDC issuers whose tokens are accepted, as a JSON array. See [operating.md](operating.md#external-issuers).',
    fallback: [],
    valueName: 'json',
    canBeFile: true,
    expects: 'a JSON array of issuers',
    parse: (value: string) => {
      const parsed = parseIssuers(value);
      return parsed.ok ? parsed.issuers : undefined;
    },
    problem: (value: string) => {
      const parsed = parseIssuers(value);
      return parsed.ok ? '' : parsed.problem;
    },
  } satisfies Setting<readonly IssuerSettings[]>,
  userEditableFields: {
    name: 'ROLLCALL_USER_EDITABLE_FIELDS',
    description:
      'What users may change of their own account, separated by commas: `name`, `email`, `phone`. Leave out what a feed or an identity provider maintains.',
    fallback: new Set<OwnField>(),
    valueName: 'fields',
    expects: `fields separated by commas, out of ${ownFields.join(', ')}`,
    parse: (value: string) => {
      const names = value
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '');
      const known = ownFields.filter((field) => names.includes(field));
      return known.length === new Set(names).size ? new Set(known) : undefined;
    },
  } satisfies Setting<ReadonlySet<OwnField>>,
  secondFactor: choice(
    'ROLLCALL_SECOND_FACTOR',
    secondFactorPolicies,
    'off',
    'Who needs a [second factor](sign-in.md#second-factors) besides a password: nobody (`off`), users with a role (`roles`) or `everyone`. Whoever has added one is asked for it in any case.',
  ),
  openIdProvider: choice(
    'ROLLCALL_OPENID_PROVIDER',
    onOrOff,
    'off',
    'Whether users can sign in to [applications](sign-in.md#applications) of the company with their account here, by OpenID Connect. Requires `ROLLCALL_PUBLIC_URL` with https.',
  ),
  tokenLifetimeSeconds: wholeNumber(
    'ROLLCALL_TOKEN_LIFETIME_SECONDS',
    3_600,
    60,
    tokenLifetimeMaxSeconds,
    'Lifetime of client access tokens, in seconds.',
  ),
  sessionLifetimeSeconds: wholeNumber(
    'ROLLCALL_SESSION_LIFETIME_SECONDS',
    43_200,
    60,
    2_592_000,
    'How long users stay signed in, in seconds.',
  ),
  sessionIdleSeconds: wholeNumber(
    'ROLLCALL_SESSION_IDLE_SECONDS',
    7_200,
    60,
    2_592_000,
    'Seconds without use after which users are signed out.',
  ),
  proofMinutes: wholeNumber(
    'ROLLCALL_PROOF_MINUTES',
    10,
    0,
    1_440,
    'Minutes after which users prove again who they are before sensitive operations. 0 never asks again.',
  ),
} as const;
