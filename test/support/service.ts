import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, inject } from 'vitest';
import { type Environment, readConfig } from '../../src/config.js';
import type { Scope } from '../../src/contract/scopes.js';
import { createLogger } from '../../src/logger.js';
import { type RunningService, startService } from '../../src/main.js';
import { copyEmptyDatabase } from './embedded-directory.js';
import { timed } from './setup-costs.js';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
  readonly json: any;
}

export interface RequestOptions {
  readonly body?: unknown;
  /** Sent as is, instead of `body`. */
  readonly rawBody?: string | Buffer;
  readonly headers?: Record<string, string>;
  /** null sends no Authorization header. */
  readonly token?: string | null;
}

/** The real service over real HTTP, on the database of the current project. */
export class TestService {
  readonly #running: RunningService;
  readonly #logs: string[];
  readonly dataDir: string;
  readonly token: string;

  private constructor(running: RunningService, dataDir: string, token: string, logs: string[]) {
    this.#running = running;
    this.dataDir = dataDir;
    this.token = token;
    this.#logs = logs;
  }

  static start(environment: Environment = {}, start = startService): Promise<TestService> {
    return timed('start service', () => TestService.#start(environment, start));
  }

  static async #start(environment: Environment, start: typeof startService): Promise<TestService> {
    const dataDir = mkdtempSync(join(tmpdir(), 'rollcall-test-'));
    const config = readConfig({
      HOST: '127.0.0.1',
      PORT: '0',
      ROLLCALL_PUBLIC_URL: 'http://localhost:8080', // one issuer for all nodes and restarts, whose ports differ
      ROLLCALL_DATA_DIR: dataDir,
      // The minimum, because test users have nothing to protect.
      ROLLCALL_ARGON2_MEMORY_KIB: '8192',
      ROLLCALL_ARGON2_PASSES: '1',
      // All tests sign in from one address.
      ROLLCALL_SIGN_IN_REQUESTS_PER_MINUTE_MAX: '0',
      ROLLCALL_SIGN_IN_FREE_FAILURES_PER_ADDRESS: '1000000',
      ROLLCALL_DELIVERIES_AT_ONCE: '0', // tests create thousands of users; those about deliveries turn it on
      ROLLCALL_WEBHOOKS_AT_ONCE: '0', // the same for webhooks, whose receivers don't exist
      ...(inject('engine') === 'postgres' && !('DATABASE_URL' in environment)
        ? { DATABASE_URL: await createDatabase() }
        : {}),
      ...environment,
    });
    if (config.databaseUrl === undefined && config.dataDir === dataDir) {
      await timed('copy database', () => copyEmptyDatabase(dataDir));
    }
    const logs: string[] = [];
    const logger = createLogger({ ...config, logLevel: 'debug' }, { write: (line) => void logs.push(line) });
    const running = await start(config, logger);
    await running.ready;
    // That commits reach the disk is tested in test/reliability. Here, waiting for it would only be slow.
    if (config.databaseUrl === undefined) {
      await running.context.database.pool.query('SET synchronous_commit = off');
    }
    const token = await issueToken(running.url, credentialsIn(dataDir, config.bootstrapClient));
    return new TestService(running, dataDir, token, logs);
  }

  get url(): string {
    return this.#running.url;
  }

  get context() {
    return this.#running.context;
  }

  get database() {
    return this.context.database;
  }

  get app() {
    return this.#running.app;
  }

  /** Every line logged so far. */
  get logs(): string {
    return this.#logs.join('');
  }

  async stop(): Promise<void> {
    await this.#running.stop();
    rmSync(this.dataDir, { recursive: true, force: true, maxRetries: 10 });
  }

  tokenFor(...scopes: Scope[]): Promise<string> {
    return issueToken(this.url, credentialsIn(this.dataDir), scopes.join(' '));
  }

