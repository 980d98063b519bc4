import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { useOwnSite } from '../support/browser.js';
import { editCell } from '../support/import-grid.js';

const site = useOwnSite();
/** Written by openpyxl, with titles above the headings and employee IDs without their leading zeros. */
const staff = readFileSync(new URL('../support/workbooks/staff-with-titles.xlsx', import.meta.url));

const user = async (employeeID: string) =>
  (await site.service.get(`/service/users?employeeID=${employeeID}`)).json.data.items[0];

test('a workbook with titles and lost zeros becomes the only list of users', {
  tags: 'release',
}, async () => {
  for (const [employeeID, name] of [
    ['000261', 'Ada Lovelace'],
    ['000262', 'Grace Hopper'],
    ['000263', 'Joan Clarke'],
    ['000264', 'Gone Person'],
    ['000265', 'Kept Person'],
  ]) {
    await site.service.givenUser({ employeeID, name, email: `${employeeID}@example.com` });
  }
  const page = await site.signedIn('administrator', '/import');
  await page.getByLabel('Choose file').setInputFiles({ name: 'staff.xlsx', mimeType: '', buffer: staff });
  await page.getByRole('heading', { name: 'Match columns' }).waitFor();
  await expect.poll(() => page.getByLabel('Heading row').inputValue()).toBe('4');
  await page.getByText('Names are combined as: Vorname + Nachname').waitFor();
  await page.getByLabel('Deactivate users who are not in this file').check();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: 'Create all 2' }).click();
  await page.getByRole('button', { name: 'Next' }).click();

  await page.getByRole('button', { name: 'Change 261 → 000261 in 3 rows' }).click();
  await page.getByText('Too many users are missing').waitFor();
  await page.getByText('All rows checked').waitFor();
  await site.expectAccessible(page, 'import-3-missing');
  await expect.poll(() => page.getByRole('button', { name: /^Import \d+ users…$/ }).isDisabled()).toBe(true);
  const missing = page.getByRole('rowheader').filter({ hasText: 'Not in the file' });
  const count = await missing.count();
  await page.getByRole('button', { name: 'Keep active: Kept Person' }).click();
  await expect.poll(() => missing.count()).toBe(count - 1);
  // Users with a role, such as the first administrator, are not even listed.
  const keepOthers = page
    .getByRole('row')
    .filter({ hasNotText: '000264' })
    .getByRole('button', { name: /^Keep active/ });
  while ((await keepOthers.count()) > 0) await keepOthers.first().click();
  await page.getByRole('button', { name: /^Allow \d+%$/ }).click();
  await page.getByText('Hold until an administrator releases them').click();
  await page.getByRole('button', { name: /^Import \d+ users…$/ }).click();
  await page
    .getByRole('dialog')
    .getByText('1 password is held until an administrator releases it.')
    .waitFor();
  await page.getByText('Deactivated users are signed out and lose their roles.').waitFor();
  await site.expectAccessible(page, 'import-3-confirm');
  await page.getByRole('button', { name: 'Start import' }).click();
  await page.getByRole('heading', { name: 'Result' }).waitFor();
  await page.getByText('1 password message is held and has not been sent.').waitFor();
  await site.expectAccessible(page, 'import-5-result-workbook');
  expect(await user('000261')).toMatchObject({
    name: 'Ada King',
    email: 'ada.king@example.com',
    isActive: true,
  });
  expect(await user('000263')).toMatchObject({ isActive: false });
  expect(await user('000264')).toMatchObject({ isActive: false, name: 'Gone Person' });
  expect(await user('000265')).toMatchObject({ isActive: true });
  expect(await user('900')).toMatchObject({ name: 'Linus Neu' });
  expect((await site.service.get('/service/deliveries?state=held')).json.data.items).toHaveLength(1);

  await page.getByRole('button', { name: /^Fix 1 invalid row/ }).click();
  await page.getByText('All rows checked').waitFor();
  await editCell(page, 'E-Mail', 9, 'da@example.com');
  await page.getByLabel('Ask for approval').check();
  await page.getByRole('button', { name: 'Ask for approval of 1 user' }).click();
  await page.getByRole('button', { name: 'Request approval' }).click();
  await page.getByText('1 row is applied once someone else has approved it').waitFor();
  await site.expectAccessible(page, 'import-5-planned');
  expect(await user('901')).toBeUndefined();
  await page.getByRole('link', { name: 'View the scheduled change' }).click();
  await page.getByText('staff.xlsx', { exact: true }).waitFor();
  await page.getByText('This change awaits approval').waitFor();
});
