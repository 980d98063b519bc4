import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { asFirstClient, rollcall } from '../../support/command.js';
import { newId, useOwnService } from '../../support/service.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const feedDir = mkdtempSync(join(tmpdir(), 'rollcall-feeds-'));
afterAll(() => rmSync(feedDir, { recursive: true, force: true }));

// Lists and plans name every feed.
const service = useOwnService({ ROLLCALL_FEED_POLL_MS: '20', ROLLCALL_FEED_DIR: feedDir });

interface RunOptions {
  readonly input?: string;
  readonly env?: Record<string, string>;
  readonly cwd?: string;
}

const run = (args: readonly string[], { env, ...options }: RunOptions = {}) =>
  rollcall(['feeds', ...args], { ...asFirstClient(service), ...env }, options);

const json = async (...args: string[]) => JSON.parse((await run([...args, '--json'])).stdout);

const mapping = `{ columns: [{ field: employeeID, columns: [ID] }, { field: name, columns: [Name] }, { field: email, columns: [Mail] }] }`;

function csv(names: readonly string[], ids = names.map(() => newId())): string {
  return ['ID,Name,Mail', ...names.map((name, at) => `${ids[at]},${name},a@example.com`)].join('\n');
}

async function givenFeed(settings = ''): Promise<string> {
  const key = newId('f-').toLowerCase();
  const feed = `- { key: ${key}, name: Staff, source: { type: upload }, mapping: ${mapping}${settings} }`;
  const { code, stderr } = await run(['apply', '-'], { input: `feeds:\n${feed}\n` });
  expect(code, stderr).toBe(0);
  return key;
}

const yaml = `feeds:
  - key: nightly
    name: Staff from Workday
    source: { type: sftp, host: sftp.example.com, username: rollcall, path: /out/staff-*.csv }
    secret: { env: WORKDAY_PASSWORD }
    schedule: { cron: 30 4 * * 1-5, timeZone: Europe/Berlin, until: 07:00 }
    mapping: ${mapping}
    rules: { rehire: true }
`;
const env = { WORKDAY_PASSWORD: 'correct horse battery staple' };

test('a file is applied once, in whole, and has nothing to do the second time', async () => {
  const planned = await run(['apply', '-', '--dry-run'], { input: yaml });
  expect(planned.stderr).toBe('Dry run: nothing was changed. 1 to create, 0 to change, 0 up to date.\n');
  expect(planned.stdout.split('\n')).toEqual(
    expect.arrayContaining([
      '+ nightly',
      '    mapping.email: Mail',
      '    rules.rehire: true',
      '    secret: set',
    ]),
  );
  expect(await run(['apply', '-'], { input: yaml })).toMatchObject({
    ...{
      code: 2,
      stderr: expect.stringMatching(/^stdin:2: .* the variable WORKDAY_PASSWORD is not set\.$/m),
    },
  });
  expect(await json('list')).toEqual([]);
  const done = await run(['apply', '-'], { input: yaml, env });
  expect(done).toMatchObject({ code: 0, stderr: '1 created, 0 changed, 0 up to date.\n' });
  expect(done.stdout).not.toContain(env.WORKDAY_PASSWORD);
  const again = await run(['apply', '-'], { input: yaml, env });
  expect(again).toMatchObject({ code: 0, stdout: '', stderr: 'Nothing to do: 1 feed is up to date.\n' });

  const moved = yaml.replace('[Mail]', '[E-Mail]').replace('rehire', 'deactivateMissing');
  const changed = await run(['apply', '-', '--secrets'], { input: moved, env });
  expect(changed.stdout.split('\n')).toEqual([
    ...['~ nightly', '    mapping.email: Mail → E-Mail', '    rules.rehire: true → none'],
    ...['    rules.deactivateMissing: none → true', '    secret: set', ''],
  ]);
  const shown = await run(['show', 'nightly']);
  expect(shown.stdout).toMatch(/^source +SFTP rollcall@sftp\.example\.com, \/out\/staff-\*\.csv$/m);
  expect(shown.stdout).toMatch(/^schedule +Monday to Friday at 04:30 \(Europe\/Berlin\); waits .* 07:00$/m);
  expect((await run(['pause', 'nightly'])).stderr).toBe('Paused nightly. It runs only when it is told to.\n');
  expect((await run(['list'])).stdout).toMatch(/^nightly +Staff from Workday +paused +0$/m);
  expect((await run(['resume', 'nightly'])).stderr).toMatch(/^Resumed nightly\. Next run: /);

  const pruned = await run(['apply', '-', '--prune', '--json'], { input: 'feeds: []\n' });
  expect(pruned).toMatchObject({ code: 2, stderr: expect.stringContaining('pass --yes') });
  expect((await run(['apply', '-', '--prune', '--yes'], { input: 'feeds: []\n' })).stdout).toBe(
    '- nightly\n',
  );
  expect(await json('list')).toEqual([]);
});

test('a file of feeds is refused as a whole, with the line of each problem', async () => {
  const { code, stderr } = await run(['apply', '-'], {
    input: `feeds:
  - key: a
    name: A
    secret: hunter2
  - key: b
    nam: B
  - { key: c, name: C }
`,
  });
  expect(code).toBe(2);
  expect(stderr).not.toContain('hunter2');
  expect(stderr.split('\n')).toEqual([
    'stdin:4: "secret" must not be in the file as text, where others can read it. Name where it is: "secret: { env: VARIABLE }" or "secret: { file: PATH }".',
    'stdin:6: "nam" is not a setting. Did you mean "name"?',
    ...['Nothing was changed.', ''],
  ]);
  const lacking = await run(['apply', '-'], { input: 'feeds:\n- { key: c, name: C }\n' });
  expect(lacking.stderr).toMatch(/^stdin:2: "c" is new, so it needs source and mapping\.$/m);
});

