import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { asFirstClient, type Ended, rollcall } from '../../support/command.js';
import type { TestService } from '../../support/service.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

export interface Reported {
  readonly row: number | null;
  readonly employeeID: string | null;
  readonly outcome: string;
  readonly changed?: readonly string[];
  readonly kept?: readonly string[];
  readonly serial?: string;
  readonly error?: { readonly code: string; readonly detail: string };
}

export interface Synced extends Ended {
  /** The output of --json. */
  readonly summary: Record<string, unknown>;
  readonly report: readonly Reported[];
}

/** A file in a directory that serves as home for the commands that sync it. */
export function givenFile(content: string | Uint8Array, name = 'users.csv') {
  const home = temporaryDirectory();
  writeFileSync(join(home, name), content);
  return { home, name };
}

type GivenFile = ReturnType<typeof givenFile>;

/** Runs `rollcall sync` to the end and returns its report. */
export async function sync(
  service: Pick<TestService, 'url' | 'dataDir'>,
  { home, name }: GivenFile,
  ...options: string[]
): Promise<Synced> {
  const args = ['sync', name, '--json', '--report', 'report.json', ...options];
  const ended = await rollcall(args, asFirstClient(service), { cwd: home });
  return read(ended, home);
}

export function read(ended: Ended, home: string): Synced {
  expect(ended.stdout, ended.stderr).not.toBe('');
  return { ...ended, summary: JSON.parse(ended.stdout), report: reportIn(home) };
}

export function reportIn(home: string): Reported[] {
  return JSON.parse(readFileSync(join(home, 'report.json'), 'utf8'));
}

/** Each row with its outcome, and its error code if it failed. */
export function told(report: readonly Reported[]) {
  return report.map(({ row, outcome, error }) => [row, error ? `${outcome}: ${error.code}` : outcome]);
}

/** The stored user, or undefined. */
export async function userOf(service: TestService, employeeID: string) {
  const reply = await service.post('/service/users/lookup', { employeeIDs: [employeeID] });
  return reply.json.data.items[0];
}
