import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort, startPostgres } from '../test/support/postgres-server.js';
import { LightClient } from './light-client.js';

export interface ServiceOptions {
  /** What is run, as arguments of node; the service as it is shipped without it. */
  readonly entry?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

export interface Bench {
  /** A fresh PostgreSQL with its default settings: every commit is flushed to disk. */
  readonly databaseUrl: string;
  startService(options?: ServiceOptions): Promise<Service>;
}

/**
 * Runs the work beside a fresh PostgreSQL. Whatever ends it, an error or Ctrl-C, no process and no file stays behind.
 */
export async function withPostgres(work: (bench: Bench) => Promise<void>): Promise<void> {
  // Everything goes into one folder. PostgreSQL may run as another user, who has to reach what is inside.
  const home = mkdtempSync(join(tmpdir(), 'rc-'));
  chmodSync(home, 0o711);
  process.env.TMPDIR = home;

  const services: Service[] = [];
  const starting = startPostgres([]);
  let cleaned: Promise<void> | undefined;
  const cleanUp = () => {
    cleaned ??= (async () => {
      await Promise.all(services.map((service) => service.stop()));
      await starting.then(
        (server) => server.stop(),
        () => {},
      );
      rmSync(home, { recursive: true, force: true });
    })();
    return cleaned;
  };

  let interrupted = false;
  const interrupt = () => {
    interrupted = true;
    void cleanUp();
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  try {
    const { url } = await starting;
    await work({
      databaseUrl: url,
      startService: async (options = {}) => {
        const port = await freePort();
        if (interrupted) throw new Error('interrupted'); // Nobody would stop what starts after the clean-up.
        const service = Service.start(url, port, mkdtempSync(join(home, 'data-')), options);
        services.push(service);
        await service.ready();
        return service;
      },
    });
  } catch (error) {
    if (!interrupted) throw error;
  } finally {
    await cleanUp();
    if (interrupted) process.exit(130);
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

export interface Reply {
  readonly status: number;
  readonly text: string;
}

const collectOnSignal = `data:text/javascript,process.on('SIGUSR2', () => gc())`;
const client = { id: 'bench', secret: randomBytes(24).toString('hex') };

/** The service as it is shipped, in a process of its own, so that the load shares no event loop with it. */
export class Service {
  readonly #child: ChildProcess;
  readonly #url: string;
  readonly #agent = new Agent({ keepAlive: true });
  #token = '';

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.#url = url;
  }

  static start(
    databaseUrl: string,
    port: number,
    dataDir: string,
    { entry = ['dist/cli.js', 'serve'], environment = {} }: ServiceOptions,
  ): Service {
    const child = spawn(process.execPath, ['--expose-gc', '--import', collectOnSignal, ...entry], {
      env: {
        ...process.env,
        DATABASE_URL: databaseUrl,
        HOST: '127.0.0.1',
        PORT: String(port),
        LOG_LEVEL: 'warn',
        ROLLCALL_DATA_DIR: dataDir,
        ROLLCALL_BOOTSTRAP_CLIENT_ID: client.id,
        ROLLCALL_BOOTSTRAP_CLIENT_SECRET: client.secret,
        // Creates leave messages to send; what that costs is not what is measured here.
        ROLLCALL_DELIVERIES_AT_ONCE: '0',
        ...environment,
      },
      // Its log goes nowhere: a request that fails throws here, and why a start is refused is on stderr.
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return new Service(child, `http://127.0.0.1:${port}`);
  }

  async ready(): Promise<void> {
    for (;;) {
      if (hasEnded(this.#child)) throw new Error('the service ended while it started');
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
    if (!token) throw new Error(`the service gave no token: ${reply.status}`);
    this.#token = token;
  }

  post(path: string, body: string): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const sent = request(
        `${this.#url}${path}`,
        {
          method: 'POST',
          agent: this.#agent,
          headers: {
            authorization: `Bearer ${this.#token}`,
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
          },
        },
        (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.on('error', reject);
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString('utf8') }),
          );
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
  }

  /** Connections for as much load as there are; whoever opens them closes them. */
  lightClients(count: number): Promise<LightClient[]> {
    return Promise.all(Array.from({ length: count }, () => LightClient.open(this.#url)));
  }

  get url(): string {
    return this.#url;
  }

  get token(): string {
    return this.#token;
  }

  async collectGarbage(): Promise<void> {
    this.#child.kill('SIGUSR2');
    await pause(1_000);
  }

  /** The processor time it has used so far, in ms; undefined where there is no /proc. */
  processorMs(): number | undefined {
    try {
      const fields = readFileSync(`/proc/${this.#child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      return (Number(fields[11]) + Number(fields[12])) * 10; // in hundredths of a second, by every Linux there is
    } catch {
      return undefined;
    }
  }

  /** The memory that the process occupies, in MB; undefined where there is no /proc. */
  residentMb(): number | undefined {
    try {
      const status = readFileSync(`/proc/${this.#child.pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
    } catch {
      return undefined;
    }
  }

  async stop(): Promise<void> {
    this.#agent.destroy();
    if (hasEnded(this.#child)) return;
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGTERM');
    await ended;
  }
}