  async request(method: string, path: string, options: RequestOptions = {}): Promise<Reply> {
    const { body, rawBody, headers, token = this.token } = options;
    const payload = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(`${this.url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(payload === undefined ? {} : { body: payload as string }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: jsonOrNothing(text) };
  }

  get(path: string, options?: RequestOptions): Promise<Reply> {
    return this.request('GET', path, options);
  }

  post(path: string, body: unknown, options?: RequestOptions): Promise<Reply> {
    return this.request('POST', path, { body, ...options });
  }

  /** Creates a user. Returns the fields sent, with the serial. */
  async givenUser(overrides: Record<string, unknown> = {}): Promise<GivenUser> {
    const user = aUser(overrides);
    const reply = await this.post('/service/users', user);
    if (reply.status !== 201) throw new Error(`the user was not created: ${reply.text}`);
    return { ...user, serial: reply.json.data.serial };
  }

  /** Signs in and returns the reply as is. */
  signIn(username: unknown, password: unknown): Promise<Reply> {
    return this.post('/service/auth/sign-in', { username, password }, { token: null });
  }

  /** The user without what is planned for them, which no other reply has. */
  async readUser(serial: string): Promise<Record<string, unknown>> {
    const { managers: _, upcomingChanges: __, ...user } = await this.readUserWithPlans(serial);
    return user;
  }

  async readUserWithPlans(serial: string): Promise<Record<string, unknown>> {
    return (await this.get(`/service/users/${serial}`)).json.data;
  }

  updateBulk(items: unknown, query = ''): Promise<Reply> {
    return this.post(`/service/users/update-bulk${query}`, { items });
  }

  upsertBulk(items: unknown, query = ''): Promise<Reply> {
    return this.post(`/service/users/upsert-bulk${query}`, { items });
  }

  createBulk(items: unknown, query = ''): Promise<Reply> {
    return this.post(`/service/users/create-bulk${query}`, { items });
  }
}

export interface GivenUser {
  readonly [field: string]: unknown;
  readonly serial: string;
  readonly employeeID: string;
  readonly name: string;
}

const shared = new Map<string, Promise<TestService>>();

/** Starting takes seconds on the embedded database, so each worker starts one service for all its files. */
export function sharedService(environment: Environment): Promise<TestService> {
  const key = JSON.stringify(environment);
  const started =
    shared.get(key) ??
    TestService.start(environment).then((service) => {
      process.once('exit', () => rmSync(service.dataDir, { recursive: true, force: true, maxRetries: 10 }));
      return service;
    });
  shared.set(key, started);
  return started;
}

/** The shared service, for tests that use only users of their own. Has default settings unless others are given. */
export function useService(environment: Environment = {}): TestService {
  let service: TestService | undefined;
  beforeAll(async () => {
    service = await sharedService(environment);
  });
  return standIn(() => service);
}

/** A service for one file only: with other settings, or for tests that affect all users. */
export function useOwnService(environment: Environment = {}): TestService {
  let service: TestService | undefined;
  beforeAll(async () => {
    service = await TestService.start(environment);
  });
  afterAll(async () => {
    await service?.stop();
  });
  return standIn(() => service);
}

/** Lets a file refer to its service before it runs. */
function standIn(service: () => TestService | undefined): TestService {
  return new Proxy({} as TestService, {
    get: (_, property) => {
      const running = service();
      if (!running) throw new Error('the service is not running yet');
      const value = Reflect.get(running, property, running);
      return typeof value === 'function' ? value.bind(running) : value;
    },
  });
}

/** A valid create object with a unique employee ID. */
export function aUser(
  overrides: Record<string, unknown> = {},
): Record<string, unknown> & { employeeID: string; name: string } {
  return {
    employeeID: newId(),
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    isActive: true,
    ...overrides,
  };
}

/** A bulk update item that changes only the given fields. */
export function anItem(user: { employeeID: string; name: string }, overrides: Record<string, unknown> = {}) {
  return { employeeID: user.employeeID, name: user.name, isActive: true, ...overrides };
}

let ids = 0;
const run = randomBytes(3).toString('hex');

/** An employee ID or username that no other test uses. */
export function newId(prefix = 'E'): string {
  return `${prefix}${run}${++ids}`;
}

/** A new database on the test server, in which nothing has been migrated yet. */
export function createEmptyDatabase(): Promise<string> {
  return createDatabase('template1');
}

/** A new database on the test server: migrated, unless another template is named. */
export async function createDatabase(template = inject('postgresTemplate')): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const server = new pg.Client({ connectionString: inject('postgresUrl') });
  await server.connect();
  await timed('copy database', () =>
    server.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`),
  );
  await server.end();
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  return url.href;
}

export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

export function credentialsIn(dataDir: string, injected?: { id: string; secret: string }): ClientCredentials {
  if (injected) return { clientId: injected.id, clientSecret: injected.secret };
  return JSON.parse(readFileSync(join(dataDir, 'first-credentials.json'), 'utf8'));
}

export async function issueToken(
  url: string,
  { clientId, clientSecret }: ClientCredentials,
  scope?: string,
): Promise<string> {
  const response = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
      ...(scope === undefined ? {} : { scope }),
    }),
  });
  const reply = (await response.json()) as { access_token?: string };
  if (!reply.access_token) throw new Error(`no token issued: ${JSON.stringify(reply)}`);
  return reply.access_token;
}

export const silentLogger = pino({ level: 'silent' });

function jsonOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
