import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { LightClient, type Reply } from './light-client.js';
import { type Halt, preload } from './preload.js';

export interface ServiceOptions {
  /** What to run, as arguments of node; by default, the service as shipped. */
  readonly entry?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** A database other than that of the bench; null for the embedded one. */
  readonly databaseUrl?: string | null;
}

const client = { id: 'bench', secret: randomBytes(24).toString('hex') };

/** The load is a single client at full speed. Requests are counted as usual, but none is rejected. */
const unreachedLimits = Object.fromEntries(
  ['', 'USER_', 'ANONYMOUS_', 'TOKEN_', 'SIGN_IN_']
    .map((kind) => `ROLLCALL_${kind}REQUESTS_PER_MINUTE_MAX`)
    .concat('ROLLCALL_SEARCHES_PER_MINUTE_MAX')
    .map((name) => [name, '2147483647']),
);

/** The service as shipped, in its own process, so that it shares no event loop with the load. */
export class Service {
  readonly #child: ChildProcess;
  readonly #url: string;
  #idle: LightClient[] = [];
  #token = '';

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.#url = url;
  }

  static start(
    databaseUrl: string | null,
    port: number,
    dataDir: string,
    { entry = ['dist/cli.js', 'serve'], environment = {} }: ServiceOptions,
  ): Service {
    const { DATABASE_URL: _, ...inherited } = process.env;
    const child = spawn(
      process.execPath,
      ['--expose-gc', '--max-semi-space-size=32', '--import', preload, ...entry],
      {
        env: {
          ...inherited,
          ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
          HOST: '127.0.0.1',
          PORT: String(port),
          LOG_LEVEL: 'warn',
          ROLLCALL_DATA_DIR: dataDir,
          ROLLCALL_BOOTSTRAP_CLIENT_ID: client.id,
          ROLLCALL_BOOTSTRAP_CLIENT_SECRET: client.secret,
          // Creates queue messages. Sending them is not part of the measurement.
          ROLLCALL_DELIVERIES_AT_ONCE: '0',
          ...unreachedLimits,
          ...environment,
        },
        // Its log is discarded: failing requests throw an error here, and the reason for a failed start is on stderr.
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      },
    );
    child.channel?.unref();
    return new Service(child, `http://127.0.0.1:${port}`);
  }

  async ready(): Promise<void> {
    for (;;) {
      if (hasEnded(this.#child)) throw new Error('the service exited during startup');
      const reply = await fetch(`${this.#url}/readyz`).catch(() => undefined);
      if (reply?.ok) break;
      await pause(50);
    }
    const reply = await fetch(`${this.#url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: client.id,
        client_secret: client.secret,
      }),
    });
    const { access_token: token } = (await reply.json()) as { access_token?: string };
    if (!token) throw new Error(`the service issued no token: ${reply.status}`);
    this.#token = token;
  }

  get(path: string): Promise<Reply> {
    return this.#withClient((client) => client.get(path, this.#token));
  }

  post(path: string, body = ''): Promise<Reply> {
    return this.#withClient((client) => client.post(path, body, this.#token));
  }

  async #withClient(send: (client: LightClient) => Promise<Reply>): Promise<Reply> {
    this.#idle = this.#idle.filter(({ isClosed }) => !isClosed);
    const client = this.#idle.pop() ?? (await LightClient.open(this.#url));
    const reply = await send(client);
    this.#idle.push(client);
    return reply;
  }

  /** Connections for the load. The caller must close them. */
  lightClients(count: number): Promise<LightClient[]> {
    return Promise.all(Array.from({ length: count }, () => LightClient.open(this.#url)));
  }

  get url(): string {
    return this.#url;
  }

  /** The environment of commands that use the service. */
  get commandVariables(): Record<string, string> {
    return {
      ROLLCALL_URL: this.#url,
      ROLLCALL_CLIENT_ID: client.id,
      ROLLCALL_CLIENT_SECRET: client.secret,
    };
  }

  get token(): string {
    return this.#token;
  }

  async collectGarbage(): Promise<void> {
    await this.#ask('collect garbage');
    await pause(250); // pages are returned a moment later
  }

  async watchLoop(): Promise<void> {
    await this.#ask('watch the loop');
  }

  /** The longest halt of the event loop since the last call. */
  longestHalt(): Promise<Halt> {
    return this.#ask('longest halt');
  }

  #ask<T>(wish: string): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#child.channel?.ref();
      this.#child.once('message', (answer) => {
        this.#child.channel?.unref();
        resolve(answer as T);
      });
      this.#child.send(wish, (error) => error && reject(error));
    });
  }

  /** The processor time used so far, in ms; undefined if there is no /proc. */
  processorMs(): number | undefined {
    try {
      const fields = readFileSync(`/proc/${this.#child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      return (Number(fields[11]) + Number(fields[12])) * 10; // in hundredths of a second on every Linux
    } catch {
      return undefined;
    }
  }

  /** The resident memory of the process, in MB; undefined if there is no /proc. */
  residentMb(): number | undefined {
    try {
      const status = readFileSync(`/proc/${this.#child.pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
    } catch {
      return undefined;
    }
  }

  async stop(): Promise<void> {
    for (const client of this.#idle) client.close();
    if (hasEnded(this.#child)) return;
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGTERM');
    await ended;
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
