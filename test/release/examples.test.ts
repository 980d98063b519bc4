import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.js';
import { makeBackup } from '../../src/domain/backups/make-backup.js';
import { restoreBackup } from '../../src/domain/backups/restore-backup.js';
import { writeWhole } from '../../src/files/whole-file.js';
import { createEmbedded } from '../../src/storage/embedded/new-embedded.js';
import { openDatabase } from '../../src/storage/open-database.js';
import { exampleCommands } from '../support/example-commands.js';
import { prepared, preparedFeeds, sentMessage, writeFiles } from '../support/prepared-examples.js';
import { createEmptyDatabase, TestService, useOwnService } from '../support/service.js';
import { type Environment, openShell, type Shell } from '../support/shell.js';
import { startWebhookReceiver } from '../support/webhook-receiver.js';
import { sendsNoWebhooks } from '../support/webhooks.js';

/**
 * Other tests cover what a command does on each database. Here each example runs once: those that use a service, or a
 * database of their own, on PostgreSQL; the other local ones on the embedded database.
 */
const commands = exampleCommands();
const remote = commands.filter(({ isLocal }) => !isLocal);
const local = commands.filter(({ isLocal }) => isLocal);

/** Commands that run until interrupted, and what they print once started. */
const staying = [
  { is: /\brollcall changes .*--follow/, began: /Press Ctrl-C to stop/ },
  { is: /\brollcall serve .*--workers/, began: /All \d+ workers are ready/ },
  { is: /\brollcall serve/, began: /"Ready\./ },
];

async function runAll(shell: Shell, lines: readonly string[]): Promise<void> {
  const brief = lines.filter((line) => !staying.some(({ is }) => is.test(line)));
  const { code, output } = await shell.run(brief).ended;
  expect(code, output).toBe(0);
  for (const line of lines) {
    const began = staying.find(({ is }) => is.test(line))?.began;
    if (began) await runUntilInterrupted(shell, line, began);
  }
}

async function runUntilInterrupted(shell: Shell, line: string, began: RegExp): Promise<void> {
  const { output, ended, interrupt } = shell.run([line]);
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  await expect.poll(() => isOver || began.test(output())).toBe(true);
  expect(isOver, output()).toBe(false);
  interrupt();
  const { code } = await ended;
  expect(code, output()).toBe(0);
}

test('every command has an example', () => {
  const bare = commands.filter(({ lines }) => lines.length === 0).map(({ name }) => name);
  expect(bare, 'help, and what the shells ask').toEqual(['rollcall complete', 'rollcall help']);
});

describe('the examples of', () => {
  const service = useOwnService({
    ROLLCALL_WEBHOOK_TARGETS: 'any',
    ROLLCALL_FEED_POLL_MS: '20',
    ...sendsNoWebhooks,
  });

  test.each(remote.map(({ name, lines }) => [name, lines] as const))('%s', async (_, lines) => {
    const receiver = await startWebhookReceiver();
    const environment = await prepared(service, { url: receiver.url });
    const isResend = lines.some((line) => line.includes('rollcall webhooks resend '));
    const message = isResend ? { DELIVERY: await sentMessage(service, environment.WEBHOOK ?? '') } : {};
    const feeds = lines.some((line) => line.includes('rollcall feeds ')) ? await preparedFeeds(service) : {};
    const shell = openShell({ ...environment, ...message, ...feeds });
    const readsFiles = /rollcall (?:sync|\w+ apply|feeds upload) /;
    if (lines.some((line) => readsFiles.test(line))) await writeFiles(shell.home, service);
    await runAll(shell, lines);
  });
});

/**
 * A database on which a service has run, because otherwise there are no keys to rotate, and with a configured secret
 * key.
 */
async function usedDatabase(): Promise<Environment> {
  const environment = {
    DATABASE_URL: await createEmptyDatabase(),
    ROLLCALL_SECRET_KEY: randomBytes(32).toString('base64'),
  };
  await (await TestService.start(environment)).stop();
  return { ...environment, PASSPHRASE: 'correct horse battery staple' };
}

const needsPostgres = (line: string) => line.includes('$DATABASE_URL');
const needsBackup = (line: string) => /rollcall (?:backup (?:verify|list)|restore|move)/.test(line);

/** What the examples about backups assume: a backup, a data directory, and an empty database. */
async function shellWithBackup(lines: readonly string[]): Promise<Shell> {
  const { DATABASE_URL = '' } = await usedDatabase();
  const shell = openShell({ EMPTY_DATABASE_URL: await createEmptyDatabase() });
  const database = await openDatabase(readConfig({ DATABASE_URL }));
  const file = join(shell.home, 'rollcall.backup');
  await writeWhole(file, makeBackup(database));
  await database.close();
  if (!lines.some((line) => line.includes('--data-dir ./data '))) return shell;
  await createEmbedded(join(shell.home, 'data'), (target) =>
    restoreBackup(target, createReadStream(file), { passphrase: undefined }),
  );
  return shell;
}

const localLines = local.flatMap(({ name, lines }) =>
  [true, false].map((onPostgres) => {
    const here = lines.filter((line) => needsPostgres(line) === onPostgres);
    return [onPostgres ? `${name}, on PostgreSQL` : name, here, onPostgres] as const;
  }),
);

describe("on the service's machine, the examples of", () => {
  test.each(localLines.filter(([, lines]) => lines.length > 0))('%s', async (_, lines, onPostgres) => {
    if (lines.some(needsBackup)) return runAll(await shellWithBackup(lines), lines);
    await runAll(openShell(onPostgres ? await usedDatabase() : {}), lines);
  });
});
