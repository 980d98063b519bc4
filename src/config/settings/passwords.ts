import { choice, internal, type Setting, wholeNumber } from '../kinds.js';

const initialPasswords = ['message', 'link'] as const;
const initialPasswordRules = ['any', 'full'] as const;

/** Which passwords are accepted, and how they are hashed. */
export const passwordSettings = {
  refusedPasswords: {
    name: 'ROLLCALL_REFUSED_PASSWORDS',
    description:
      'Passwords that users cannot choose, besides common ones: one per line, case-insensitive, such as a list of breached passwords.',
    fallback: new Set<string>(),
    valueName: 'passwords',
    canBeFile: true,
    isSecret: true,
    expects: 'one password per line',
    parse: (value: string) =>
      new Set(value.split(/\r?\n/).map((line) => line.normalize('NFKC').toLowerCase())),
  } satisfies Setting<ReadonlySet<string>>,
  companyNames: {
    name: 'ROLLCALL_COMPANY_NAME',
    description:
      'Comma-separated names, aliases and brands of your company: `Acme Corporation, ACME`. Users cannot choose passwords based on them. See [operating.md](operating.md#passwords).',
    fallback: [],
    valueName: 'names',
    expects: 'names separated by commas',
    parse: (value: string) =>
      value
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== ''),
  } satisfies Setting<readonly string[]>,
  initialPassword: choice(
    'ROLLCALL_INITIAL_PASSWORD',
    initialPasswords,
    'message',
    'What new users, and users whose password was reset, are sent: an initial password (`message`), or a `link` with which they choose their own.',
  ),
  initialPasswordLifetimeHours: wholeNumber(
    'ROLLCALL_INITIAL_PASSWORD_LIFETIME_HOURS',
    168,
    1,
    8_760,
    'Hours until an unused initial password, or the link to choose one, expires.',
  ),
  initialPasswordRules: choice(
    'ROLLCALL_INITIAL_PASSWORD_RULES',
    initialPasswordRules,
    'any',
    'Rules for passwords given on create: `any` accepts 1 to 128 characters; `full` requires 8 to 128 characters and refuses common passwords, the username and the employee ID.',
  ),
  argon2MemoryKib: wholeNumber(
    'ROLLCALL_ARGON2_MEMORY_KIB',
    19_456,
    8_192,
    4_194_304,
    'Memory per password hash (argon2id), in KiB. `rollcall password calibrate` suggests a value.',
  ),
  argon2Passes: wholeNumber('ROLLCALL_ARGON2_PASSES', 2, 1, 100, 'Passes per password hash (argon2id).'),
  /** Passwords that one node hashes concurrently. 0 means one per core, up to 4; more require a larger UV_THREADPOOL_SIZE. */
  passwordHashesAtOnce: internal(wholeNumber('ROLLCALL_PASSWORD_HASHES_AT_ONCE', 0, 0, 64, '')),
} as const;
