import { appendFileSync, existsSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { broken, failing, held, unheard, useFront } from '../../http/client/front.js';
import { asFirstClient, beginCommand, rollcall } from '../../support/command.js';
import { inPseudoTerminal, startRollcall } from '../../support/command-process.js';
import { newId, useService } from '../../support/service.js';
import { givenFile, read, reportIn, told, userOf } from './sync-command.js';

const service = useService();
const front = useFront(service);

const rows = 12;
const chunkRows = 2;
const create = '/service/users/upsert-bulk';

/** New users, and the command that syncs them in chunks of two through the server in front of the service. */
function given(...options: string[]) {
  const ids = Array.from({ length: rows }, () => newId());
  const file = givenFile(
    `employeeID,name,email\n${ids.map((id) => `${id},New ${id},n@example.com\n`).join('')}`,
  );
  const args = ['sync', file.name, '--chunk', String(chunkRows), '--report', 'report.json', ...options];
  const environment = { ...asFirstClient(service), ROLLCALL_URL: front.url };
  const journals = () => {
    const directory = join(file.home, '.local/state/rollcall/sync');
    return existsSync(directory) ? readdirSync(directory) : [];
  };
  return {
    ids,
    args,
    environment,
    home: file.home,
    journals,
    run: () => rollcall(args, environment, { cwd: file.home }),
    resume: async () => {
      const ended = await rollcall([...args, '--json', '--resume'], environment, { cwd: file.home });
      return read(ended, file.home);
    },
  };
}

/** Each user was created, and only once. */
async function expectCreatedOnce(ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const user = await userOf(service, id);
    const changes = await service.get(`/service/users/${user?.serial}/history`);
    expect(changes.json.data.items.map(({ kind }: { kind: string }) => kind)).toEqual(['created']);
  }
}

const allCreated = Array.from({ length: rows }, (_, index) => [index + 2, 'created']);

/** Passes the next `count` create calls through, then answers with `answer`. */
function afterCalls(count: number, answer: Parameters<typeof front.answer>[1]): void {
  const asItIs = Array.from({ length: count }, () => held());
  for (const { open } of asItIs) open();
  front.answer(create, ...asItIs.map(({ gate }) => gate), answer);
}

describe('an interrupted sync continues with --resume and repeats nothing', () => {
  test('after it is killed during a call that then succeeds', async () => {
    const { ids, args, environment, home, resume, journals } = given();
    const last = held(unheard);
    afterCalls(2, last.gate);
    const { child, ended } = startRollcall(args, environment, { cwd: home });
    await last.reached;
    const killed = new Promise((resolve) => child.once('exit', resolve));
    last.open();
    await expect.poll(() => userOf(service, ids[5] ?? '')).toBeDefined();
    child.kill('SIGKILL');
    await killed;
    expect((await ended).stdout).toBe('');
    expect(await userOf(service, ids[6] ?? ''), 'it was in the middle').toBeUndefined();
    expect(journals()).toHaveLength(1);

    const { code, summary, report, stderr } = await resume();
    expect(code, stderr).toBe(0);
    expect(summary).toMatchObject({ created: rows, unchanged: 0, failed: 0 });
    expect(told(report)).toEqual(allCreated);
    await expectCreatedOnce(ids);
    expect(journals()).toEqual([]);
  });

  test('after Ctrl-C in a terminal, which finishes the current call and shows the command to resume', async () => {
    const { ids, args, environment, home, resume } = given();
    const under = held();
    afterCalls(2, under.gate);
    const terminal = inPseudoTerminal(args, environment, home);
    await under.reached;
    await terminal.until(/Syncing users\.csv .*33%.* 4 of 12 rows/);
    terminal.type('\u0003');
    await terminal.until('Stopping after the rows in progress');
    under.open();
    expect(await terminal.ended).toBe(1);
    expect(terminal.screen()).toMatch(/6 of 12 rows are done.* report\.json lists them\./);
    expect(told(reportIn(home))).toEqual(allCreated.slice(0, 6));
    expect(terminal.screen()).toContain('rollcall sync users.csv --chunk 2 --report report.json --resume');
    expect(terminal.screen(), 'in colours').toContain('\u001b[31m');
    expect(await userOf(service, ids[6] ?? ''), 'nothing after it was sent').toBeUndefined();

    const { report } = await resume();
    expect(told(report)).toEqual(allCreated);
    await expectCreatedOnce(ids);
  });

  test('after its session expired: it says to log in again and exits with 4', async () => {
    const { ids, run, resume } = given();
    const refused = failing(401, 'ACCESS_TOKEN_INVALID');
    afterCalls(1, refused);
    front.answer(create, refused); // also with a new token
    const { code, stderr } = await run();
    expect(code).toBe(4);
    expect(stderr).toMatch(
      /Log in again.*\n2 of 12 rows are done, and no row is half done\. report\.json lists them\. To resume:\n/,
    );
    expect(told((await resume()).report)).toEqual(allCreated);
    await expectCreatedOnce(ids);
  });
});

