import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asFirstClient, inTerminal, rollcall } from '../../support/command.js';
import { type GivenUser, useService } from '../../support/service.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const service = useService();
const run = (...args: string[]) => rollcall(['users', ...args], asFirstClient(service));
const statusOf = async ({ serial }: GivenUser) => (await service.get(`/service/users/${serial}`)).status;

test('erases a user, by employee ID or serial', async () => {
  const [a, b] = [await service.givenUser(), await service.givenUser()];
  const [byId, bySerial] = await Promise.all([
    run('erase', a.employeeID, '--yes'),
    run('erase', b.serial, '--serial', '--yes', '--json'),
  ]);
  expect(byId).toMatchObject({ code: 0, stdout: `${a.serial}\n` });
  expect(JSON.parse(bySerial.stdout)).toEqual({ serial: b.serial, erasedAt: expect.any(String) });
  expect(await Promise.all([a, b].map(statusOf))).toEqual([410, 410]);
  const [again, unknown] = await Promise.all([
    run('erase', a.employeeID, '--yes'),
    run('erase', b.serial, '--serial', '--yes'),
  ]);
  expect(again).toMatchObject({ code: 4, stderr: expect.stringContaining('No user has the employee ID') });
  expect(unknown.code, 'erased already').toBe(0);
});

test('needs the ID to be typed again, or --yes', async () => {
  const user = await service.givenUser({ name: 'Ada Lovelace' });
  const without = await run('erase', user.employeeID);
  expect(without).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
  const wrong = inTerminal(['users', 'erase', user.employeeID], asFirstClient(service));
  await wrong.until(`All personal data of Ada Lovelace (${user.employeeID}, active) will be erased.`);
  await wrong.until('to confirm:');
  wrong.type('y\r');
  expect(await wrong.ended).toBe(4);
  expect(await statusOf(user)).toBe(200);
  const right = inTerminal(['users', 'erase', user.employeeID], asFirstClient(service));
  await right.until('to confirm:');
  right.type(`${user.employeeID}\r`);
  expect(await right.ended).toBe(0);
  expect(await statusOf(user)).toBe(410);
});

test('shows erased users by their serials in the list of changes', async () => {
  const user = await service.givenUser();
  await run('erase', user.employeeID, '--yes');
  const { stdout } = await run('history', user.serial, '--serial');
  expect(stdout).toContain(user.serial);
  expect(stdout).toContain('erased');
  expect(stdout).not.toContain('nothing → nothing');
});

test('exports what is known about a user to stdout or a file', async () => {
  const user = await service.givenUser();
  const file = join(temporaryDirectory(), 'data.json');
  const [shown, written, failed] = await Promise.all([
    run('export-data', user.employeeID),
    run('export-data', user.serial, '--serial', '--output', file),
    run('export-data', user.employeeID, '--output', join(file, 'nowhere', 'data.json')),
  ]);
  expect(JSON.parse(shown.stdout)).toMatchObject({ user: { serial: user.serial }, incomplete: [] });
  expect(written).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining(file) });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ user: { serial: user.serial } });
  expect(statSync(file).mode & 0o077).toBe(0);
  expect(failed).toMatchObject({ code: 2, stderr: expect.stringContaining('Cannot write') });
});

test('exports it as a page to read', async () => {
  const user = await service.givenUser({ name: 'Ada <Lovelace>' });
  const { code, stdout } = await run('export-data', user.employeeID, '--html');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^<!doctype html>\n<html lang="en">/);
  expect(stdout).toContain('<h1>Personal data of Ada &lt;Lovelace&gt;</h1>');
  expect(stdout).toContain(`<tr><th scope="row">Employee ID</th><td>${user.employeeID}</td></tr>`);
  expect(stdout).toContain('<h2>Changes</h2>');
});
