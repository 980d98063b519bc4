import { expect, test } from 'vitest';
import { asFirstClient, inTerminal, rollcall } from '../../support/command.js';
import { newId, useService } from '../../support/service.js';

const service = useService();
const run = (...args: string[]) => rollcall(args, asFirstClient(service));

test('delete says how many users lose a value, and asks before it does so', async () => {
  const key = newId('a').replace(/[^A-Za-z0-9]/g, '');
  expect((await service.post('/service/attributes', { key, type: 'text' })).status).toBe(201);
  const { serial } = await service.givenUser({ attributes: { [key]: 'x' } });
  expect(await run('attributes', 'delete', key)).toMatchObject({
    ...{ code: 2, stderr: expect.stringContaining('pass --yes') },
  });
  const terminal = inTerminal(['attributes', 'delete', key], asFirstClient(service));
  await terminal.until(`Delete the attribute ${key}? 1 user loses their value. [y/N]`);
  terminal.type('n\r');
  expect(await terminal.ended).toBe(4);
  expect((await service.readUser(serial)).attributes).toEqual({ [key]: 'x' });

  const deleted = await run('attributes', 'delete', key, '--yes');
  expect(deleted).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(`Deleted ${key} and the values of 1 user.`),
  });
  expect((await service.readUser(serial)).attributes).toEqual({});
  expect((await run('attributes', 'show', key)).code).toBe(4);
});
