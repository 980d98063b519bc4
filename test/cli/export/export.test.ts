import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { broken, failing, held, useFront } from '../../http/client/front.js';
import { asFirstClient, inTerminal, rollcall } from '../../support/command.js';
import { aUser, newId, useService } from '../../support/service.js';
import { openShell } from '../../support/shell.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const service = useService();
const front = useFront(service);
const users = '/service/users';

const organization = newId('ORG');
const ids = Array.from({ length: 450 }, () => newId());
const pageRows = 200;

beforeAll(async () => {
  const items = ids.map((employeeID, at) =>
    aUser({
      employeeID,
      name: `Ada ${at}`,
      isActive: at % 2 === 0,
      organizationSerial: organization,
      tagSerials: at === 0 ? ['T1', 'T2'] : [],
    }),
  );
  expect((await service.createBulk(items)).json.data.failedItems).toEqual([]);
});

/** A directory to export into; requests pass through the server in front of the service. */
function given() {
  const home = temporaryDirectory();
  const environment = { ...asFirstClient(service), ROLLCALL_URL: front.url };
  const args = (...options: string[]) => ['export', '--organization', organization, ...options];
  return {
    home,
    run: (...options: string[]) => rollcall(args(...options), environment, { cwd: home }),
    inTerminal: (...options: string[]) => inTerminal(args(...options), environment, home),
    read: (name: string) => readFileSync(join(home, name), 'utf8'),
    /** The files in the directory, without those that commands keep in their home directory. */
    files: () => readdirSync(home).filter((name) => !name.startsWith('.')),
  };
}

/** The first column of a CSV file, without its heading. */
function idsIn(csv: string): string[] {
  const [, ...rows] = csv.trimEnd().split('\r\n');
  return rows.map((row) => row.split(',')[0] ?? '');
}

/** Attributes that other files have defined come last. */
const headings = /^employeeID,name,username,email,phone,isActive,tagSerials,organizationSerial(,.*)?(\r\n)?$/;

