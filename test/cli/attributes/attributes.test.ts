import { expect, test } from 'vitest';
import { asFirstClient, rollcall } from '../../support/command.js';
import { newId, useOwnService } from '../../support/service.js';

const service = useOwnService(); // lists and plans name every attribute
const run = (...args: string[]) => rollcall(args, asFirstClient(service));
const json = async (...args: string[]) => {
  const { code, stdout, stderr } = await run(...args, '--json');
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
};

test('attributes are created, listed, changed, renamed, retired and restored', async () => {
  const none = await run('attributes', 'list');
  expect(none).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('no attributes yet') });
  const labels = ['--label', 'en=Department', '--label', 'de=Abteilung', '--synonym', 'Dept'];
  const department = ['attributes', 'create', 'department', '--type', 'text', ...labels, '--filterable'];
  expect((await run(...department)).code).toBe(0);
  const site = ['attributes', 'create', 'site', '--type', 'choice', '--choice', 'Berlin', '--choice', 'Lyon'];
  expect(await json(...site)).toMatchObject({ key: 'site', choices: ['Berlin', 'Lyon'] });
  const list = await run('attributes', 'list');
  expect(list.stdout.split('\n').map((line) => line.replace(/(?<=\S) {3,}/g, ' | '))).toEqual([
    'KEY | TYPE | LABEL | LIMITS | FLAGS',
    'department | text | Department | filterable',
    'site | choice | Berlin, Lyon',
    '',
  ]);
  expect(list.stderr).toBe('2 attributes.\n');

  const change = ['--key', 'team', '--label', 'de=', '--label', 'es=Equipo', '--filterable', 'false'];
  const changed = await json('attributes', 'update', 'department', ...change, '--clear', 'synonyms');
  expect(changed).toMatchObject({
    ...{ key: 'team', labels: { en: 'Department', es: 'Equipo' }, synonyms: [], isFilterable: false },
  });
  expect((await run('attributes', 'show', 'team')).stdout).toMatch(/^labels +en: Department, es: Equipo$/m);
  expect((await run('attributes', 'retire', 'team')).code).toBe(0);
  expect((await run('attributes', 'list')).stdout).toMatch(/^team .* retired$/m);
  expect(await json('attributes', 'restore', 'team')).toMatchObject({ isRetired: false });
  const wrong = await Promise.all([
    run('attributes', 'update', 'team'),
    run('attributes', 'update', 'team', '--synonym', 'x', '--clear', 'synonyms'),
    run('attributes', 'update', 'team', '--label', 'fr=Service'),
    run('attributes', 'show', 'nothing'),
    run('attributes', 'update', 'site', '--minimum', '3'),
  ]);
  expect(wrong.map(({ code }) => code)).toEqual([2, 2, 2, 4, 4]);
  expect(wrong[4]?.stderr).toContain('"minimum" is not for the type choice');
});

const yaml = `attributes:
  - key: floor
    type: number
    labels: { en: Floor }
    minimum: 0
  - key: site
    choices: [Berlin, Lyon, Madrid]
    isFilterable: true
  - key: since
    type: date
    minimum: 2020-01-01
    isRetired: true
`;

