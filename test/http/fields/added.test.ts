import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type * as main from '../../../src/main.js';
import { callIdOf, undo } from '../../support/calls.js';
import { asFirstClient } from '../../support/command.js';
import { patchUser } from '../../support/deliveries.js';
import { anItem, type GivenUser, newId, TestService } from '../../support/service.js';

const root = join(import.meta.dirname, '../../..');
/** A copy of the built service, with one more row in its table of fields and a migration for its column. */
const copy = join(root, 'node_modules/.cache', newId('with-field-'));
const row = `hobby: {
  kind: 'text', column: 'hobby', isSearched: true, label: 'Hobby', description: 'What people call it.', maxLength: 20,
  example: 'Research', option: '--hobby <name>', optionHelp: 'hobby', width: 20,
}`;

let service: TestService;

beforeAll(async () => {
  mkdirSync(copy);
  for (const part of ['dist', 'migrations', 'package.json']) {
    cpSync(join(root, part), join(copy, part), { recursive: true });
  }
  for (const part of ['client', 'sheets', 'templates']) symlinkSync(join(root, part), join(copy, part));
  const table = join(copy, 'dist/contract/user-fields.js');
  writeFileSync(table, readFileSync(table, 'utf8').replace('tagSerials: {', `${row}, tagSerials: {`));
  writeFileSync(join(copy, 'migrations/9999_hobby.sql'), 'ALTER TABLE users ADD COLUMN hobby text');
  const { startService }: typeof main = await import(join(copy, 'dist/main.js'));
  service = await TestService.start({}, startService);
});

afterAll(async () => {
  await service?.stop();
  rmSync(copy, { recursive: true, force: true });
});

const hobbyOf = async ({ serial }: { serial: string }) => (await service.readUser(serial)).hobby;
const given = (hobby?: string): Promise<GivenUser> => service.givenUser({ hobby });

describe('a field that was added to the table', { tags: 'release' }, () => {
  test('is stored by a create, and empty by default', async () => {
    expect(await hobbyOf(await given('Research'))).toBe('Research');
    expect(await hobbyOf(await given())).toBeNull();
  });

  test('is updated, kept, returned and cleared by a bulk update, and restored by its undo', async () => {
    const [changed, kept, cleared] = await Promise.all([given('Old'), given('Kept'), given('Old')]);
    const reply = await service.updateBulk([
      anItem(changed, { hobby: 'New' }),
      anItem(kept, { phone: '1' }),
      anItem(cleared, { hobby: '' }),
    ]);
    expect(reply.json.data.failedItems).toEqual([]);
    expect(reply.json.data.successItems[0].payload).toMatchObject({ hobby: 'New' });
    expect(await Promise.all([changed, kept, cleared].map(hobbyOf))).toEqual(['New', 'Kept', null]);
    await undo(service, callIdOf(reply));
    expect(await Promise.all([changed, kept, cleared].map(hobbyOf))).toEqual(['Old', 'Kept', 'Old']);
  });

  test('is created and updated by an upsert', async () => {
    const user = await given('Old');
    const newcomer = { employeeID: newId(), name: 'Grace', email: 'g@example.com', isActive: true };
    const reply = await service.upsertBulk([
      { employeeID: user.employeeID, hobby: 'New' },
      { ...newcomer, hobby: 'Navy' },
    ]);
    expect(reply.json.data.failedItems).toEqual([]);
    const { data } = (await service.get(`/service/users?employeeID=${newcomer.employeeID}`)).json;
    expect([await hobbyOf(user), data.items[0].hobby]).toEqual(['New', 'Navy']);
  });

  test('is patched, in the history, and in the personal data', async () => {
    const user = await given('Old');
    await patchUser(service, user.serial, { hobby: 'New' });
    const { data } = (await service.get(`/service/changes?userSerial=${user.serial}&field=hobby`)).json;
    expect(data.items[0].fields).toEqual({ hobby: { before: 'Old', after: 'New' } });
    const personal = (await service.get(`/service/users/${user.serial}/personal-data`)).json.data;
    expect(personal.user.hobby).toBe('New');
    expect(JSON.stringify(personal.changes)).toContain('"Old"');
  });

  test('is searched', async () => {
    const user = await given('Ornithology');
    await expect
      .poll(async () => (await service.get('/service/users?search=nithol')).json.data.items)
      .toEqual([expect.objectContaining({ serial: user.serial })]);
  });

  test('is erased with its user, everywhere', async () => {
    const secret = newId('Dept');
    const user = await given(secret);
    await service.request('DELETE', `/service/users/${user.serial}`);
    const { rows } = await service.database.pool.query(
      'SELECT FROM changes WHERE user_serial = $1 AND fields::text LIKE $2',
      [user.serial, `%${secret}%`],
    );
    expect(rows).toEqual([]);
  });

  test('has the rule that its row describes', async () => {
    const user = await given('Old');
    const reply = await service.updateBulk([anItem(user, { hobby: 'x'.repeat(21) })]);
    expect(reply.json.data.failedItems[0].error).toMatchObject({
      message: 'USER_FIELD_INVALID',
      detail: expect.stringContaining('"hobby"'),
    });
  });

  test('is an option of the command line, and a column of its exports', async () => {
    const user = await given('Old');
    const env = { ...process.env, ...asFirstClient(service) };
    const rollcall = (...args: string[]) =>
      promisify(execFile)(process.execPath, [join(copy, 'dist/cli.js'), ...args], { env });
    await rollcall('users', 'update', user.employeeID, '--hobby', 'New');
    expect((await rollcall('users', 'get', user.employeeID)).stdout).toMatch(/hobby\s+New/);
    const { stdout } = await rollcall('export');
    const [headings = '', ...lines] = stdout.trim().split('\n');
    expect(headings).toContain('hobby');
    expect(lines.find((line) => line.includes(user.employeeID))).toContain('New');
  });
});
