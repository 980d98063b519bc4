import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** `rollcall …` as an operator runs it: from the built files, with these settings and no others, to its end. */
export async function rollcall(
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<Ended> {
  const cwd = mkdtempSync(join(tmpdir(), 'rollcall-test-'));
  const child = spawn(process.execPath, [cli, ...args], {
    cwd,
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const text = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (chunk: string) => {
      text[stream] += chunk;
    });
  }
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  rmSync(cwd, { recursive: true, force: true });
  return { code, ...text };
}
