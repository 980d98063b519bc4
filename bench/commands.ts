import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Service } from './service.js';

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
