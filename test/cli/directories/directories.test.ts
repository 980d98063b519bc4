import { expect, test } from 'vitest';
import { asFirstClient, inTerminal, rollcall } from '../../support/command.js';
import { type GivenUser, newId, useService } from '../../support/service.js';

const service = useService();
const run = (...args: string[]) => rollcall(args, asFirstClient(service));

test('names and nests organizations, keeps what is not given, and lists them flat or as a tree', async () => {
  const id = newId();
  const [company, sales, berlin] = [`${id} Company`, `${id} A/B?`, `${id}-0042`];
  await service.givenUser({ organizationSerial: sales });
  await service.givenUser({ organizationSerial: sales, isActive: false });

  const created = await run('organizations', 'set', company, '--name', 'Whole company');
  expect(created).toMatchObject({ code: 0, stderr: 'This organization is new in the directory.\n' });
  const named = await run('organizations', 'set', sales, '--name', 'Sales, Berlin', '--parent', company);
  expect(named).toMatchObject({ code: 0, stderr: '' });
  const nested = await run('organizations', 'set', berlin, '--parent', sales, '--json');
  expect(JSON.parse(nested.stdout)).toEqual({
    serial: berlin,
    displayName: null,
    parentSerial: sales,
    hasParts: false,
    users: { total: 0, active: 0, isExact: true },
  });
  const inCompany = ['users', 'list', '--organization', company, '--count'];
  expect((await run(...inCompany)).stdout).toBe('0\n');
  expect((await run(...inCompany, '--include-parts')).stdout).toBe('2\n');
  const alone = await run('users', 'list', '--include-parts');
  expect(alone).toMatchObject({ code: 2, stderr: '--include-parts requires --organization.\n' });
  const tree = await run('organizations', 'list', id, '--tree');
  expect(tree.stdout.split('\n').map((line) => line.replace(/(?<=\S) {3,}/g, ' | '))).toEqual([
    'SERIAL | NAME | PARENT | USERS | ACTIVE',
    `${company} | Whole company | 0 | 0`,
    `  ${sales} | Sales, Berlin | ${company} | 2 | 1`,
    `    ${berlin} | ${sales} | 0 | 0`,
    '',
  ]);
  expect(tree.stderr).toBe('3 organizations.\n');
  const flat = await run('organizations', 'list', id, '--limit', '1');
  expect(flat.stdout.split('\n')[1]).toMatch(new RegExp(`^${id} A/B\\? `));
  expect(flat.stderr).toBe('The first 1 organization. For more, use --limit 2 or --all.\n');

  const renamed = await run('organizations', 'set', sales, '--name', 'Vertrieb');
  expect(renamed.stdout).toMatch(new RegExp(`^parent +${company}$`, 'm'));
  const moved = await run('organizations', 'set', sales, '--no-parent', '--json');
  expect(JSON.parse(moved.stdout)).toMatchObject({ displayName: 'Vertrieb', parentSerial: null });
  const cleared = await run('organizations', 'set', sales, '--no-name', '--parent', `${id} typo`);
  expect(cleared.stderr).toBe(
    `The parent '${id} typo' is not in the directory. To add it: rollcall organizations set '${id} typo' --name NAME\n`,
  );
  const [shown, circle, nothing, empty, unknown] = await Promise.all([
    run('organizations', 'get', sales, '--json'),
    run('organizations', 'set', sales, '--parent', berlin),
    run('organizations', 'set', sales),
    run('organizations', 'set', sales, '--name', ''),
    run('organizations', 'show', newId()),
  ]);
  expect(JSON.parse(shown.stdout)).toEqual({
    serial: sales,
    displayName: null,
    parentSerial: `${id} typo`,
    hasParts: true,
    users: { total: 2, active: 1, isExact: true },
  });
  expect(circle).toMatchObject({ code: 4, stderr: expect.stringContaining('or a part of it') });
  expect(nothing).toMatchObject({ code: 2, stderr: expect.stringContaining('Nothing to set') });
  expect(empty).toMatchObject({ code: 2, stderr: expect.stringContaining('Must not be empty') });
  expect(unknown.code).toBe(4);
});

test('lists, names and deletes tags that no user has', async () => {
  const tag = `${newId('T')} / 100%`;
  const user = await service.givenUser({ tagSerials: [tag] });
  expect((await run('tags', 'set', tag, '--name', 'Odd')).code).toBe(0);
  const list = await run('tags', 'list', tag);
  expect(list.stdout).toMatch(/^SERIAL +NAME +USERS +ACTIVE$/m);
  expect(list.stdout).toContain(`${tag}   Odd        1        1\n`);

  const used = await run('tags', 'delete', tag, '--yes');
  expect(used).toMatchObject({ code: 4, stderr: expect.stringContaining('Merge it into another one first') });
  expect((await run('users', 'update', user.employeeID, '--clear', 'tags')).code).toBe(0);
  const unsure = await run('tags', 'delete', tag);
  expect(unsure).toMatchObject({ code: 2, stderr: expect.stringContaining('pass --yes') });
  const terminal = inTerminal(['tags', 'delete', tag], asFirstClient(service));
  await terminal.until(`Remove the tag '${tag}' (Odd) from the directory? This cannot be undone. [y/N]`);
  terminal.type('y\r');
  expect(await terminal.ended).toBe(0);
  const gone = await run('tags', 'list', tag);
  expect(gone).toMatchObject({ code: 0, stdout: '', stderr: expect.stringMatching(/^No tags match/) });
});

