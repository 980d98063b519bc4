import { AsyncLocalStorage } from 'node:async_hooks';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';

/** What a command uses of the process it runs in. Tests run commands in their own process, each with its own host. */
export interface Host {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** As in a process: the first two are not arguments. */
  readonly argv: readonly string[];
  exit(code: number): never;
  on(event: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
  once(event: NodeJS.Signals | 'exit', listener: () => void): unknown;
  /** The working directory, if it is not that of the process. */
  readonly directory?: string;
}

export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

const hosts = new AsyncLocalStorage<Host>();

/** The host of the running command: the process, unless it was started with another. */
export function host(): Host {
  return hosts.getStore() ?? process;
}

export function runOn<T>(given: Host, work: () => T): T {
  return hosts.run(given, work);
}

/** Whether the command has the process to itself, and may change how all of it works. */
export function ownsProcess(): boolean {
  return host() === process;
}

/** A path that the user gave, to open. Messages show it as given. */
export function pathOf(given: string): string {
  const { directory } = host();
  return directory === undefined ? given : resolve(directory, given);
}

/** Like `homedir()`, which knows only the environment of the process. */
export function homeDirectory(): string {
  return host().env[process.platform === 'win32' ? 'USERPROFILE' : 'HOME'] ?? homedir();
}
