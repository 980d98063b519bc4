import { expect, test } from 'vitest';
import { version } from '../../src/contract/version.js';
import { asFirstClient, rollcall } from '../support/command.js';
import { useOwnService } from '../support/service.js';

/** These commands are about everything in a service, so it has to be their own. */
const service = useOwnService();
const run = (...args: string[]) => rollcall(args, asFirstClient(service));

test('empty directories say how they are filled', async () => {
  const [organizations, tags, json] = await Promise.all([
    run('organizations', 'list', '--tree'),
    run('tags', 'list'),
    run('tags', 'list', '--json'),
  ]);
  expect(organizations.stderr).toContain('There are no organizations yet.');
  expect(tags.stderr).toContain('rollcall users update E1001 --tags T1');
  expect(json).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
});

test('status prints nodes, queues and what needs attention, or JSON', async () => {
  await service.givenUser();
  const { rowCount: failed } = await service.database.pool.query(`UPDATE deliveries SET state = 'parked'`);
  await expect.poll(async () => (await service.get('/service/status')).json.data.nodes).toHaveLength(1);
  const [text, json] = await Promise.all([run('status'), run('status', '--json')]);
  const lines = text.stdout.trimEnd().split('\n');
  expect(lines[0]).toMatch(/^NODE +STATE +VERSION +PROCESSES +STARTED +LAST SEEN$/);
  expect(lines[1]).toMatch(new RegExp(`running +${version.replaceAll('.', '\\.')} +1 `));
  expect(text.stdout).toMatch(/^database +PostgreSQL \d+\.\d+, [\d.]+ MB, schema \d{4}_\w+$/m);
  expect(text.stdout).toMatch(new RegExp(`^messages +${failed} failed$`, 'm'));
  expect(text.stdout).toMatch(/^last backup +no backup yet$/m);
  expect(lines.at(-1)).toMatch(
    new RegExp(`^ {2}${failed} messages? failed: rollcall deliveries list --state parked$`),
  );
  expect(JSON.parse(json.stdout)).toMatchObject({
    version,
    attention: [{ kind: 'messagesParked', count: failed }],
  });
});

test('update-matching lists users who fail with the reason, and exits with 1', async () => {
  await service.givenUser();
  const everyone = ['users', 'update-matching', '--active', 'true', '--deactivate'];
  const preview = await run(...everyone, '--dry-run');
  expect(preview).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Would change \d of \d users: 1 would fail\.\n$/),
  });
  expect(preview.stdout).toMatch(/\nadmin +Administrator +would fail +No other active administrator/);
  const done = await run(...everyone, '--yes');
  expect(done.code).toBe(1);
  expect(done.stderr).toMatch(/^Changed \d of \d users: 1 failed\.\nTo undo: rollcall calls undo \S{36}\n$/);
  expect(done.stdout).toMatch(
    /^EMPLOYEE ID.*\nadmin +Administrator +failed +No other active administrator.*\n$/,
  );
});
