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
  'users.xlsx': ['--columns', columns.join(',')],
  'excel.csv': ['--columns', columns.join(','), '--separator', 'tab', '--bom', '--sort', 'name'],
};

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
    const users = await everybody();
    const home = temporaryDirectory();
    const run = (...args: string[]) => rollcall(args, asFirstClient(service), { cwd: home });

    const exported = await Promise.all(
      Object.entries(exports).map(([file, options]) => run('export', '--output', file, ...options)),
    );
    for (const { code, stderr } of exported) expect(code, stderr).toBe(0);
    const lines = readFileSync(join(home, 'users.ndjson'), 'utf8').trimEnd().split('\n');
    const told = users.map((user) => Object.fromEntries(defaultColumns.map((name) => [name, user[name]])));
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
