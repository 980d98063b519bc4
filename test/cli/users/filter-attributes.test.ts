import { expect, test } from 'vitest';
import { asFirstClient, rollcall } from '../../support/command.js';
import { newId, useService } from '../../support/service.js';

const service = useService();
const run = (...args: string[]) => rollcall(args, asFirstClient(service));

test('users are listed, sorted, exported and updated by attributes', async () => {
  const key = newId('a').replace(/[^A-Za-z0-9]/g, '');
  const defined = await service.post('/service/attributes', { key, type: 'number', isFilterable: true });
  expect(defined.status).toBe(201);
  const [two, five] = [
    await service.givenUser({ attributes: { [key]: 2 } }),
    await service.givenUser({ attributes: { [key]: 5 } }),
  ];
  const ids = async (...args: string[]) => {
    const { stdout, stderr } = await run('users', 'list', ...args, '--json');
    expect(stderr).toBe('');
    return JSON.parse(stdout).map(({ employeeID }: { employeeID: string }) => employeeID);
  };
  expect(await ids('--attribute', `${key}=5`)).toEqual([five.employeeID]);
  expect(await ids('--attribute-from', `${key}=2`, '--attribute-to', `${key}=4`)).toEqual([two.employeeID]);
  expect(await ids('--with-attribute', key, '--sort', `-attributes.${key}`)).toEqual([
    five.employeeID,
    two.employeeID,
  ]);
  const exported = await run('export', '--attribute', `${key}=5`, '--columns', `employeeID,${key}`);
  expect(exported.stdout).toBe(`employeeID,${key}\r\n${five.employeeID},5\r\n`);
  const cleared = await run(
    'users',
    'update-matching',
    '--attribute',
    `${key}=2`,
    '--set-attribute',
    `${key}=`,
    '--yes',
  );
  expect(cleared.code, cleared.stderr).toBe(0);
  expect(await ids('--with-attribute', key)).toEqual([five.employeeID]);
  const nobody = await run('users', 'list', '--attribute', `${key}=9`);
  expect(nobody.stderr).toContain(`No users match --attribute '${key}=9'.`);
});