test('rename previews, asks, changes all users, and can be undone', async () => {
  const [from, to] = [`${newId('ORG')} a/b`, `${newId('ORG')} c?d`];
  const users: GivenUser[] = [];
  for (let made = 0; made < 7; made++) users.push(await service.givenUser({ organizationSerial: from }));
  const organizationOf = async ({ serial }: GivenUser) => (await service.readUser(serial)).organizationSerial;
  const [first] = users as [GivenUser];
  const rename = (...args: string[]) => run('organizations', 'rename', from, to, ...args);
  await run('organizations', 'set', from, '--name', 'Sales');

  const preview = await rename('--dry-run');
  expect(preview.stderr).toBe(
    `Would change 7 users.\n'${to}' takes over the display name, the parent and the parts of '${from}'.\n`,
  );
  expect(preview.stdout.trimEnd().split('\n')).toHaveLength(1 + 7);
  const [script, mistaken, asJson] = await Promise.all([
    rename(),
    rename('--confirm', '6'),
    rename('--confirm', '0', '--json'),
  ]);
  expect(script).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('To proceed, pass --confirm 7, or --yes for any number of users.'),
  });
  expect(mistaken).toMatchObject({
    code: 4,
    stdout: '',
    stderr: expect.stringMatching(/^7 users match, not 6\. Nothing was changed\..*pass --confirm 7\.\n$/),
  });
  expect(JSON.parse(asJson.stderr).error).toMatchObject({ exit: 'refused', code: 10306 });

  const hesitant = inTerminal(['organizations', 'rename', from, to], asFirstClient(service));
  await hesitant.until(/would change +organization: .* → .*And 2 more\..*Change 7 users\? \[y\/N\]/s);
  hesitant.type('\r');
  expect(await hesitant.ended).toBe(4);
  expect(hesitant.screen()).toContain('Aborted. Nothing was changed.');
  expect(await organizationOf(first)).toBe(from);

  const decided = inTerminal(['organizations', 'rename', from, to], asFirstClient(service));
  await decided.until('[y/N]');
  decided.type('y\r');
  expect(await decided.ended).toBe(0);
  expect(decided.screen()).toContain('Changed 7 users.');
  expect(new Set(await Promise.all(users.map(organizationOf)))).toEqual(new Set([to]));
  const { stdout } = await run('organizations', 'show', to, '--json');
  expect(JSON.parse(stdout)).toMatchObject({ displayName: 'Sales', users: { total: 7 } });

  const [, call = ''] = /To undo: rollcall calls undo (\S{36})/.exec(decided.screen()) ?? [];
  expect((await run('calls', 'undo', call, '--yes')).code).toBe(0);
  expect(new Set(await Promise.all(users.map(organizationOf)))).toEqual(new Set([from]));
  const former = await run('organizations', 'show', from, '--json');
  expect(JSON.parse(former.stdout)).toMatchObject({ displayName: 'Sales', users: { total: 7 } });
  await service.givenUser({ organizationSerial: to });
  const taken = await rename('--yes');
  expect(taken).toMatchObject({
    code: 4,
    stderr: expect.stringContaining(`rollcall organizations merge '${from}' --into '${to}'`),
  });
  expect(await run('organizations', 'merge', from, '--into', 'NOPE', '--yes')).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('has the serial "NOPE"'),
  });
  const merged = await run('organizations', 'merge', '--into', to, from, '--confirm', '7');
  expect(merged).toMatchObject({ code: 0, stdout: '' });
  expect(merged.stderr).toContain(`To remove it: rollcall organizations delete '${from}'`);
  expect(await organizationOf(first)).toBe(to);
});

test('merges tags of users who have both, and renames a tag that no user has', async () => {
  const [one, two, three] = [newId('T'), newId('T'), newId('T')];
  const both = await service.givenUser({ tagSerials: [one, two] });
  await run('tags', 'set', one, '--name', 'One'); // otherwise it could be forgotten with its last user
  const merged = await run('tags', 'merge', one, '--into', two, '--yes', '--json');
  expect(JSON.parse(merged.stdout)).toMatchObject({
    callId: expect.stringMatching(/^\S{36}$/),
    matched: 1,
    changed: 1,
    failed: 0,
    outcomes: [{ employeeID: both.employeeID, serial: both.serial, ok: true, effect: { kind: 'updated' } }],
  });
  expect((await service.readUser(both.serial)).tagSerials).toEqual([two]);

  const again = await run('tags', 'merge', one, '--into', two, '--yes');
  expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('there is nothing to merge') });
  expect(await run('tags', 'rename', one, three)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('pass --confirm 0'),
  });
  expect(await run('tags', 'rename', one, three, '--yes')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(`Renamed ${one} to ${three}.\n`),
  });
  expect((await run('tags', 'show', three)).code).toBe(0);
  expect((await run('tags', 'show', one)).code).toBe(4);
  expect((await run('tags', 'rename', one, one)).code).toBe(2);
  expect((await run('tags', 'merge', one)).code).toBe(2);
});