test('an uploaded file is synced, reported by row and undone', async () => {
  const key = await givenFeed();
  const ids = [newId(), newId()];
  const home = temporaryDirectory();
  writeFileSync(join(home, 'staff.csv'), csv(['Ada', 'Grace'], ids));
  const dry = await run(['upload', key, 'staff.csv', '--dry-run'], { cwd: home });
  expect(dry).toMatchObject({ code: 0, stdout: '  create       2\n' });
  const uploaded = await run(['upload', key, 'staff.csv'], { cwd: home });
  expect(uploaded).toMatchObject({ code: 0, stdout: '  created      2\n' });
  const [last] = await json('runs', key);
  expect(last).toMatchObject({ state: 'done', fileName: 'staff.csv', counts: { created: 2 } });
  expect(uploaded.stderr).toContain(`To undo: rollcall feeds undo ${key} ${last.id}`);

  const rows = await run(['rows', key]);
  expect(rows.stdout).toMatch(new RegExp(`^ +2 +${ids[0]} +created`, 'm'));
  expect((await run(['rows', key, '--report', 'rows.csv'], { cwd: home })).code).toBe(0);
  const lines = readFileSync(join(home, 'rows.csv'), 'utf8').trimEnd().split(/\r?\n/);
  expect(lines).toHaveLength(3);
  expect(lines[2]).toMatch(new RegExp(`^3,${ids[1]},created,`));

  const replay = await run(['replay', key, last.id]);
  expect(replay).toMatchObject({ code: 0, stdout: '  unchanged    2\n' });
  const preview = await run(['undo', key, last.id, '--dry-run']);
  expect(preview.stderr).toBe('Dry run: nothing was changed. The run changed 2 users.\n');
  expect((await run(['undo', key, last.id])).stderr).toContain('pass --yes');
  const undone = await run(['undo', key, last.id, '--yes']);
  expect(undone).toMatchObject({ code: 0, stderr: expect.stringContaining('The run was undone.') });
  expect(await json('rows', key, last.id, '--kind', 'failed')).toEqual([]);
});

test('a run beyond a limit waits, which is exit code 4, and goes on once it is approved', async () => {
  const key = await givenFeed(', limits: { createsMax: 1 }');
  const upload = (names: string[]) => run(['upload', key, '-'], { input: csv(names) });
  const waiting = await upload(['Ada', 'Grace']);
  expect(waiting).toMatchObject({ code: 4, stdout: '  create       2\n' });
  expect(waiting.stderr).toMatch(/^! .*\b2 .*1/m);
  const shown = await run(['show', key]);
  expect(shown.stderr).toContain(`If it is right: rollcall feeds approve ${key} `);
  expect(shown.stdout).toMatch(/^ +in the last run: .*\bcreatesMax 1\b/m);
  const approved = await run(['approve', key, '--yes', '--wait']);
  expect(approved).toMatchObject({ code: 0, stdout: '  created      2\n' });
  expect(await run(['approve', key, '--yes'])).toMatchObject({
    ...{ code: 4, stderr: expect.stringContaining(`rollcall feeds runs ${key}`) },
  });
  expect((await upload(['Joan', 'Edith'])).code).toBe(4);
  expect((await run(['cancel', key, '--yes'])).stderr).toMatch(
    /^Cancelled: run \S+ will not change anything\.$/m,
  );
});

test('a run fetches its file, and rows that fail are exit code 1', async () => {
  const key = await givenFeed();
  const source = `{ key: ${key}, source: { type: folder, path: staff.csv } }`;
  expect((await run(['apply', '-'], { input: `feeds: [${source}]` })).stdout).toContain(
    'source.type: upload → folder',
  );
  const missing = await run(['run', key]);
  expect(missing).toMatchObject({ code: 4, stderr: expect.stringMatching(/^✗ /) });
  writeFileSync(join(feedDir, 'staff.csv'), `${csv(['Ada', 'Grace', 'Joan'])}\nE 1,,nobody\n`);
  const anHourAgo = Date.now() / 1_000 - 3_600; // a file that has just changed may be incomplete
  utimesSync(join(feedDir, 'staff.csv'), anHourAgo, anHourAgo);
  const partly = await run(['run', key]);
  expect(partly.code, partly.stderr).toBe(1);
  expect(partly.stderr).toMatch(/^1 row failed\. To see them: rollcall feeds rows .* --kind failed$/m);
  expect(await json('rows', key, '--kind', 'failed')).toMatchObject([{ row: 5, kind: 'failed' }]);
});

test('errors say what to do next', async () => {
  const key = await givenFeed();
  const wrong = await Promise.all([
    run(['run', key]),
    run(['rows', key]),
    run(['upload', key, 'missing.csv']),
    run(['rows', key, '--report', 'rows.txt']),
    run(['show', 'nothing']),
    run(['delete', key]),
  ]);
  expect(wrong.map(({ code }) => code)).toEqual([4, 4, 2, 2, 4, 2]);
  expect(wrong[0]?.stderr).toContain(`rollcall feeds upload ${key} FILE`);
  expect(wrong[1]?.stderr).toContain(`rollcall feeds run ${key}`);
  expect((await run(['delete', key, '--yes'])).stderr).toBe(`Deleted ${key}. Its users stay as they are.\n`);
});
