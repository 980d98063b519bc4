import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { useOwnSite } from '../support/browser.js';

const site = useOwnSite();

const feed = {
  key: 'workday',
  name: 'Staff from Workday',
  source: { type: 'sftp', host: 'sftp.example.com', username: 'rollcall', path: '/out/staff-*.csv' },
  secret: 'correct horse battery staple',
  isPaused: true, // the schedule is only shown
  schedule: { cron: '30 4 * * 1-5', timeZone: 'Europe/Berlin', until: '07:00' },
  mapping: {
    columns: [
      { field: 'employeeID', columns: ['No.'] },
      { field: 'name', columns: ['First', 'Last'] },
      { field: 'email', columns: ['Mail'] },
      { field: 'isActive', columns: ['Status'], values: { A: 'true', I: 'false' } },
    ],
  },
  rules: { deactivateMissing: true },
  limits: { changesMax: '20%' },
};

test('a file is uploaded, its run approved by what it would do, looked at row by row, and undone', async () => {
  const { service } = site;
  const leaver = await service.givenUser({ name: 'Grace Hopper' });
  const ada = await service.givenUser({ name: 'Ada Lovelace', email: 'ada@example.com' });
  const page = await site.signedIn('administrator', '/feeds');
  await page.getByText('No feeds yet').waitFor();
  await site.expectAccessible(page, 'feeds-empty');
  expect(await service.post('/service/feeds', feed)).toMatchObject({ status: 201 });

  await site.visit(page, '/feeds/workday');
  await expect.poll(() => page.title()).toBe('Overview · Staff from Workday · Feeds · Rollcall');
  await page.getByRole('button', { name: 'More…' }).click();
  await page.getByRole('menuitem', { name: 'Upload a file…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Upload a file' });
  await dialog.locator('input[type=file]').setInputFiles({
    name: 'staff.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      [
        'No.,First,Last,Mail,Status',
        `${ada.employeeID},Ada,King,ada@example.com,A`,
        'E1,Alan,Turing,alan@example.com,A',
      ].join('\n'),
    ),
  });
  await site.expectAccessible(page, 'feed-upload');
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click();

  await page.getByText('This run waits for approval').waitFor();
  await page.getByText('A first run deactivates users only with approval.').waitFor();
  const rows = page.getByRole('table', { name: 'Rows of this run' });
  await rows.getByRole('link', { name: 'Grace Hopper' }).waitFor();
  await rows.getByText('Not in the file').waitFor();
  await site.expectAccessiblePage(page, 'feed-run-waiting');
  expect(await service.readUser(leaver.serial)).toMatchObject({ isActive: true });

  await site.visit(page, '/feeds/workday');
  await page.getByRole('link', { name: 'Show rows' }).waitFor();
  await site.expectAccessiblePage(page, 'feed');
  await page.getByRole('link', { name: 'Settings' }).last().click();
  await page.getByText('Monday to Friday at 04:30 (Europe/Berlin)').waitFor();
  await page.getByText('“A” means “Active”').waitFor();
  await site.expectAccessiblePage(page, 'feed-settings');
  await page.getByRole('link', { name: 'Overview' }).click();

  await page.getByRole('button', { name: 'Approve…' }).click();
  const approval = page.getByRole('dialog', { name: 'Approve this run?' });
  await approval.getByText('Deactivates 1 user.').waitFor();
  await site.expectAccessible(page, 'feed-approve');
  await approval.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('Run approved.').waitFor();
  const runs = page.getByRole('table', { name: 'Runs of this feed, newest first' });
  await runs.getByText('Done').waitFor();
  await page.getByRole('img', { name: '1 past run: at most 3 changes.' }).waitFor();
  expect(await service.readUser(leaver.serial)).toMatchObject({ isActive: false });
  await runs.getByRole('link').first().click();

  await page.getByText('What the run did').waitFor();
  await rows.getByText('Changes: Name').waitFor();
  await page.getByRole('combobox', { name: 'Outcome' }).click();
  await page.getByRole('option', { name: 'Deactivated (1)' }).click();
  await rows.getByText('Not in the file').waitFor();
  await expect.poll(() => rows.getByRole('link').count()).toBe(1);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download rows' }).click();
  const lines = readFileSync(await (await downloading).path(), 'utf8')
    .trimEnd()
    .split('\r\n');
  expect(lines[1]).toMatch(new RegExp(`^Not in the file,${leaver.employeeID},Deactivated,`));

  await page.getByRole('button', { name: 'Undo…' }).click();
  const undo = page.getByRole('dialog', { name: 'Undo this run?' });
  await undo.getByText('2 users will get back what they had before the run.').waitFor();
  await site.expectAccessible(page, 'feed-undo');
  await undo.getByRole('button', { name: 'Undo run' }).click();
  await page.getByRole('region', { name: 'About this run' }).getByText('Undone', { exact: true }).waitFor();
  expect(await service.readUser(leaver.serial)).toMatchObject({ isActive: true });
  expect(await service.readUser(ada.serial)).toMatchObject({ name: 'Ada Lovelace' });

  await site.visit(page, '/feeds');
  await page.getByRole('link', { name: 'Staff from Workday' }).waitFor();
  await site.expectAccessiblePage(page, 'feeds');
});