describe('a sync continues by itself', () => {
  test('after an expired token, a lost response and a short outage', async () => {
    const { ids, run, home } = given();
    afterCalls(1, failing(401, 'ACCESS_TOKEN_INVALID'));
    front.answer(
      create,
      unheard,
      broken,
      broken,
      failing(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '0' }),
    );
    const { code, stderr } = await run();
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(
      /Service unavailable\. POST \/service\/users\/upsert-bulk: no reply.*Retrying for several minutes/,
    );
    expect(told(reportIn(home))).toEqual(allCreated);
    await expectCreatedOnce(ids);
  });
});

test('a report that does not fit on the disk can be written elsewhere with --resume', async () => {
  const { ids, environment, home, journals } = given();
  symlinkSync('/dev/full', join(home, 'full.csv'));
  const full = await rollcall(['sync', 'users.csv', '--report', 'full.csv'], environment, { cwd: home });
  expect(full.code).toBe(1);
  expect(full.stdout).toMatch(/created +12/);
  expect(full.stderr).toMatch(
    /Cannot write the report to full\.csv \(ENOSPC\)\. All rows are done.*--resume/,
  );
  expect(journals()).toHaveLength(1);

  const elsewhere = ['sync', 'users.csv', '--report', 'report.json', '--resume'];
  const { code } = await rollcall(elsewhere, environment, { cwd: home });
  expect(code).toBe(0);
  expect(told(reportIn(home))).toEqual(allCreated);
  await expectCreatedOnce(ids);
});

test('Ctrl-C while listing missing users changes nothing and prints a plain message', async () => {
  const { args, environment, home, journals } = given('--deactivate-missing', '--max-deactivate', '100%');
  const listing = held();
  front.answer('/service/users', listing.gate);
  const { signal, ended } = beginCommand(args, environment, { cwd: home });
  await listing.reached;
  signal('SIGINT');
  listing.open();
  expect(await ended).toMatchObject({ code: 1, stdout: '' });
  expect((await ended).stderr).toMatch(/Stopped\.\n$/);
  expect(journals()).toEqual([]);
});

test('a file that changes during the sync is reported, because its rows may be mixed up', async () => {
  const { run, home } = given();
  const under = held();
  front.answer(create, under.gate);
  const ended = run();
  await under.reached;
  appendFileSync(join(home, 'users.csv'), `${newId()},Late,l@example.com\n`);
  under.open();
  const { code, stderr } = await ended;
  expect(code, stderr).toBe(4);
  expect(stderr).toContain('users.csv changed while it was being read. Run the sync again.');
});

test('--resume says so if there is nothing to resume', async () => {
  const { args, environment, home } = given();
  const { code, stderr } = await rollcall([...args, '--resume'], environment, { cwd: home });
  expect(code).toBe(2);
  expect(stderr).toMatch(/no interrupted sync of this file.*Run again without --resume/);
});

test('exits with 3 and leaves nothing to resume if the service is unreachable', async () => {
  const { args, environment, home, journals } = given();
  const nobody = { ...environment, ROLLCALL_URL: 'http://127.0.0.1:9' };
  const { code, stderr } = await rollcall(args, nobody, { cwd: home });
  expect(code).toBe(3);
  expect(stderr).toMatch(/does not respond.*Check that it is running/);
  expect(journals()).toEqual([]);
});
