import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { Service } from './service.js';
import { filledUser } from './users.js';

/** The phones of all users, some of which change before each sync. */
export class Phones {
  readonly #versions: Uint32Array;
  #last = 30; // the area code of the phones in the filled table

  constructor(users: number) {
    this.#versions = new Uint32Array(users + 1).fill(this.#last);
  }

  /** Changes the phone of every nth user. */
  change(every: number): void {
    this.#last++;
    for (let number = every; number < this.#versions.length; number += every)
      this.#versions[number] = this.#last;
  }

  of(number: number): string {
    return `+49 ${this.#versions[number]} ${1_000_000 + number}`;
  }

  get users(): number {
    return this.#versions.length - 1;
  }
}

const rowsAtOnce = 10_000;

/** A full export of all users, as an HR system would write it. */
export function writeUsersFile(path: string, phones: Phones): void {
  const file = openSync(path, 'w');
  let text = 'employeeID,name,phone,isActive\n';
  for (let number = 1; number <= phones.users; number++) {
    const { employeeID, name, isActive } = filledUser(number);
    text += `${employeeID},${name},${phones.of(number)},${isActive}\n`;
    if (number % rowsAtOnce === 0) {
      writeSync(file, text);
      text = '';
    }
  }
  writeSync(file, text);
  closeSync(file);
}

export interface CommandRun {
  readonly ms: number;
  /** The peak memory of the command; undefined if there is no /proc. */
  readonly peakMb: number | undefined;
  readonly stdout: string;
}

const samplePauseMs = 20;

/** Runs `rollcall` from start to end, as a scheduled job would. */
export async function runCommand(service: Service, args: readonly string[]): Promise<CommandRun> {
  const start = performance.now();
  const child = spawn(process.execPath, ['dist/cli.js', ...args], {
    env: { ...process.env, ...service.commandVariables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  let peakMb: number | undefined;
  const sampling = setInterval(() => {
    peakMb = peakOf(child.pid) ?? peakMb;
  }, samplePauseMs);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  const ms = performance.now() - start;
  clearInterval(sampling);
  if (code !== 0) throw new Error(`rollcall ${args[0]} exited with ${code}: ${stderr}`);
  return { ms, peakMb, stdout };
}

/** The kernel keeps the maximum, so nothing is missed between two samples. */
function peakOf(pid: number | undefined): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const [, kb] = /VmHWM:\s+(\d+) kB/.exec(status) ?? [];
    return kb === undefined ? undefined : Number(kb) / 1024;
  } catch {
    return undefined;
  }
}
