import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { columns, defaultColumns } from '../../../src/cli/export/format.js';
import { asFirstClient, rollcall } from '../../support/command.js';
import { newId, useOwnService } from '../../support/service.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { exportedUsers, givenExportedUsers } from '../../support/workbooks/exported-users.js';
import { oddUsers } from './odd-users.js';

const service = useOwnService();

/** Export options, keyed by file name. */
const exports: Readonly<Record<string, readonly string[]>> = {
  'users.csv': [],
  'users.ndjson': [],
  'users.xlsx': [],
  'own.xlsx': ['--columns', `${columns},attributes.serial,department`],
  'attributes.csv': ['--columns', 'employeeID,department,since,site,isRemote,skills,attributes.serial'],
  'excel.csv': ['--columns', columns.join(','), '--separator', 'tab', '--bom', '--sort', 'name'],
};

/** Two of the keys name a field in other files, and a column that the service sets. */
const attributes = [
  { key: 'department', type: 'text' },
  { key: 'serial', type: 'number' },
  { key: 'since', type: 'date' },
  { key: 'isRemote', type: 'boolean' },
  { key: 'site', type: 'choice', choices: ['Berlin', '#N/A', '=1+1'] },
  { key: 'skills', type: 'list' },
] as const;

const oddAttributes = [
  { department: '007', serial: -0.5, since: '0001-01-01', isRemote: true, site: '#N/A', skills: ['a,b'] },
  { department: '1E+05', serial: 123456789012345, since: '9999-12-31', isRemote: false, site: '=1+1' },
  { department: '-5', serial: 0.30000000000001, skills: ['x', 'x', '1E+05'] },
  { department: '2026-12-31', serial: 0, skills: ['["a"]', 'line'] },
  { department: 'TRUE' },
];

async function everybody(): Promise<Record<string, unknown>[]> {
  const users: Record<string, unknown>[] = [];
  for (let cursor = ''; ; ) {
    const reply = await service.get(`/service/users?limit=200${cursor}`);
    users.push(...reply.json.data.items);
    if (reply.json.data.nextCursor === null) return users;
    cursor = `&cursor=${encodeURIComponent(reply.json.data.nextCursor)}`;
  }
}

describe('syncing an exported file', () => {
  test('finds every user unchanged', async () => {
    const seed = Date.now();
    const created = await service.createBulk(oddUsers(400, seed));
    expect(created.json.data.failedItems, `seed ${seed}`).toEqual([]);
    for (const definition of attributes) {
      expect((await service.post('/service/attributes', definition)).status).toBe(201);
    }
    for (const values of oddAttributes) await service.givenUser({ attributes: values });
    const users = await everybody();
    const home = temporaryDirectory();
    const run = (...args: string[]) => rollcall(args, asFirstClient(service), { cwd: home });

    const exported = await Promise.all(
      Object.entries(exports).map(([file, options]) => run('export', '--output', file, ...options)),
    );
    for (const { code, stderr } of exported) expect(code, stderr).toBe(0);
    const lines = readFileSync(join(home, 'users.ndjson'), 'utf8').trimEnd().split('\n');
    const none = Object.fromEntries(attributes.map(({ key }) => [key, null]));
    const told = users.map((user) => ({
      ...Object.fromEntries(defaultColumns.map((name) => [name, user[name]])),
      attributes: { ...none, ...(user.attributes as object) },
    }));
    expect(lines.map((line) => JSON.parse(line))).toEqual(told);

    await Promise.all(
      Object.keys(exports).map(async (file) => {
        const report = `${file}.json`;
        const { code, stdout, stderr } = await run('sync', file, '--json', '--report', report);
        const rows: { outcome: string }[] = JSON.parse(readFileSync(join(home, report), 'utf8'));
        expect(
          rows.filter(({ outcome }) => outcome !== 'unchanged'),
          `${file}, seed ${seed}`,
        ).toEqual([]);
        expect(JSON.parse(stdout), stderr).toMatchObject({ rows: users.length, unchanged: users.length });
        expect(code).toBe(0);
      }),
    );
    expect(await everybody(), 'nobody was touched').toEqual(users);
  });

  test('finds every user unchanged in a workbook of the console, by name, that LibreOffice has saved', async () => {
    await givenExportedUsers(service);
    const before = await everybody();
    const workbook = new URL('../../support/workbooks/libreoffice-export.xlsx', import.meta.url);
    for (const empty of ['leaves', 'clears']) {
      const args = ['sync', fileURLToPath(workbook), '--json', '--empty', empty];
      const { code, stdout, stderr } = await rollcall(args, asFirstClient(service));
      expect(code, stderr).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({
        rows: exportedUsers.length,
        unchanged: exportedUsers.length,
      });
    }
    expect(await everybody(), 'nobody was touched').toEqual(before);
  });

  test('is impossible for tags that do not fit a workbook cell, and the export says so', async () => {
    const employeeID = newId();
    await service.givenUser({ employeeID });
    // Control characters take seven characters each in a workbook. Earlier versions allowed storing them.
    await service.database.pool.query('UPDATE users SET tag_serials = $1 WHERE employee_id = $2', [
      Array.from({ length: 100 }, (_, at) => `${at},\n`.padEnd(64, '\u0001')),
      employeeID,
    ]);
    const home = temporaryDirectory();
    const of = (...args: string[]) =>
      rollcall(['export', '--employee-id', employeeID, ...args], asFirstClient(service), { cwd: home });
    const [xlsx, csv] = await Promise.all([of('--output', 'users.xlsx'), of('--output', 'users.csv')]);
    expect(xlsx).toMatchObject({ code: 4, stdout: '' });
    expect(xlsx.stderr).toBe(
      'A cell of a workbook holds at most 32767 characters. Export as CSV or NDJSON, which have no such limit.\nNothing was written to users.xlsx.\n',
    );
    expect(csv.code).toBe(0);
  });
});