describe('rollcall export', () => {
  test('writes all matching users, with the requested columns, to stdout or a file', async () => {
    const { run, read, home } = given();
    const [all, some, json, excel] = await Promise.all([
      run(),
      run(
        '--active',
        'false',
        '--search',
        'ada',
        '--sort',
        '-employeeID',
        '--columns',
        'employeeID,isActive',
      ),
      run('--json', '--employee-id', ids[0] ?? '', '--columns', 'tagSerials,username,employeeID'),
      run('--output', 'excel.csv', '--separator', ';', '--bom', '--json'),
    ]);
    expect(all).toMatchObject({ code: 0, stderr: expect.stringMatching(/^450 users in .* s\.\n$/) });
    expect(all.stdout.split('\r\n').slice(0, 2)).toEqual([
      expect.stringMatching(headings),
      expect.stringMatching(
        new RegExp(`^${ids[0]},Ada 0,,ada@example\\.com,,true,"T1, T2",${organization}(,|$)`),
      ),
    ]);
    expect(idsIn(all.stdout)).toEqual(ids);
    const inactive = ids.filter((_, at) => at % 2 === 1);
    expect(some.stdout.split('\r\n')[1]).toMatch(/^\w+,false$/);
    expect(idsIn(some.stdout)).toEqual(inactive.sort().reverse());
    expect(json).toEqual({
      code: 0,
      stdout: `{"tagSerials":["T1","T2"],"username":null,"employeeID":"${ids[0]}"}\n`,
      stderr: '',
    });
    expect(excel).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(excel.stdout)).toEqual({
      rows: 450,
      file: 'excel.csv',
      format: 'csv',
      ms: expect.any(Number),
    });
    expect(read('excel.csv')).toMatch(/^\ufeffemployeeID;name;username;/);
    expect(statSync(join(home, 'excel.csv')).mode & 0o777, 'personal data').toBe(0o600);
  });

  test('replaces an existing file, follows symbolic links and keeps the file mode', async () => {
    const { run, read, home, files } = given();
    mkdirSync(join(home, 'there'));
    writeFileSync(join(home, 'there', 'old.csv'), 'before');
    chmodSync(join(home, 'there', 'old.csv'), 0o640);
    writeFileSync(join(home, 'there', 'old.csv.partial'), 'left by somebody who was killed');
    symlinkSync('there/old.csv', join(home, 'users.csv'));
    const { code, stderr } = await run('--output', 'users.csv');
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(/^450 users to users\.csv in .* s\.\n$/);
    expect(idsIn(read('there/old.csv'))).toEqual(ids);
    expect(statSync(join(home, 'there', 'old.csv')).mode & 0o777).toBe(0o640);
    expect(files()).toEqual(['there', 'users.csv']);
    expect(readdirSync(join(home, 'there'))).toEqual(['old.csv']);
  });

  test('requests the next page while writing the previous one', async () => {
    const { run, read, files } = given();
    const [first, second, third] = [held(), held(), held()];
    front.answer(users, first.gate, second.gate, third.gate);
    const ended = run('--output', 'users.csv');
    first.open();
    await second.reached;
    await expect.poll(() => idsIn(read('users.csv.partial'))).toEqual(ids.slice(0, pageRows));
    expect(files()).toEqual(['users.csv.partial']);
    second.open();
    await third.reached;
    third.open();
    expect((await ended).code).toBe(0);
    expect(files()).toEqual(['users.csv']);
    expect(idsIn(read('users.csv'))).toEqual(ids);
    const limits = front.requests(users).map(({ url }) => new URL(url, front.url).searchParams.get('limit'));
    expect(limits).toEqual(['200', '200', '200']);
  });

  test('continues after a lost response or a short outage', async () => {
    const { run } = given();
    const away = failing(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '0' });
    const asItIs = held();
    asItIs.open();
    front.answer(users, away, asItIs.gate, broken, away, away, away);
    const { code, stdout, stderr } = await run();
    expect(code, stderr).toBe(0);
    expect(idsIn(stdout)).toEqual(ids);
  });

  test('sends repeated filters, and requests the total of the progress bar with the first page', async () => {
    const { run } = given();
    const tags = ['--tag', 'T1', '--tag', 'T9', '--not-tag', 'T3'];
    const { code, stdout, stderr } = await run(...tags);
    expect({ code, ids: idsIn(stdout) }, stderr).toEqual({ code: 0, ids: [ids[0]] });
    expect((await run('--never-signed-in')).code).toBe(0);
    const [first, ...pages] = front
      .requests(users)
      .map(({ url }) => [...new URL(url, front.url).searchParams].map((pair) => pair.join('=')));
    const filters = ['tagSerial=T1', 'tagSerial=T9', 'notTagSerial=T3'];
    const organizationSerial = `organizationSerial=${organization}`;
    expect(first).toEqual([organizationSerial, ...filters, 'limit=200', 'total=approximate']);
    expect(pages.map((query) => query.includes('total=approximate'))).toEqual([true, false, false]);
  });

  test('says that nothing matches, and what to do', async () => {
    const { run } = given();
    const { code, stdout, stderr } = await run('--search', 'nobodyatall');
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(headings) });
    expect(stdout.split('\r\n')).toHaveLength(2);
    expect(stderr).toBe(
      `The table is empty. No users match --search nobodyatall --organization ${organization}.\nTry fewer or shorter words. All filters must match, so try removing one.\n`,
    );
  });
});

test('treats a closed pipe as success and an unwritable stdout as an error', async () => {
  const shell = () => openShell({ ...asFirstClient(service), ORGANIZATION: organization });
  const [enough, full] = await Promise.all([
    shell().run(['rollcall export --organization "$ORGANIZATION" | head -n 1']).ended,
    shell().run(['rollcall export --organization "$ORGANIZATION" > /dev/full']).ended,
  ]);
  expect(enough, enough.output).toMatchObject({ code: 0 });
  expect(full.code).toBe(1);
  expect(full.output).toMatch(/Cannot write to stdout \(ENOSPC\)\.\n$/);
});

