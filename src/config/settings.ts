import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { isEmail } from '../contract/email.js';
import { type IssuerSettings, parseIssuers } from '../contract/issuers.js';
import { fieldLimits, type LimitName, limitDefaults, tokenLifetimeMaxSeconds } from '../contract/limits.js';
import { type AllowedHost, parseAllowedHost } from '../contract/webhook-hosts.js';
import {
  choice,
  optionalSecret,
  optionalSecretUrl,
  optionalText,
  type Setting,
  text,
  wholeNumber,
} from './kinds.js';

const databasePoolings = ['auto', 'none', 'transaction'] as const;
const webhookTargets = ['public', 'any'] as const;
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const logFormats = ['auto', 'json', 'pretty'] as const;
const initialPasswordRules = ['any', 'full'] as const;
const onOrOff = ['on', 'off'] as const;

const countOfWorkers = wholeNumber(
  'ROLLCALL_WORKERS',
  1,
  1,
  256,
  'Processes that share the port, or `auto` for one per core; more than one need `DATABASE_URL`. See [operating.md](operating.md#multiple-workers).',
);

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

/** All configuration but the limits, in the order of the documentation, which is generated from it. */
export const settings = {
  host: text(
    'HOST',
    'localhost',
    'address',
    'The address to listen on; `0.0.0.0` for every interface, as in a container.',
  ),
  port: wholeNumber('PORT', 8080, 0, 65_535, 'The port to listen on; 0 takes any free one.'),
  workers: {
    ...countOfWorkers,
    valueName: 'count',
    expects: `${countOfWorkers.expects}, or auto`,
    parse: (value: string) => (value === 'auto' ? availableParallelism() : countOfWorkers.parse(value)),
  } satisfies Setting<number>,
  databaseUrl: optionalSecretUrl(
    'DATABASE_URL',
    ['postgres', 'postgresql'],
    'The PostgreSQL (15 to 18) to use, as `postgres://user:password@host:5432/database`. Unset: the embedded database in the data directory.',
  ),
  databasePooling: choice(
    'ROLLCALL_DATABASE_POOLING',
    databasePoolings,
    'auto',
    'Whether a transaction pooler such as PgBouncer stands before PostgreSQL: `auto` finds out, `none` and `transaction` say so. See [operating.md](operating.md#behind-pgbouncer).',
  ),
  dataDir: text(
    'ROLLCALL_DATA_DIR',
    './data',
    'directory',
    'Where the embedded database, the first credentials, the key and the outbox are kept.',
  ),
  publicUrl: {
    name: 'ROLLCALL_PUBLIC_URL',
    description:
      'The address callers reach the service at, and the issuer of its tokens: the same on all nodes. Unset: where it listens, such as `http://localhost:8080`.',
    fallback: undefined,
    valueName: 'url',
    expects: 'a URL that begins with http:// or https://, of a host and perhaps a plain path',
    parse: (value: string) => {
      if (!/^https?:\/\//.test(value) || !URL.canParse(value)) return undefined;
      const { username, password, search, hash, pathname } = new URL(value);
      const isPlain = username + password + search + hash === '' && /^[A-Za-z0-9._~/-]*$/.test(pathname);
      return isPlain ? value.replace(/[?#]+$/, '').replace(/\/+$/, '') : undefined;
    },
  } satisfies Setting<string | undefined>,
  trustedProxies: {
    name: 'ROLLCALL_TRUSTED_PROXIES',
    description:
      'Addresses or networks of proxies, separated by commas, whose X-Forwarded-For tells the address of a caller. Sign-ins are slowed down by that address.',
    fallback: [],
    valueName: 'networks',
    expects: 'IP addresses or networks like 10.0.0.0/8, separated by commas',
    parse: (value: string) => {
      const networks = value.split(',').map((entry) => entry.trim());
      return networks.every(isNetwork) ? networks : undefined;
    },
  } satisfies Setting<readonly string[]>,
  docs: choice(
    'ROLLCALL_DOCS',
    onOrOff,
    'on',
    'Whether the API describes itself to everyone: the page at `/docs`, and `/openapi.json`.',
  ),
  securityContact: {
    name: 'ROLLCALL_SECURITY_CONTACT',
    description:
      'Where to report vulnerabilities, for `/.well-known/security.txt`: an email address, or a URI that begins with `https://`, `mailto:` or `tel:`. Unset: no such file.',
    fallback: undefined,
    valueName: 'contact',
    expects: 'an email address, or a URI that begins with https://, mailto: or tel:',
    parse: (value: string) => {
      if (isEmail(value)) return `mailto:${value}`;
      return /^(?:https:\/\/|mailto:|tel:)[\x21-\x7e]+$/.test(value) && URL.canParse(value)
        ? value
        : undefined;
    },
  } satisfies Setting<string | undefined>,
  secretKey: secretKey(
    'ROLLCALL_SECRET_KEY',
    'The key that signing keys, webhook secrets and passwords waiting to be sent are encrypted with: 32 bytes in Base64 (`openssl rand -base64 32`), the same on all nodes. Unset: a key is created in the data directory, and signing keys are not encrypted. See [security/keys.md](security/keys.md).',
  ),
  secretKeyPrevious: secretKey(
    'ROLLCALL_SECRET_KEY_PREVIOUS',
    'The secret key before the current one, while it is being replaced: what it encrypted can be read until `rollcall keys rewrap` has run.',
  ),
  bootstrapClientId: {
    name: 'ROLLCALL_BOOTSTRAP_CLIENT_ID',
    description: 'With the secret: the ID of the first client, instead of a generated one.',
    fallback: undefined,
    valueName: 'id',
    expects: '1 to 64 characters out of a-z, A-Z, 0-9, ".", "_" and "-"',
    parse: (value: string) => (/^[A-Za-z0-9._-]{1,64}$/.test(value) ? value : undefined),
  } satisfies Setting<string | undefined>,
  bootstrapClientSecret: {
    ...optionalSecret(
      'ROLLCALL_BOOTSTRAP_CLIENT_SECRET',
      'secret',
      'The secret of the first client; set again at every start, so that a new value takes effect. Use 32 or more random characters.',
    ),
    expects: '1 to 256 printable ASCII characters',
    parse: (value: string) => (/^[\x21-\x7e]{1,256}$/.test(value) ? value : undefined),
  } satisfies Setting<string | undefined>,
  adminUsername: {
    name: 'ROLLCALL_ADMIN_USERNAME',
    description:
      'The username and employee ID of the administrator that the first start creates. Choose one that is not easily guessed.',
    fallback: 'admin',
    valueName: 'username',
    expects: `1 to ${fieldLimits.usernameMaxLength} characters out of a-z, A-Z and 0-9`,
    parse: (value: string) =>
      /^[A-Za-z0-9]+$/.test(value) && value.length <= fieldLimits.usernameMaxLength ? value : undefined,
  } satisfies Setting<string>,
  adminEmail: {
    name: 'ROLLCALL_ADMIN_EMAIL',
    description: 'The email of the administrator that the first start creates.',
    fallback: 'admin@localhost',
    valueName: 'email',
    expects: 'an email address',
    parse: (value: string) => (isEmail(value) ? value : undefined),
  } satisfies Setting<string>,
  issuers: {
    name: 'ROLLCALL_ISSUERS',
    description:
      'OIDC issuers whose tokens are accepted, as a JSON array; see [operating.md](operating.md#external-issuers).',
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
  tokenLifetimeSeconds: wholeNumber(
    'ROLLCALL_TOKEN_LIFETIME_SECONDS',
    3_600,
    60,
    tokenLifetimeMaxSeconds,
    'How long an access token of a client is valid.',
  ),
  sessionLifetimeSeconds: wholeNumber(
    'ROLLCALL_SESSION_LIFETIME_SECONDS',
    43_200,
    60,
    2_592_000,
    'How long a person stays signed in.',
  ),
  refusedPasswords: {
    name: 'ROLLCALL_REFUSED_PASSWORDS',
    description:
      'Passwords nobody may choose, beside the bundled list of common ones: one per line, compared without regard to case. Meant for a file with a list of breached passwords.',
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
      'The name of your company, and aliases or brands, separated by commas: `Acme Corporation, ACME`. People cannot choose passwords built around them; see [operating.md](operating.md#passwords).',
    fallback: [],
    valueName: 'names',
    expects: 'names separated by commas',
    parse: (value: string) =>
      value
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== ''),
  } satisfies Setting<readonly string[]>,
  initialPasswordLifetimeHours: wholeNumber(
    'ROLLCALL_INITIAL_PASSWORD_LIFETIME_HOURS',
    168,
    1,
    8_760,
    'How long an initial password works unused.',
  ),
  initialPasswordRules: choice(
    'ROLLCALL_INITIAL_PASSWORD_RULES',
    initialPasswordRules,
    'any',
    'What a password given on create has to obey: `any` text of 1 to 128 characters, or the `full` rules: 8 to 128 characters, not a common password, not the username or employee ID.',
  ),
  argon2MemoryKib: wholeNumber(
    'ROLLCALL_ARGON2_MEMORY_KIB',
    19_456,
    8_192,
    4_194_304,
    'Memory of one password hash (argon2id); `rollcall password calibrate` helps to choose.',
  ),
  argon2Passes: wholeNumber('ROLLCALL_ARGON2_PASSES', 2, 1, 100, 'Passes of one password hash (argon2id).'),
  passwordHashesAtOnce: wholeNumber(
    'ROLLCALL_PASSWORD_HASHES_AT_ONCE',
    0,
    0,
    64,
    'Passwords hashed at the same time by one node; 0: as many as there are cores, 4 at most. More need a larger UV_THREADPOOL_SIZE.',
  ),
  smtpUrl: optionalSecretUrl(
    'SMTP_URL',
    ['smtp', 'smtps'],
    'The mail server, as `smtp://user:password@host:587` or `smtps://…:465`. Unset: mails are written to `outbox/` in the data directory.',
    (url) => url.hostname !== '',
  ),
  mailFrom: {
    name: 'ROLLCALL_MAIL_FROM',
    description: 'The sender of mails: an address, or `Name <address>`.',
    fallback: 'Rollcall <rollcall@localhost>',
    valueName: 'sender',
    expects: 'an email address, or a name with one in <>',
    parse: (value: string) => {
      const [, address = value] = /^[^<>\p{C}]*<([^<>]+)>$/u.exec(value) ?? [];
      return isEmail(address) ? value : undefined;
    },
  } satisfies Setting<string>,
  smsGatewayUrl: optionalSecretUrl(
    'SMS_GATEWAY_URL',
    ['http', 'https'],
    'Takes a POST of `{"id", "to", "text"}` for people with a phone and no email. Unset: as with mails, the outbox.',
  ),
  smsGatewayToken: {
    ...optionalSecret('SMS_GATEWAY_TOKEN', 'token', 'Sent to the gateway as a bearer token.'),
    expects: 'printable ASCII characters without spaces',
    parse: (value: string) => (/^[\x21-\x7e]+$/.test(value) ? value : undefined),
  } satisfies Setting<string | undefined>,
  templatesDir: optionalText(
    'ROLLCALL_TEMPLATES_DIR',
    'directory',
    'A directory whose files replace the templates of messages of the same name.',
  ),
  changeNotices: choice(
    'ROLLCALL_CHANGE_NOTICES',
    onOrOff,
    'on',
    'Whether users are told, at the address they had before, that their email, username, password or role changed.',
  ),
  deliveriesAtOnce: wholeNumber(
    'ROLLCALL_DELIVERIES_AT_ONCE',
    4,
    0,
    64,
    'Messages this node sends at the same time; 0 leaves the sending to other nodes.',
  ),
  accessEventsDays: wholeNumber(
    'ROLLCALL_ACCESS_EVENTS_DAYS',
    365,
    1,
    36_500,
    'Days for which sign-ins and changes of access are kept on record, and deliveries that are done.',
  ),
  webhookTargets: choice(
    'ROLLCALL_WEBHOOK_TARGETS',
    webhookTargets,
    'public',
    'Where webhooks may go: `public` addresses by https, or `any`, also by http and inside your own network.',
  ),
  webhookHosts: {
    name: 'ROLLCALL_WEBHOOK_HOSTS',
    description:
      'The only hosts webhooks may go to, separated by commas: `hooks.example.com`, `*.example.com` for all its subdomains, `hooks.example.com:8443` for another port. Unset: any host. Webhooks to other hosts stop.',
    fallback: [],
    valueName: 'hosts',
    expects: 'hosts like hooks.example.com, *.example.com or hooks.example.com:8443, separated by commas',
    parse: (value: string) => {
      const hosts = value.split(',').map((entry) => parseAllowedHost(entry.trim()));
      return hosts.every((host) => host !== undefined) ? hosts : undefined;
    },
  } satisfies Setting<readonly AllowedHost[]>,
  webhooksAtOnce: wholeNumber(
    'ROLLCALL_WEBHOOKS_AT_ONCE',
    16,
    0,
    64,
    'Webhooks this node delivers to at the same time; 0 leaves the delivery to other nodes.',
  ),
  changesDays: wholeNumber(
    'ROLLCALL_CHANGES_DAYS',
    730,
    4,
    36_500,
    'Days for which the change log is kept. What is older cannot be undone or sent to webhooks any more.',
  ),
  bulkBrakePercent: wholeNumber(
    'ROLLCALL_BULK_BRAKE_PERCENT',
    0,
    0,
    100,
    'The share of all users that one bulk call may deactivate or rename without `?confirm=`; 0 for any.',
  ),
  logLevel: choice('LOG_LEVEL', logLevels, 'info', 'The least severe level that is logged.'),
  logFormat: choice(
    'ROLLCALL_LOG_FORMAT',
    logFormats,
    'auto',
    '`json` for machines, `pretty` for people; `auto` is pretty on a terminal.',
  ),
} as const;

function isNetwork(value: string): boolean {
  const [, address = '', bits] = /^([0-9a-fA-F.:]+)(?:\/(\d{1,3}))?$/.exec(value) ?? [];
  const version = isIP(address);
  const size = Number(bits ?? 1); // a network of all addresses would trust every caller
  return version !== 0 && size >= 1 && size <= (version === 4 ? 32 : 128);
}

const limitDescriptions: Record<LimitName, string> = {
  bulkItemsMax: 'Items in one bulk call.',
  bulkChunkItems: 'Items in one transaction of a bulk call.',
  bulkConnectionsMax: 'Connections that one bulk call uses while nobody else needs them.',
  createsTogetherMax: 'Creates that are written by one statement when they come at the same time.',
  callLeaseMs:
    'Milliseconds after the last sign of life of its node until a bulk call that came with an Idempotency-Key can be gone on with.',
  idempotencyKeyHours: 'Hours for which an Idempotency-Key is remembered.',
  raceAttemptsMax: 'Attempts at work that keeps losing races against other calls.',
  bulkBodyMaxBytes: 'Bytes in the body of a bulk call.',
  bodyMaxBytes: 'Bytes in the body of any other request.',
  headersMaxBytes: 'Bytes in the headers of a request.',
  headersTimeoutMs: 'Milliseconds for the headers of a request to arrive.',
  requestTimeoutMs: 'Milliseconds for a whole request to arrive.',
  keepAliveTimeoutMs: 'Milliseconds an idle connection is kept open.',
  connectionsMax: 'Open connections; more are closed at once.',
  requestsPerMinuteMax: 'Requests per minute of one client or outside subject, over all nodes; 0 for any.',
  personRequestsPerMinuteMax: 'Requests per minute of one person, over all nodes; 0 for any.',
  searchesPerMinuteMax:
    'Pages of lists and searches, and lookups, per minute of one client or person, over all nodes; 0 for any.',
  anonymousRequestsPerMinuteMax:
    'Requests without a valid token per minute from one address (one /64 network of IPv6), over all nodes; 0 for any.',
  tokenRequestsPerMinuteMax: 'Token requests per minute from one address, over all nodes; 0 for any.',
  signInRequestsPerMinuteMax: 'Sign-ins per minute from one address, over all nodes; 0 for any.',
  signInFreeFailures: 'Failed sign-ins of one name before the next has to wait.',
  signInFreeFailuresPerAddress: 'Failed sign-ins from one address before the next has to wait.',
  signInDelayMaxSeconds: 'The longest wait before the next sign-in, in seconds.',
  passwordHashesWaitingMax: 'Passwords waiting to be hashed by one node; more get 503.',
  deliveriesPerMinuteMax: 'Messages sent per minute, over all nodes.',
  deliveryAttemptsMax: 'Attempts at one message before it is parked.',
  deliveryPauseMs: 'Milliseconds before the second attempt at a message; doubled for each further one.',
  deliveryPauseMaxMs: 'The longest pause between two attempts at a message, in milliseconds.',
  deliveryTimeoutMs: 'Milliseconds for one attempt at a message. After twice that another node may try.',
  deliveryPollMs: 'Milliseconds between looks for messages to send.',
  webhookTimeoutMs: 'Milliseconds for a receiver of webhooks to answer.',
  webhookPauseMs: 'Milliseconds before the second attempt at a webhook; doubled for each further one.',
  webhookPauseMaxMs: 'The longest pause between two attempts at a webhook, in milliseconds.',
  webhookGiveUpHours: 'Hours of failure after which a webhook is disabled.',
  eventPollMs: 'Milliseconds between looks at the change log for webhooks and event streams.',
  eventStreamsMax: 'Event streams that one node serves at the same time.',
  eventHoldMs: 'Milliseconds a request for events waits while the service starts.',
  poolConnectionsMax: 'Connections of one node to PostgreSQL.',
  connectTimeoutMs: 'Milliseconds to wait for a connection to PostgreSQL.',
  statementTimeoutMs: 'Milliseconds for one statement in PostgreSQL.',
  lockTimeoutMs: 'Milliseconds to wait for a lock in PostgreSQL.',
  shutdownTimeoutMs: 'Milliseconds for running requests to end when the service stops.',
};

/** `bulkItemsMax` is set by ROLLCALL_BULK_ITEMS_MAX, and so on. How often callers may come can be left open, with 0. */
function limitSetting(limit: LimitName): Setting<number> {
  const name = `ROLLCALL_${limit.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
  const min = limit.endsWith('PerMinuteMax') && limit !== 'deliveriesPerMinuteMax' ? 0 : 1;
  return wholeNumber(name, limitDefaults[limit], min, 2 ** 31 - 1, limitDescriptions[limit]);
}

export const limitSettings = (Object.keys(limitDefaults) as LimitName[]).map((limit) => ({
  limit,
  setting: limitSetting(limit),
}));

/** Every setting, for the documentation and the command line. */
export const allSettings: readonly Setting<unknown>[] = [
  ...Object.values(settings),
  ...limitSettings.map(({ setting }) => setting),
];
