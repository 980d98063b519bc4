import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { asFirstClient, rollcall } from '../../support/command.js';
import { noticesOf } from '../../support/deliveries.js';
import { newId, useService } from '../../support/service.js';
import { givenFile, sync, told, userOf } from './sync-command.js';

const service = useService();

const heading = 'employeeID,name,username,email,phone,isActive,tagSerials,organizationSerial,password\n';

async function changesOf(serial: string) {
  const reply = await service.get(`/service/changes?userSerial=${serial}`);
  return reply.json.data.items as { kind: string; fields: Record<string, unknown> }[];
}

describe('rollcall sync', () => {
  test('creates new users, updates known ones, skips unchanged ones and reports each row', async () => {
    const known = await service.givenUser({ phone: '+44 1234', tagSerials: ['T1'] });
    const same = await service.givenUser({ organizationSerial: 'ORG1' });
    const [fresh, wrong, lacking] = [newId(), newId(), newId()];
    const file = givenFile(
      `${heading}` +
        `${fresh},Grace Hopper,${fresh},grace@example.com,,true,"T1, T2",ORG7,first secret\n` +
        `${known.employeeID},Ada King,,,+44 5678,yes,,,\n` +
        `${same.employeeID},Ada Lovelace,,ada@example.com,,1,,ORG1,never sent\n` +
        `${wrong},Bad Phone,,,${'1'.repeat(256)},true,,,\n` +
        `${lacking},No Contact,,,,true,,,\n`,
    );
    const { code, summary, report, stderr, stdout } = await sync(service, file, '--unknown', 'create');
    expect(code, stderr).toBe(1);
    expect(told(report)).toEqual([
      [2, 'created'],
      [3, 'updated'],
      [4, 'unchanged'],
      [5, 'failed: FIELD_INVALID'],
      [6, 'failed: CONTACT_REQUIRED'],
    ]);
    expect(report[1]).toMatchObject({ serial: known.serial, changed: ['name', 'phone'] });
    expect(summary).toMatchObject({
      rows: 5,
      created: 1,
      updated: 1,
      unchanged: 1,
      failed: 2,
      dryRun: false,
    });
    expect(await userOf(service, fresh)).toMatchObject({
      serial: report[0]?.serial,
      name: 'Grace Hopper',
      username: fresh,
      tagSerials: ['T1', 'T2'],
      organizationSerial: 'ORG7',
    });
    expect(await userOf(service, known.employeeID)).toMatchObject({
      name: 'Ada King',
      phone: '+44 5678',
      email: 'ada@example.com',
      tagSerials: ['T1'],
    });
    expect(await changesOf(same.serial), 'unchanged is not sent').toHaveLength(1);
    expect(stdout + stderr + JSON.stringify(report)).not.toMatch(/first secret|never sent/);

    const again = await sync(service, file);
    expect(again.summary).toMatchObject({ created: 0, updated: 0, unchanged: 3, failed: 2 });
  });

  test('uses one request ID, and the name of the file, for all calls, so they can be found and undone together', async () => {
    const ids = [newId(), newId()];
    const file = givenFile(`employeeID,name,email\n${ids[0]},A,a@example.com\n${ids[1]},B,b@example.com\n`);
    const { summary } = await sync(service, file, '--chunk', '1', '--note', 'November');
    const calls = await service.get(`/service/calls?requestId=${summary.requestId}`);
    const call = { kind: 'upsert-bulk', source: file.name, note: 'November' };
    expect(calls.json.data.items).toMatchObject([call, call]);
  });

  test('changes an email together with the rest of the row, in a call that can be undone', async () => {
    const user = await service.givenUser();
    const file = givenFile(`employeeID,name,email\n${user.employeeID},Ada King,king@example.com\n`);
    const { report, code, summary } = await sync(service, file);
    expect(code).toBe(0);
    expect(report).toMatchObject([{ outcome: 'updated', changed: ['name', 'email'], serial: user.serial }]);
    expect(await userOf(service, user.employeeID)).toMatchObject({
      name: 'Ada King',
      email: 'king@example.com',
    });
    expect(await changesOf(user.serial), 'in one change').toHaveLength(2);
    expect(await noticesOf(service, user.serial)).toEqual([]);
    const again = givenFile(`employeeID,email\n${user.employeeID},ada.king@example.com\n`);
    await sync(service, again, '--notify');
    expect(await noticesOf(service, user.serial)).toHaveLength(1);
    const calls = await service.get(`/service/calls?requestId=${summary.requestId}`);
    expect(calls.json.data.items).toMatchObject([{ kind: 'upsert-bulk', changes: 1 }]);
  });

  test('passes usernames between users, whatever the order of rows', async () => {
    const [first, second] = [newId('u'), newId('u')];
    const a = await service.givenUser({ username: first });
    const b = await service.givenUser({ username: second });
    const file = givenFile(`employeeID,username\n${a.employeeID},${second}\n${b.employeeID},${first}\n`);
    const { report, code } = await sync(service, file, '--chunk', '1');
    expect({ code, told: told(report) }).toEqual({
      code: 0,
      told: [
        [2, 'updated'],
        [3, 'updated'],
      ],
    });
    expect(await userOf(service, a.employeeID)).toMatchObject({ username: second });
  });

  test('keeps a field if its cell is empty; --empty clears clears it, except name and status', async () => {
    const user = await service.givenUser({ phone: '+44 1234', username: newId('u'), isActive: false });
    const file = givenFile(`employeeID,name,username,phone,isActive\n${user.employeeID},,,,\n`);
    expect(told((await sync(service, file)).report)).toEqual([[2, 'unchanged']]);
    const { report } = await sync(service, file, '--empty', 'clears');
    expect(report).toMatchObject([{ outcome: 'updated', changed: ['username', 'phone'] }]);
    expect(await userOf(service, user.employeeID)).toMatchObject({
      name: user.name,
      username: null,
      phone: null,
      isActive: false,
    });
  });

  test('rejects both rows if an employee ID occurs twice, and names them', async () => {
    const id = newId();
    const file = givenFile(
      `employeeID,name,email\n${id},A,a@example.com\n${newId()},B,b@example.com\n${id},C,c@example.com\n`,
    );
    const { report, code } = await sync(service, file);
    expect(code).toBe(1);
    expect(told(report)).toEqual([
      [2, 'failed: EMPLOYEE_ID_TWICE'],
      [3, 'created'],
      [4, 'failed: EMPLOYEE_ID_TWICE'],
    ]);
    expect(report[0]?.error?.detail).toContain('Rows 2 and 4');
    expect(await userOf(service, id)).toBeUndefined();
  });

  test('prints the column mapping, the errors, the counts and how to undo', async () => {
    const id = newId();
    const { home, name } = givenFile(
      `Personalnummer;Vorname;Nachname;E-Mail;Kostenstelle\n${id};Grace;Hopper;g@example.com;77\n${newId()};No;Contact;;78\n`,
    );
    const args = ['sync', name, '--report', 'report.csv'];
    const { code, stdout, stderr } = await rollcall(args, asFirstClient(service), { cwd: home });
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^ {2}created +1\n {2}updated +0\n {2}renamed +0\n {2}unchanged +0\n {2}failed +1\n$/,
    );
    expect(stderr).toContain(
      'employeeID ← Personalnummer, name ← Vorname + Nachname, email ← E-Mail; ignored: Kostenstelle',
    );
    expect(stderr).toMatch(/Row 3 \(\w+\): No user has this employee ID yet\. "email" and "phone"/);
    expect(stderr).toMatch(/rollcall calls undo --request-id sync-\S+/);
    expect(stdout + stderr).not.toContain('\u001b');
    const [heading, ...lines] = readFileSync(join(home, 'report.csv'), 'utf8').trim().split('\r\n');
    expect(heading).toBe('row,employeeID,outcome,changed,serial,error,detail,kept');
    expect(lines[0]).toMatch(new RegExp(`^2,${id},created,,[0-9a-f-]{36},,,$`));
    expect(lines[1]).toMatch(/^3,\w+,failed,,,CONTACT_REQUIRED,/);
  });
});

