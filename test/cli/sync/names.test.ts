import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { undone } from '../../support/calls.js';
import { asFirstClient, rollcall } from '../../support/command.js';
import { givenEntry, readEntry } from '../../support/directories.js';
import { type GivenUser, newId, useService } from '../../support/service.js';
import { givenFile, sync, told } from './sync-command.js';

const service = useService();

/** An organization with a name, and two users of it. */
async function given() {
  const serial = newId('ORG');
  const name = `Vertrieb Nord ${serial}`;
  await givenEntry(service, 'organizations', serial, { displayName: name });
  const users = [
    await service.givenUser({ organizationSerial: serial }),
    await service.givenUser({ organizationSerial: serial, tagSerials: ['T1'] }),
  ] as const;
  return { serial, name, users };
}

const fileOf = (...rows: (readonly [GivenUser, organization: string, tags?: string])[]) =>
  givenFile(
    [
      'Employee ID,Organization,Tags',
      ...rows.map(([{ employeeID }, organization, tags = '']) => `${employeeID},${organization},"${tags}"`),
    ].join('\n'),
  );

const run = (file: ReturnType<typeof givenFile>, ...options: string[]) =>
  rollcall(['sync', file.name, ...options], asFirstClient(service), { cwd: file.home });

const organizationOf = async ({ serial }: GivenUser) => (await service.readUser(serial)).organizationSerial;

describe('rollcall sync', () => {
  test('finds organizations by serial, name and former name, in any case and with any white space', async () => {
    const { serial, name, users } = await given();
    const file = fileOf(
      [users[0], ` ${name.toUpperCase().replaceAll(' ', '\u00a0 ')}`],
      [users[1], serial, 't1'],
    );
    expect(told((await sync(service, file)).report)).toEqual([
      [2, 'unchanged'],
      [3, 'unchanged'],
    ]);
    await givenEntry(service, 'organizations', serial, { displayName: `Sales ${serial}` });
    const { report, stderr } = await sync(service, file);
    expect(told(report)).toEqual([
      [2, 'unchanged'],
      [3, 'unchanged'],
    ]);
    expect(stderr).toMatch(/Organizations: 1 by former names \("VERTRIEB.* → ORG\w+ \(Sales ORG/);
  });

  test('stops before anything changes if a name is unknown, and says what it may mean', async () => {
    const { serial, name, users } = await given();
    const [typo, other] = [`Vertreib Nord ${serial}`, newId('Elsewhere')];
    const { code, stdout, stderr } = await run(
      fileOf([users[0], typo], [users[1], typo.toLowerCase(), other]),
    );
    expect([code, stdout]).toEqual([4, '']);
    expect(stderr).toContain('1 organization and 1 tag in users.csv are not known. Nothing was changed.');
    expect(stderr).toContain(`organization "${typo}", 2 rows from row 2. Did you mean ${serial} (${name})?`);
    expect(stderr).toContain(`tag "${other}", row 3.`);
    expect(stderr).toContain(`--organization '${typo}=${serial}'`);
    expect(await organizationOf(users[0])).toBe(serial);
    expect(await readEntry(service, 'tags', other)).toBe(404);
  });

  test('uses what --organization and --tag say, and remembers it', async () => {
    const { serial, users } = await given();
    const [alias, nothing] = [newId('Alias'), newId('Nothing')];
    const file = fileOf([users[0], alias], [users[1], nothing, `${nothing}, T1`]);
    const decisions = [
      '--organization',
      `${alias}=${serial}`,
      '--organization',
      `${nothing}=`,
      '--tag',
      `${nothing}=`,
    ];
    const unchanged = [
      [2, 'unchanged'],
      [3, 'unchanged'],
    ];
    expect((await run(file, '--dry-run', ...decisions)).code).toBe(0);
    expect((await run(file, '--dry-run')).code, 'a dry run remembers nothing').toBe(4);
    expect(told((await sync(service, file, ...decisions)).report)).toEqual(unchanged);
    const { report, stderr } = await sync(service, file, '--empty', 'clears');
    expect(told(report), stderr).toEqual(unchanged);
    expect(stderr).toContain(`1 as decided ("${alias}" → ${serial}`);
    const wrong = await run(file, '--organization', `${alias}=${newId('Gone')}`);
    expect(wrong).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no organization is called "Gone'),
    });
  });

  test('writes the names to decide about to a file, and reads the decisions from it', async () => {
    const { serial, name, users } = await given();
    // Unlike the tags of other tests, so that there is nothing to suggest.
    const [typo, fresh] = [`Vertreib Nord ${serial}`, `${newId('Beauftragte')} für Arbeitssicherheit`];
    const file = fileOf([users[0], typo, fresh]);
    const names = join(file.home, 'names.csv');
    const first = await run(file, '--names', 'names.csv');
    expect(first).toMatchObject({ code: 4, stderr: expect.stringContaining('They are in names.csv now.') });
    expect(readFileSync(names, 'utf8').slice(1).split('\r\n')).toEqual([
      'field,name,rows,decision,serial,suggestion',
      expect.stringContaining(`organization,${typo},1,,${serial},`),
      `tag,${fresh},1,,,`,
      '',
    ]);
    expect((await run(file, '--names', 'names.csv')).code, 'nothing is decided yet').toBe(4);
    writeFileSync(
      names,
      `field;name;decision;serial\norganization;${typo};use;${name.toUpperCase()}\ntag;${fresh};Create;\n`,
    );
    const { report, summary } = await sync(service, file, '--names', 'names.csv');
    expect(told(report)).toEqual([[2, 'updated']]);
    expect(summary).toMatchObject({
      changedFields: { tagSerials: 1 },
      newOrganizations: [],
      newTags: [fresh],
    });
    expect(told((await sync(service, file, '--names', 'names.csv')).report)).toEqual([[2, 'unchanged']]);
    writeFileSync(names, 'field,name,decision,serial\nperson,a,use,b\n');
    const wrong = await run(file, '--names', 'names.csv');
    expect(wrong.stderr).toContain('In row 2, the field must be organization or tag.');
    expect(wrong.code).toBe(2);
  });

  test('creates unknown entries if told to, sums up by field, and an undo makes them unknown again', async () => {
    const { serial, users } = await given();
    const [fresh, twin] = [newId('Fresh'), newId('Twin')];
    const file = fileOf([users[0], fresh], [users[1], ` ${fresh.toUpperCase()}`]);
    const { stdout, stderr } = await run(file, '--unknown', 'create');
    expect(stdout).toContain('Organization: 2 users, 1 new organization');
    expect(await organizationOf(users[1])).toBe(fresh);
    expect((await run(file, '--dry-run')).code).toBe(0);
    const [, requestId = ''] = /--request-id (\S+)/.exec(stderr) ?? [];
    const { json } = await service.get(`/service/calls?requestId=${requestId}`);
    await undone(service, json.data.items[0].id);
    expect(await organizationOf(users[0])).toBe(serial);
    expect((await run(file, '--dry-run')).stderr).toContain(`organization "${fresh}", 2 rows`);

    for (const each of [newId('S'), newId('S')]) {
      await givenEntry(service, 'organizations', each, { displayName: twin });
    }
    const ambiguous = await run(fileOf([users[0], twin]), '--unknown', 'create');
    expect(ambiguous).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/It may be S\w+ \(Twin\w+\) or S/),
    });
  });
});
