import { readFileSync } from 'node:fs';
import { emailField } from './contract/fields.js';
import { type LimitName, type Limits, limitDefaults } from './contract/limits.js';

/**
 * All configuration: one table of settings, read from the environment. `docs/configuration.md` is generated from it.
 */
interface Setting<T> {
  readonly name: string;
  readonly description: string;
  readonly fallback: T;
  /** Can also be given as a file, by the name with _FILE behind it. */
  readonly isSecret?: boolean;
  /** Says what a good value is, for the message about a bad one. */
  readonly expects: string;
  parse(text: string): T | undefined;
}

function text(name: string, fallback: string, description: string): Setting<string> {
  return { name, description, fallback, expects: 'a text', parse: (value) => value };
}

function optionalSecret(name: string, description: string): Setting<string | undefined> {
  return {
    name,
    description,
    fallback: undefined,
    isSecret: true,
    expects: 'a text',
    parse: (value) => value,
  };
}

function wholeNumber(
  name: string,
  fallback: number,
  min: number,
  max: number,
  description: string,
): Setting<number> {
  return {
    name,
    description,
    fallback,
    expects: `a whole number from ${min} to ${max}`,
    parse: (value) => {
      const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
      return number >= min && number <= max ? number : undefined;
    },
  };
}

function choice<T extends string>(
  name: string,
  values: readonly T[],
  fallback: T,
  description: string,
): Setting<T> {
  return {
    name,
    description,
    fallback,
    expects: `one of ${values.join(', ')}`,
    parse: (value) => values.find((candidate) => candidate === value),
  };
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const logFormats = ['auto', 'json', 'pretty'] as const;

const settings = {
  host: text(
    'HOST',
    'localhost',
    'The address to listen on; `0.0.0.0` for every interface, as in a container.',
  ),
  port: wholeNumber('PORT', 8080, 0, 65_535, 'The port to listen on; 0 takes any free one.'),
  databaseUrl: {
    ...optionalSecret(
      'DATABASE_URL',
      'The PostgreSQL (15 to 18) to use, as `postgres://user:password@host:5432/database`. Unset: the embedded database in the data directory.',
    ),
    expects: 'a URL that begins with postgres:// or postgresql://',
    parse: (value: string) => (/^postgres(ql)?:\/\//.test(value) && URL.canParse(value) ? value : undefined),
  } satisfies Setting<string | undefined>,
  dataDir: text(
    'ROLLCALL_DATA_DIR',
    './data',
    'Where the embedded database and the first credentials are kept.',
  ),
  publicUrl: {
    name: 'ROLLCALL_PUBLIC_URL',
    description:
      'The address callers reach the service at, and the issuer of its tokens: the same on all nodes.',
    fallback: 'http://localhost:8080',
    expects: 'a URL that begins with http:// or https://',
    parse: (value: string) =>
      /^https?:\/\//.test(value) && URL.canParse(value) ? value.replace(/\/+$/, '') : undefined,
  } satisfies Setting<string>,
  bootstrapClientId: {
    name: 'ROLLCALL_BOOTSTRAP_CLIENT_ID',
    description: 'With the secret: the ID of the first client, instead of a generated one.',
    fallback: undefined,
    expects: '1 to 64 characters out of a-z, A-Z, 0-9, ".", "_" and "-"',
    parse: (value: string) => (/^[A-Za-z0-9._-]{1,64}$/.test(value) ? value : undefined),
  } satisfies Setting<string | undefined>,
  bootstrapClientSecret: {
    ...optionalSecret(
      'ROLLCALL_BOOTSTRAP_CLIENT_SECRET',
      'The secret of the first client; set again at every start, so that a new value takes effect. Use 32 or more random characters.',
    ),
    expects: '1 to 256 printable ASCII characters',
    parse: (value: string) => (/^[\x21-\x7e]{1,256}$/.test(value) ? value : undefined),
  } satisfies Setting<string | undefined>,
  adminEmail: {
    name: 'ROLLCALL_ADMIN_EMAIL',
    description: 'The email of the administrator that the first start creates.',
    fallback: 'admin@localhost',
    expects: 'an email address',
    parse: (value: string) => (emailField.accepts(value) ? value : undefined),
  } satisfies Setting<string>,
  tokenLifetimeSeconds: wholeNumber(
    'ROLLCALL_TOKEN_LIFETIME_SECONDS',
    3_600,
    60,
    86_400,
    'How long an access token is valid.',
  ),
  logLevel: choice('LOG_LEVEL', logLevels, 'info', 'The least severe level that is logged.'),
  logFormat: choice(
    'ROLLCALL_LOG_FORMAT',
    logFormats,
    'auto',
    '`json` for machines, `pretty` for people; `auto` is pretty on a terminal.',
  ),
} as const;

const limitDescriptions: Record<LimitName, string> = {
  bulkItemsMax: 'Items in one bulk call.',
  bulkChunkItems: 'Items in one transaction of a bulk call.',
  raceAttemptsMax: 'Attempts at work that keeps losing races against other calls.',
  bulkBodyMaxBytes: 'Bytes in the body of a bulk call.',
  bodyMaxBytes: 'Bytes in the body of any other request.',
  headersMaxBytes: 'Bytes in the headers of a request.',
  headersTimeoutMs: 'Milliseconds for the headers of a request to arrive.',
  requestTimeoutMs: 'Milliseconds for a whole request to arrive.',
  keepAliveTimeoutMs: 'Milliseconds an idle connection is kept open.',
  connectionsMax: 'Open connections; more are closed at once.',
  requestsPerMinuteMax: 'Requests per minute of one client to one node.',
  tokenRequestsPerMinuteMax: 'Token requests per minute of one address to one node.',
  poolConnectionsMax: 'Connections of one node to PostgreSQL.',
  connectTimeoutMs: 'Milliseconds to wait for a connection to PostgreSQL.',
  statementTimeoutMs: 'Milliseconds for one statement in PostgreSQL.',
  lockTimeoutMs: 'Milliseconds to wait for a lock in PostgreSQL.',
  shutdownTimeoutMs: 'Milliseconds for running requests to end when the service stops.',
};

/** `bulkItemsMax` is set by ROLLCALL_BULK_ITEMS_MAX, and so on. */
function limitSetting(limit: LimitName): Setting<number> {
  const name = `ROLLCALL_${limit.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
  return wholeNumber(name, limitDefaults[limit], 1, 2 ** 31 - 1, limitDescriptions[limit]);
}

const limitSettings = (Object.keys(limitDefaults) as LimitName[]).map((limit) => ({
  limit,
  setting: limitSetting(limit),
}));

/** Every setting, for the documentation. */
export const allSettings: readonly Setting<unknown>[] = [
  ...Object.values(settings),
  ...limitSettings.map(({ setting }) => setting),
];

export interface Config {
  readonly host: string;
  readonly port: number;
  readonly databaseUrl: string | undefined;
  readonly dataDir: string;
  readonly publicUrl: string;
  readonly bootstrapClient: { readonly id: string; readonly secret: string } | undefined;
  readonly adminEmail: string;
  readonly tokenLifetimeSeconds: number;
  readonly logLevel: (typeof logLevels)[number];
  readonly logFormat: (typeof logFormats)[number];
  readonly limits: Limits;
}

/** The configuration is wrong: every problem is one sentence, so that all can be mended in one go. */
export class ConfigInvalid extends Error {
  override readonly name = 'ConfigInvalid';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

export function readConfig(environment: Environment): Config {
  const problems: string[] = unknownNames(environment).map(unknownName);
  const read = <T>(setting: Setting<T>): T => readSetting(setting, environment, problems);

  const id = read(settings.bootstrapClientId);
  const secret = read(settings.bootstrapClientSecret);
  if ((id === undefined) !== (secret === undefined)) {
    problems.push('ROLLCALL_BOOTSTRAP_CLIENT_ID and ROLLCALL_BOOTSTRAP_CLIENT_SECRET must be set together.');
  }
  const config: Config = {
    host: read(settings.host),
    port: read(settings.port),
    databaseUrl: read(settings.databaseUrl),
    dataDir: read(settings.dataDir),
    publicUrl: read(settings.publicUrl),
    bootstrapClient: id !== undefined && secret !== undefined ? { id, secret } : undefined,
    adminEmail: read(settings.adminEmail),
    tokenLifetimeSeconds: read(settings.tokenLifetimeSeconds),
    logLevel: read(settings.logLevel),
    logFormat: read(settings.logFormat),
    limits: Object.fromEntries(
      limitSettings.map(({ limit, setting }) => [limit, read(setting)]),
    ) as unknown as Limits,
  };
  if (problems.length > 0) throw new ConfigInvalid(problems);
  return config;
}

function readSetting<T>(setting: Setting<T>, environment: Environment, problems: string[]): T {
  const given = givenText(setting, environment, problems);
  if (given === undefined || given === '') return setting.fallback;
  const value = setting.parse(given);
  if (value !== undefined) return value;
  const shown = setting.isSecret ? '' : `; "${given}" is not`;
  problems.push(`${setting.name} must be ${setting.expects}${shown}.`);
  return setting.fallback;
}

function givenText(
  setting: Setting<unknown>,
  environment: Environment,
  problems: string[],
): string | undefined {
  const direct = environment[setting.name];
  const file = setting.isSecret ? environment[`${setting.name}_FILE`] : undefined;
  if (!file) return direct;
  if (direct) {
    problems.push(`${setting.name} and ${setting.name}_FILE are both set; keep one of them.`);
    return direct;
  }
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    problems.push(
      `${setting.name}_FILE names ${file}, which cannot be read (${(error as NodeJS.ErrnoException).code}).`,
    );
    return undefined;
  }
}

const knownNames = allSettings.flatMap(({ name, isSecret }) => (isSecret ? [name, `${name}_FILE`] : [name]));

function unknownNames(environment: Environment): string[] {
  return Object.keys(environment).filter(
    (name) => name.startsWith('ROLLCALL_') && !knownNames.includes(name),
  );
}

function unknownName(name: string): string {
  const nearest = knownNames
    .map((known) => ({ known, distance: editDistance(name, known) }))
    .sort((a, b) => a.distance - b.distance)[0];
  const hint = nearest && nearest.distance <= 5 ? ` Did you mean ${nearest.known}?` : '';
  return `${name} is not a setting of Rollcall.${hint}`;
}

/** Levenshtein's: how many letters have to be changed, added or removed. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