describe('rollcall sync --dry-run', () => {
  test('predicts what the sync does, including taken usernames, and changes nothing', async () => {
    const [known, other, freed, taken] = [
      await service.givenUser({ username: newId('u') }),
      await service.givenUser({ username: newId('u') }),
      newId(),
      newId(),
    ];
    const file = givenFile(
      'employeeID,name,username,email\n' +
        `${freed},Takes what is given up,${known.username},f@example.com\n` +
        `${taken},Takes what is not,${other.username},t@example.com\n` +
        `${known.employeeID},Gives it up,${newId('u')},\n`,
    );
    const plan = await sync(service, file, '--dry-run', '--chunk', '1');
    expect(plan.code).toBe(1);
    expect(plan.summary).toMatchObject({
      dryRun: true,
      create: 1,
      update: 1,
      rename: 0,
      deactivate: 0,
      fail: 1,
    });
    expect(told(plan.report)).toEqual([
      [2, 'create'],
      [3, 'fail: USER_USERNAME_EXISTS'],
      [4, 'update'],
    ]);
    expect(await userOf(service, freed)).toBeUndefined();
    expect(await userOf(service, known.employeeID)).toMatchObject({ name: known.name });

    const done = await sync(service, file, '--chunk', '1');
    expect(told(done.report)).toEqual([
      [2, 'created'],
      [3, 'failed: USER_USERNAME_EXISTS'],
      [4, 'updated'],
    ]);
    expect(done.report[1]?.error?.detail, 'not about an item of a request').not.toContain('items[');
  });
});