describe('an export that fails leaves no incomplete file behind', () => {
  test('on Ctrl-C', async () => {
    const { inTerminal, read, files, home } = given();
    writeFileSync(join(home, 'users.csv'), 'of last night');
    const [first, second] = [held(), held()];
    front.answer(users, first.gate, second.gate);
    const terminal = inTerminal('--output', 'users.csv');
    first.open();
    await second.reached;
    await terminal.until(/Exporting .* 44% {2}200 of 450 users/);
    terminal.type('\u0003');
    expect(await terminal.ended).toBe(1);
    expect(terminal.screen()).toMatch(/Stopped\.\r\nNothing was written to users\.csv\.\r\n$/);
    expect(files()).toEqual(['users.csv']);
    expect(read('users.csv')).toBe('of last night');
  });

  test('when the login expires midway, the service is down, the disk is full or the directory is missing', async () => {
    const { run, files, home } = given();
    symlinkSync('/dev/full', join(home, 'full.csv'));
    const refused = failing(401, 'ACCESS_TOKEN_INVALID');
    const asItIs = held();
    asItIs.open();
    front.answer(users, asItIs.gate, refused, refused); // also with a new token
    const midway = await run('--output', 'users.xlsx');
    expect(midway).toMatchObject({ code: 4, stdout: '' });
    expect(midway.stderr).toBe(
      'Could not export users: As the test wants it. Log in again: `rollcall login`.\nNothing was written to users.xlsx.\n',
    );
    const again = held();
    again.open();
    front.answer(users, again.gate, refused, refused);
    const piped = await run('--format', 'ndjson');
    expect(piped.code).toBe(4);
    expect(piped.stdout.trimEnd().split('\n')).toHaveLength(pageRows);
    expect(piped.stderr).toMatch(/\nThe output is incomplete: it ends after 200 users\.\n$/);

    const nobody = { ...asFirstClient(service), ROLLCALL_URL: 'http://127.0.0.1:9' };
    const [away, full, nowhere] = await Promise.all([
      rollcall(['export', '--output', 'users.csv'], nobody, { cwd: home }),
      run('--output', 'full.csv', '--format', 'ndjson'),
      run('--output', 'nowhere/users.csv', '--json'),
    ]);
    expect(away).toMatchObject({ code: 3, stdout: '' });
    expect(away.stderr).toMatch(/does not respond.*\nNothing was written to users\.csv\.\n$/);
    expect(full).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Cannot write full.csv (ENOSPC: the disk is full).\nNothing was written to full.csv.\n',
    });
    expect(nowhere).toMatchObject({ code: 2, stdout: '' });
    expect(JSON.parse(nowhere.stderr)).toEqual({
      error: {
        exit: 'wrongUse',
        message: 'Cannot write nowhere/users.csv (ENOENT: the directory does not exist).',
      },
    });
    expect(files()).toEqual(['full.csv']);
  });

  test('when another export writes to the same file', async () => {
    const { run, files, read } = given();
    const [first, second] = [held(), held()];
    front.answer(users, first.gate);
    const slow = run('--output', 'users.csv');
    await first.reached;
    front.answer(users, second.gate);
    const quick = run('--output', 'users.csv', '--search', 'ada');
    await second.reached;
    first.open();
    const { code, stderr } = await slow;
    expect(code).toBe(4);
    expect(stderr).toBe('Another export is writing to users.csv.\nNothing was written to users.csv.\n');
    second.open();
    expect((await quick).code).toBe(0);
    expect(files()).toEqual(['users.csv']);
    expect(idsIn(read('users.csv'))).toEqual(ids);
  });
});
