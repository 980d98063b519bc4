import { expect, test } from 'vitest';
import writeExcelFile from 'write-excel-file/node';
import { useSite } from '../support/browser.js';
import { newId } from '../support/service.js';

const site = useSite();

test('creates users from a workbook, fixes and reruns failed rows, and undoes everything', async () => {
  const taken = await site.service.givenUser({ employeeID: newId('00') });
  const [padded, second, third] = [String(10_000 + Math.floor(Math.random() * 89_999)), newId('0'), newId()];
  const workbook = await writeExcelFile([
    ['Employee No.', 'Full name', 'E-mail address', 'Mobile', 'Active', 'Initial password'],
    [
      { value: Number(padded), type: Number, format: '0000000' },
      'Ada Lovelace',
      'ada@example.com',
      null,
      true,
      null,
    ],
    [taken.employeeID, 'Somebody Else', 'else@example.com', null, true, null],
    [second, 'Grace Hopper', null, '+49 40 1234', 'yes', null],
    [third, 'No Address', null, null, true, null],
  ]).toBuffer();
  const page = await site.signedIn('operator');
  await page.getByRole('link', { name: 'Create from file' }).click();
  await page.getByLabel('Choose file').setInputFiles({ name: 'new.xlsx', mimeType: '', buffer: workbook });
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('All rows checked').waitFor();
  await page.getByText('2 users will receive a password').waitFor();
  await page.getByText(`The employee ID "${taken.employeeID}" is already taken by another user.`).waitFor();
  await page.getByLabel('Hold until an administrator releases them').check();
  await site.expectAccessible(page);
  await site.screenshot(page, 'bulk-3-check-create');
  await page.getByRole('button', { name: 'Create 2 users' }).click();
  await page.getByRole('heading', { name: 'Result' }).waitFor();
  const states = async () =>
    (await site.service.get('/service/deliveries?state=held')).json.data.items.length;
  expect(await states()).toBe(2);

  await page.getByRole('button', { name: 'Fix here' }).click();
  await page.getByText('All rows checked').waitFor();
  expect(await page.getByRole('rowheader').allTextContents()).toEqual(['3', '5']);
  await page.getByRole('button', { name: /^E-mail address, row 5: ?empty$/ }).click();
  await page.getByRole('textbox', { name: 'E-mail address, row 5' }).fill('there@example.com');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Create 1 user' }).click();
  await page.getByRole('heading', { name: 'Result' }).waitFor();
  await page.getByText('Part 2: 1 succeeded, 1 failed').waitFor();
  for (const employeeID of [padded.padStart(7, '0'), second, third]) {
    const { json } = await site.service.get(`/service/users?employeeID=${employeeID}`);
    expect(json.data.items[0]).toMatchObject({ employeeID, isActive: true });
  }

  await page.getByRole('button', { name: 'Undo all changes' }).click();
  await page.getByText('3 users will be removed.').waitFor();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await page.getByText('3 users removed.').waitFor();
  expect((await site.service.get(`/service/users?employeeID=${third}`)).json.data.items).toEqual([]);
  await site.screenshot(page, 'bulk-5-result-undone');
});

test('updates users from a workbook: keeps leading zeros, reports bad rows, and undoes everything', async () => {
  const number = 10_000 + Math.floor(Math.random() * 89_999);
  const padded = String(number).padStart(7, '0');
  const [second, nobody] = [newId(), newId()];
  for (const employeeID of [padded, second]) {
    await site.service.givenUser({ employeeID, name: 'Ada Lovelace', phone: '030 1234' });
  }
  const workbook = await writeExcelFile([
    ['Staff ID', 'Full name', 'Mobile', 'Active', 'Tags'],
    [{ value: number, type: Number, format: '0000000' }, 'Ada King', '030 1234', true, 'T1; T2'],
    [second, 'Ada Lovelace', '030 1234', 'perhaps', null],
    [nobody, 'Nobody', null, true, null],
  ]).toBuffer();
  const page = await site.signedIn('operator');
  await page.getByRole('link', { name: 'Update from file' }).click();
  await page.getByLabel('Choose file').setInputFiles({ name: 'staff.xlsx', mimeType: '', buffer: workbook });
  await page.getByRole('heading', { name: 'Match columns' }).waitFor();
  await site.screenshot(page, 'bulk-2-columns-workbook');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('All rows checked').waitFor();
  await page.getByText('Active: Enter yes or no, active or inactive, true or false, or 1 or 0.').waitFor();
  await page.getByText(`No user has the employee ID "${nobody}".`).waitFor();
  await site.screenshot(page, 'bulk-3-check-workbook');
  await page.getByRole('button', { name: 'Update 1 user' }).click();
  await page.getByRole('heading', { name: 'Result' }).waitFor();
  expect(await page.getByRole('rowheader').allTextContents()).toEqual(['3', '4']);
  await site.screenshot(page, 'bulk-5-result-workbook');
  const ada = async () => (await site.service.get(`/service/users?employeeID=${padded}`)).json.data.items[0];
  expect(await ada()).toMatchObject({ name: 'Ada King', tagSerials: ['T1', 'T2'] });

  await page.getByRole('button', { name: 'Undo all changes' }).click();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await page.getByText('1 user restored.').waitFor();
  expect(await ada()).toMatchObject({ name: 'Ada Lovelace', tagSerials: [] });
});
