import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { asFirstClient, rollcall } from '../../support/command.js';
import { newId, useService } from '../../support/service.js';
import { workbook as handmadeWorkbook } from '../../unit/sheets/workbooks.js';
import { givenFile, sync, told, userOf } from './sync-command.js';

const service = useService();

/** Employee IDs with leading zeros, which spreadsheets tend to drop. */
const zeroed = () => `00${newId('').replace(/\D/g, '')}`;

describe('rollcall sync reads', () => {
  test('CSV as Excel writes it in Germany: semicolons, Windows-1252, German headings', async () => {
    const id = zeroed();
    const text = `Personalnr.;Name;Vorname;E-Mail;Aktiv\r\n${id};Müller;Jörg;j@example.com;ja\r\n`;
    const { report, stderr } = await sync(service, givenFile(Buffer.from(text, 'latin1')));
    expect(told(report), stderr).toEqual([[2, 'created']]);
    expect(await userOf(service, id)).toMatchObject({ name: 'Jörg Müller', isActive: true });
  });

  test('JSON, and NDJSON on stdin', async () => {
    const [first, second] = [zeroed(), zeroed()];
    const user = (employeeID: string) => ({
      employeeID,
      name: 'G',
      email: 'g@example.com',
      tagSerials: ['T,1'],
    });
    await sync(service, givenFile(JSON.stringify([user(first)]), 'users.json'), '--unknown', 'create');
    const input = `${JSON.stringify(user(second))}\n`;
    const { code, stdout } = await rollcall(['sync', '-', '--json'], asFirstClient(service), { input });
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, file: 'stdin', created: 1 });
    for (const id of [first, second])
      expect(await userOf(service, id)).toMatchObject({ tagSerials: ['T,1'] });
  });

  test('columns selected with --map: joined, left out or under another heading', async () => {
    const id = newId();
    const file = givenFile(`No,First,Last,Mail,Phone\n${id},Grace,Hopper,g@example.com,+44 1234\n`);
    const options = [
      '--map',
      'employeeID=no',
      '--map',
      'name=First+Last',
      '--map',
      'email=Mail',
      '--map',
      'phone=',
    ];
    const { report, stderr } = await sync(service, file, ...options);
    expect(told(report), stderr).toEqual([[2, 'created']]);
    expect(await userOf(service, id)).toMatchObject({
      name: 'Grace Hopper',
      email: 'g@example.com',
      phone: null,
    });
  });

  test('the first of two columns with the same heading, with a warning', async () => {
    const id = newId();
    const file = givenFile(`employeeID,name,email,email\n${id},Grace,first@example.com,second@example.com\n`);
    const { stderr } = await sync(service, file);
    expect(stderr).toContain('Columns C, D are all named "email".');
    expect(await userOf(service, id)).toMatchObject({ email: 'first@example.com' });
  });
});

describe('rollcall sync exits with 2 and changes nothing for', () => {
  const id = newId();
  test.each<[string, string | Buffer, string[], RegExp]>([
    ['an empty file', '', [], /The file is empty/],
    [
      'an unclosed quotation mark, even at the end',
      `employeeID,name,email\n${id},A,a@b.de\n"x,B`,
      [],
      /Line 3 has a quotation mark/,
    ],
    [
      'a missing employeeID column',
      'name,email\nA,a@b.de\n',
      [],
      /needs "employeeID" in every row.*--map employeeID="name"/,
    ],
    [
      '--map with an unknown column',
      'employeeID,name\nE1,A\n',
      ['--map', 'email=Mial'],
      /the file has no column "Mial"/,
    ],
    [
      '--map with an unknown field',
      'employeeID,name\nE1,A\n',
      ['--map', 'emial=name'],
      /did you mean email\?/,
    ],
    [
      '--rename-from with an unknown column',
      'employeeID,name\nE1,A\n',
      ['--rename-from', 'nmae'],
      /Did you mean "name"\?/,
    ],
    [
      'an invalid --max-deactivate',
      'employeeID\nE1\n',
      ['--max-deactivate', 'many'],
      /a number of users, or a percentage such as 5%/,
    ],
    [
      'a report with an unsupported file extension',
      'employeeID\nE1\n',
      ['--report', 'r.pdf'],
      /file name must end in \.csv, \.json or \.ndjson/,
    ],
    [
      'a report in a missing directory',
      'employeeID\nE1\n',
      ['--report', 'no/such/r.csv'],
      /Cannot write the report to no\/such\/r\.csv \(ENOENT\)/,
    ],
  ])('%s', async (_, content, options, message) => {
    const { home, name } = givenFile(content);
    const { code, stdout, stderr } = await rollcall(['sync', name, ...options], asFirstClient(service), {
      cwd: home,
    });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/^\s+at |node:internal/m);
    expect(await userOf(service, id)).toBeUndefined();
  });

  test('a missing file, or a directory', async () => {
    const { home } = givenFile('');
    const missing = await rollcall(['sync', 'nowhere.csv'], asFirstClient(service), { cwd: home });
    const directory = await rollcall(['sync', '.'], asFirstClient(service), { cwd: home });
    expect([missing.code, directory.code]).toEqual([2, 2]);
    expect(missing.stderr).toContain('nowhere.csv does not exist');
    expect(directory.stderr).toContain('. is a directory');
  });
});

