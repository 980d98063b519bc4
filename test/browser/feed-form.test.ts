import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useSite } from '../support/browser.js';
import { newId } from '../support/service.js';

const site = useSite();

const box = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const headingOf = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

test('an import is saved as a feed, which is edited without its secret', async () => {
  const id = newId('staff').toLowerCase();
  const attribute = newId('level').toLowerCase();
  expect(await site.service.post('/service/attributes', { key: attribute, type: 'number' })).toMatchObject({
    status: 201,
  });
  const rows = [
    'Personnel no.;Full name;;Status;Department',
    '1;Ada Lovelace;ada@example.com;A;Sales',
    '2;Grace Hopper;grace@example.com;Z;',
  ];
  const file = { name: `${id}-2026-11-18.csv`, mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) };
  const page = await site.signedIn('administrator', '/import');
  await page.getByLabel('Choose file').setInputFiles(file);
  await page.getByLabel('Field for "Personnel no."').selectOption('employeeID');
  await page.getByLabel('Field for "Status"').selectOption('isActive');
  await page.getByLabel('Field for "C"').selectOption('email');
  await page.getByLabel('Deactivate users who are not in this file').check();
  await page.getByRole('button', { name: 'Save as feed…' }).click();
  await page.getByText('Column C (Email) has no heading.').waitFor();
  await site.expectAccessible(page, 'feed-form-unnamed');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await page.getByLabel('Field for "C"').selectOption('');
  await page.getByRole('button', { name: 'Save as feed…' }).click();

  await headingOf(page, 'New feed');
  await expect.poll(() => box(page, 'Name').inputValue()).toBe(id);
  await expect.poll(() => box(page, 'Key').inputValue()).toBe(id);
  await expect.poll(() => page.getByLabel('Deactivate users who are missing').isChecked()).toBe(true);
  await page.getByText(/^Next run: .* 04:30 \(/).waitFor();
  await page.getByRole('button', { name: 'Create feed' }).click();
  await page.getByText('Some entries are missing or wrong.').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).not.toBe('');
  await site.expectAccessiblePage(page, 'feed-form');
  await page.getByLabel('Source').selectOption('SFTP server');
  await box(page, 'Server').fill('sftp.example.com');
  await box(page, 'Path of the file').fill('/out/staff-*.csv');
  await box(page, 'Username').fill('rollcall');
  await box(page, 'Password').fill('correct horse');
  const status = page.getByRole('listitem', { name: 'Status' });
  await status.getByText('Convert values').click();
  await status.getByRole('button', { name: 'Add value' }).click();
  await status.getByLabel('Value 1 in the file').fill('Z');
  await status.getByLabel('Value 1 becomes').fill('no');
  await box(page, 'Key').fill('Not a key');
  await page.getByRole('button', { name: 'Create feed' }).click();
  await page.getByText('Use lower-case letters from a to z').waitFor();
  await box(page, 'Key').fill(id);
  await page.getByRole('link', { name: 'Users', exact: true }).click();
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await page.getByRole('button', { name: 'Create feed' }).click();
  await page.getByText(`${id} created.`).waitFor();
  const stored = async () => (await site.service.get(`/service/feeds/${id}`)).json.data;
  expect(await stored()).toMatchObject({
    hasSecret: true,
    source: { type: 'sftp', host: 'sftp.example.com', username: 'rollcall' },
    schedule: { cron: '30 4 * * 1-5' },
    mapping: {
      columns: [
        { field: 'employeeID', columns: ['Personnel no.'] },
        { field: 'name', columns: ['Full name'] },
        { field: 'isActive', columns: ['Status'], values: { Z: 'no' } },
        { field: 'organizationSerial', columns: ['Department'] },
      ],
    },
    rules: { deactivateMissing: true },
  });

  await site.visit(page, `/feeds/${id}/edit`);
  await headingOf(page, `Edit ${id}`);
  await page.getByText('Saved. It is never shown again.').waitFor();
  await page.getByLabel('Schedule').selectOption('When a new file appears');
  await page.getByLabel('Look for files from').fill('01:00');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Enter both times, or neither.').waitFor();
  await page.getByLabel('Until', { exact: true }).fill('05:00');
  await page.getByText(/every few minutes from 01:00 to 05:00/).waitFor();
  await page.getByLabel('Read a sample file').setInputFiles(file);
  await page.getByText(`${file.name}: 5 columns.`).waitFor();
  await page.getByRole('combobox', { name: 'Only these values of attributes' }).click();
  await page.getByRole('listbox').getByRole('option', { name: attribute }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Enter at least one value.').waitFor();
  await page.getByRole('combobox', { name: `Only if “${attribute}” is` }).fill('7.5');
  await page.keyboard.press('Enter');
  await site.expectAccessible(page, 'feed-form-edit');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText(`${id} saved.`).waitFor();
  expect(await stored()).toMatchObject({
    version: 2,
    hasSecret: true,
    schedule: { onNewFile: true, from: '01:00', until: '05:00' },
    rules: { attributes: { [attribute]: [7.5] } },
  });

  await site.visit(page, `/feeds/${id}/edit`);
  await box(page, 'Server').fill('other.example.com');
  await page.getByText('Enter it again, because the server').waitFor();
  await page.getByLabel('Source').selectOption('Web address (HTTPS)');
  await box(page, 'Address of the file').fill('http://hr.example.com/export.csv');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Rollcall may not read from this address.').waitFor();
});
