import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { nodeFlags } from './node-flags.js';
import { timed } from './setup-costs.js';

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

/** `rollcall serve` as an operator runs it: a separate process, from the built files. */
export class ServiceProcess {
  readonly child: ChildProcess;
  output = '';
  readonly exited: Promise<number | null>;

  private constructor(child: ChildProcess) {
    this.child = child;
    child.stdout?.on('data', (chunk) => {
      this.output += chunk;
    });
    child.stderr?.on('data', (chunk) => {
      this.output += chunk;
    });
    this.exited = new Promise((resolve) => child.once('exit', (code) => resolve(code)));
  }

  static async spawn(
    environment: Record<string, string>,
    nodeOptions: string[] = [],
  ): Promise<ServiceProcess> {
    const child = spawn(process.execPath, [...nodeFlags, ...nodeOptions, cli, 'serve'], {
      env: {
        PATH: process.env.PATH,
        HOST: '127.0.0.1',
        PORT: '0',
        ROLLCALL_PUBLIC_URL: 'http://localhost:8080', // one issuer for all nodes and restarts, whose ports differ
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new ServiceProcess(child);
  }

  /** Where it listens according to its output. A port chosen in advance could be taken by now. */
  get url(): string {
    const [, url] = /listens on (http:[^\s,]+)/.exec(this.output) ?? [];
    if (url === undefined) throw new Error(`the service is not listening: ${this.output}`);
    return url;
  }

  /** Waits until it is ready. Throws with its output if it exits instead. */
  ready(): Promise<this> {
    return timed('spawn service', () => this.#ready());
  }

  async #ready(): Promise<this> {
    for (;;) {
      const answer = this.output.includes('listens on ')
        ? await fetch(`${this.url}/readyz`).catch(() => undefined)
        : undefined;
      if (answer?.ok) return this;
      if (this.child.exitCode !== null) throw new Error(`the service exited: ${this.output}`);
      await pause(50);
    }
  }

  async kill(signal: NodeJS.Signals): Promise<number | null> {
    this.child.kill(signal);
    return this.exited;
  }
}

/** A process that is killed with the test. */
export async function spawned(
  environment: Record<string, string>,
  nodeOptions: string[] = [],
): Promise<ServiceProcess> {
  const service = await ServiceProcess.spawn(environment, nodeOptions);
  onTestFinished(async () => {
    if (service.child.exitCode === null) await service.kill('SIGKILL');
  });
  return service;
}