test('the report contains every row in file order, and escapes formulas', async () => {
  const id = newId();
  const file = givenFile(`employeeID,name,email\n${id},Grace,g@example.com\n=1+1,Formula,f@example.com\n`);
  await rollcall(['sync', file.name, '--report', 'report.csv'], asFirstClient(service), { cwd: file.home });
  const lines = readFileSync(join(file.home, 'report.csv'), 'utf8').trim().split('\r\n');
  expect(lines.map((line) => line.split(',')[0])).toEqual(['row', '2', '3']);
  expect(lines[2]).not.toMatch(/(?:^|,)=/);
});

describe('a row with a value that the file does not store exactly', () => {
  test('fails and changes neither the user with the rounded ID nor a field with an uncalculated formula', async () => {
    const rounded = `${Date.now()}450`; // 16 digits: what a spreadsheet stores for an ID that ends in 451
    await service.givenUser({ employeeID: rounded, isActive: true });
    const user = await service.givenUser({ email: 'ada@example.com', phone: '+44 1234' });
    const text = (reference: string, value: string) => `<c r="${reference}" t="str"><v>${value}</v></c>`;
    const headings = ['employeeID', 'isActive', 'phone'].map((name, at) => text(`${'ABC'[at]}1`, name));
    const sheetData = [
      `<row r="1">${headings.join('')}</row>`,
      `<row r="2"><c r="A2"><v>${rounded}</v></c>${text('B2', 'no')}</row>`,
      `<row r="3">${text('A3', user.employeeID)}${text('B3', 'yes')}<c r="C3"><f>A1</f><v></v></c></row>`,
    ];
    const file = givenFile(handmadeWorkbook({ sheetData: sheetData.join('') }), 'users.xlsx');
    const { report, code, stderr } = await sync(service, file, '--empty', 'clears');
    expect(code).toBe(1);
    expect(report, stderr).toMatchObject([
      { row: 2, outcome: 'failed', error: { detail: expect.stringContaining('Format the column as text') } },
      {
        row: 3,
        outcome: 'failed',
        error: { detail: expect.stringContaining('save it so formulas are calculated') },
      },
    ]);
    expect(await userOf(service, rounded)).toMatchObject({ isActive: true });
    expect(await userOf(service, user.employeeID)).toMatchObject({ phone: '+44 1234' });
  });

  test('does not count as missing, and renames nobody', async () => {
    const user = await service.givenUser();
    const id = `${Date.now()}4511`; // 17 digits, which many programs round
    const file = givenFile(
      `{"employeeID":${id},"name":"Ada"}\n{"employeeID":"${newId()}","name":"Bob"}\n`,
      'users.ndjson',
    );
    const refused = await rollcall(['sync', file.name, '--deactivate-missing'], asFirstClient(service), {
      cwd: file.home,
    });
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('Row 1');
    const renames = givenFile(`{"employeeID":"${newId()}","name":"Ada","old":${id}}\n`, 'users.ndjson');
    const { report } = await sync(service, renames, '--rename-from', 'old');
    expect(told(report)).toEqual([[1, 'failed: RENAME_INVALID']]);
    expect(await userOf(service, user.employeeID)).toMatchObject({ isActive: true });
  });
});
