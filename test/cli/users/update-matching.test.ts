import { expect, test } from 'vitest';
import { hand, useFront } from '../../http/client/front.js';
import { asFirstClient, rollcall } from '../../support/command.js';
import { aUser, newId, useService } from '../../support/service.js';

const service = useService();
const front = useFront(service);
const path = '/service/users/update-matching';
const run = (...args: string[]) =>
  rollcall(['users', 'update-matching', ...args], { ...asFirstClient(service), ROLLCALL_URL: front.url });

const bodies = () => front.requests(path).map(({ body }) => JSON.parse(body));

test('sends the filters of the list and the changes, first as a preview', async () => {
  const organization = newId('ORG');
  const filters = [
    '--organization',
    organization,
    '--organization',
    'O2',
    '--not-tag',
    'T2',
    '--active',
    'yes',
  ];
  const changes = ['--add-tag', 'T 1', '--add-tag', 'T3', '--remove-tag', 'T4', '--clear-organization'];
  const user = await service.givenUser({ organizationSerial: organization, tagSerials: ['T4', 'T5'] });
  const done = await run(...filters, ...changes, '--deactivate', '--yes');
  expect(done.code, done.stderr).toBe(0);
  const expected = {
    filter: { isActive: true, organizationSerial: [organization, 'O2'], notTagSerial: ['T2'] },
    patch: {
      addTagSerials: ['T 1', 'T3'],
      removeTagSerials: ['T4'],
      organizationSerial: null,
      isActive: false,
    },
  };
  expect(bodies()).toEqual([expected, expected]);
  expect(front.requests(path).map(({ url }) => url.slice(path.length))).toEqual([
    '?dryRun=true',
    '?confirm=1&effects=true',
  ]);
  expect(await service.readUser(user.serial)).toMatchObject({
    tagSerials: ['T5', 'T 1', 'T3'],
    organizationSerial: null,
    isActive: false,
  });
});

test('previews without changing anything, changes only what differs, and can be undone', async () => {
  const tag = newId('T');
  const added = newId('T');
  const [first, second] = [
    await service.givenUser({ tagSerials: [tag] }),
    await service.givenUser({ tagSerials: [tag, added] }),
  ];
  const add = ['--tag', tag, '--add-tag', added];
  const preview = await run(...add, '--dry-run');
  expect(preview.stderr).toBe('Would change 1 of 2 users: 1 is already up to date.\n');
  expect(preview.stdout).toMatch(
    new RegExp(
      `^${first.employeeID} +Ada Lovelace +would change +tags: ${tag} → ${tag} ${added}\n${second.employeeID} +Ada Lovelace +unchanged$`,
      'm',
    ),
  );
  const script = await run(...add);
  expect(script).toMatchObject({ code: 2, stderr: expect.stringContaining('pass --confirm 2, or --yes') });
  const wrong = await run(...add, '--confirm', '1');
  expect(wrong).toMatchObject({ code: 4, stderr: expect.stringMatching(/^2 users match, not 1\. Nothing/) });
  expect(await service.readUser(first.serial)).toMatchObject({ tagSerials: [tag] });

  const done = await run(...add, '--confirm', '2', '--json');
  const { callId, ...report } = JSON.parse(done.stdout);
  expect(report).toMatchObject({ matched: 2, changed: 1, unchanged: 1, failed: 0 });
  expect(await run(...add, '--yes')).toEqual({
    code: 0,
    stdout: '',
    stderr: 'Nothing to change: all 2 users are up to date.\n',
  });
  const undone = await rollcall(['calls', 'undo', callId, '--yes'], asFirstClient(service));
  expect(undone.code, undone.stderr).toBe(0);
  expect(await service.readUser(first.serial)).toMatchObject({ tagSerials: [tag] });
});

test('lists 50 users with the summary last, and says which tags and organizations are new', async () => {
  const [tag, added, organization] = [newId('T'), newId('T'), `${newId('ORG')} x`];
  const items = Array.from({ length: 52 }, () => aUser({ tagSerials: [tag] }));
  expect((await service.createBulk(items)).status).toBe(200);
  const change = ['--tag', tag, '--add-tag', tag, '--add-tag', added, '--set-organization', organization];
  const preview = await run(...change, '--dry-run');
  expect(preview.stdout.trimEnd().split('\n')).toHaveLength(1 + 50);
  expect(preview.stderr.trimEnd().split('\n')).toEqual([
    'And 2 more. To see all, use --json.',
    'Would change 52 users.',
    `${added} is a new tag. Check the spelling.`,
    `'${organization}' is a new organization. Check the spelling.`,
  ]);
  const done = await run(...change, '--yes');
  expect(done.stderr).toContain(`${added} is a new tag.`);
  expect((await run(...change, '--dry-run')).stderr).toBe(
    'And 2 more. To see all, use --json.\nWould change none of 52 users: 52 are already up to date.\n',
  );
});

test('changes nothing if the number of users changes after the preview', async () => {
  const organization = newId('ORG');
  const { serial } = await service.givenUser({ organizationSerial: organization });
  front.answer(
    path,
    async ({ response, pass }) => hand(response, await pass()),
    async ({ response, pass }) => {
      await service.givenUser({ organizationSerial: organization });
      hand(response, await pass());
    },
  );
  const raced = await run('--organization', organization, '--deactivate', '--yes');
  expect(raced).toEqual({
    code: 4,
    stdout: '',
    stderr:
      'The number of users who match has changed from 1 to 2 since the preview. Nothing was changed. Run the command again.\n',
  });
  expect(await service.readUser(serial)).toMatchObject({ isActive: true });
});

test.each<[args: string[], problem: string]>([
  [['--add-tag', 'T1'], 'with at least one filter'],
  [['--active', 'true', '--search', ' ', '--deactivate'], '--search is empty'],
  [['--tag', 'T1'], 'Specify what to change'],
  [['--tag', 'T1', '--add-tag', 'T2', '--remove-tag', 'T2'], '"T2" is both added and removed'],
  [['--tag', 'T1', '--activate', '--deactivate'], "'--deactivate' cannot be used with option '--activate'"],
  [['--tag', 'T1', '--set-organization', 'O1', '--clear-organization'], 'cannot be used with option'],
  [['--tag', 'T1', '--set-organization', ''], 'Must not be empty'],
])('rejects %j without sending anything', async (args, problem) => {
  const { code, stdout, stderr } = await run(...args, '--yes');
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(problem);
  expect(bodies()).toEqual([]);
});

test('says who matches nobody, and what to try', async () => {
  const tag = newId('T');
  const nobody = await run('--tag', tag, '--activate', '--yes');
  expect(nobody).toMatchObject({ code: 0, stderr: expect.stringContaining(`No users match --tag ${tag}.`) });
  expect(JSON.parse((await run('--tag', tag, '--activate', '--json')).stdout)).toEqual({
    callId: null,
    matched: 0,
    changed: 0,
    unchanged: 0,
    failed: 0,
    outcomes: [],
  });
});