test('a file is applied once, and changes nothing the second time', async () => {
  const apply = (content: string, ...options: string[]) =>
    rollcall(['attributes', 'apply', '-', ...options], asFirstClient(service), { input: content });
  const planned = await apply(yaml, '--dry-run');
  expect(planned.stdout.split('\n')).toEqual([
    '+ floor  number; labels: en: Floor; minimum: 0',
    '~ site   choices: Berlin, Lyon → Berlin, Lyon, Madrid; isFilterable: false → true',
    '+ since  date; minimum: 2020-01-01; isRetired: true',
    '',
  ]);
  expect(planned.stderr).toBe(
    'Dry run: nothing was changed. 2 to create, 1 to change, 0 up to date. 1 attribute is not in the file and stays as it is.\n',
  );
  const done = await apply(yaml);
  expect(done).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^2 created, 1 changed, 0 up to date\./),
  });
  const again = await apply(yaml, '--json');
  expect(JSON.parse(again.stdout)).toEqual({
    ...{ dryRun: false, created: [], changed: [], unchanged: 3, notInFile: ['team'] },
  });
  expect(await json('attributes', 'show', 'since')).toMatchObject({ minimum: '2020-01-01', isRetired: true });

  const refused = await apply(
    'attributes:\n- { key: a, type: text }\n- { key: b, type: text, minimum: 3 }\n',
  );
  expect(refused).toMatchObject({ code: 4, stdout: expect.stringContaining('+ b') });
  expect(refused.stderr).toBe(
    'stdin:3: Could not create b: "minimum" is not for the type text, only for number, date. 1 attribute before it in the file was applied.\n',
  );
  const invalid = await apply('attributes:\n- key: floor\n  type: text\n- key: new\n- key: siTe\n');
  expect(invalid).toMatchObject({ code: 2, stdout: '' });
  expect(invalid.stderr.split('\n')).toEqual([
    'stdin:2: "floor" is of the type number, which cannot be changed to text. Define another attribute instead.',
    'stdin:4: "new" is new, so it needs a type.',
    'stdin:5: "siTe" is defined as "site". Use that key.',
    'Nothing was changed.',
    '',
  ]);
});

test('users are created, updated and shown with attributes, whose history is readable', async () => {
  const skills = ['attributes', 'create', 'skills', '--type', 'list'];
  expect((await run(...skills)).code).toBe(0);
  const employeeID = newId();
  const user = ['--employee-id', employeeID, '--name', 'Ada', '--email', 'ada@example.com'];
  const values = ['--attribute', 'floor=2,5', '--attribute', 'skills=C, Go', '--attribute', 'site=berlin'];
  expect((await run('users', 'create', ...user, ...values)).code).toBe(0);
  const update = ['users', 'update', employeeID, '--attribute', 'site=Lyon', '--attribute', 'skills='];
  expect((await json(...update)).attributes).toEqual({ floor: 2.5, site: 'Lyon' });
  expect((await run('users', 'get', employeeID)).stdout).toMatch(/^floor +2\.5$/m);
  const history = await run('users', 'history', employeeID);
  expect(history.stdout).toContain('site: Berlin → Lyon, skills: C Go → nothing');
  expect(history.stdout).toMatch(/ created .*\bfloor: 2\.5\b/);
  const wrong = await Promise.all([
    run('users', 'update', employeeID, '--attribute', 'floor=high'),
    run('users', 'update', employeeID, '--attribute', 'flor=1'),
    run('users', 'update', employeeID, '--attribute', 'floor'),
    run('users', 'update', employeeID, '--attribute', 'floor=1', '--attribute', 'floor=2'),
  ]);
  expect(wrong.map(({ code }) => code)).toEqual([2, 2, 2, 2]);
  expect(wrong[0]?.stderr).toBe(
    '--attribute floor: must be a number such as 1234.5, of at most 15 digits, not less than 0.\n',
  );
  expect(wrong[1]?.stderr).toBe('--attribute flor: there is no such attribute. Did you mean floor?\n');
});

test('all users who match get an attribute, or lose it', async () => {
  const { serial } = await service.givenUser({ attributes: { site: 'Lyon' } });
  const matching = ['users', 'update-matching', '--serial', serial, '--yes'];
  const change = ['--set-attribute', 'floor=3', '--set-attribute', 'site='];
  const preview = await run(...matching, ...change, '--dry-run');
  expect(preview.stdout).toContain('site: Lyon → nothing, floor: nothing → 3');
  expect((await run(...matching, ...change)).code).toBe(0);
  expect((await service.readUser(serial)).attributes).toEqual({ floor: 3 });
});
