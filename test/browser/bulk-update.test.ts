import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useSite } from '../support/browser.js';
import { newId } from '../support/service.js';

const site = useSite();

async function givenFile(page: Page, name: string, buffer: Buffer): Promise<void> {
  await page.getByLabel('Choose file').setInputFiles({ name, mimeType: 'text/csv', buffer });
}

async function user(employeeID: string): Promise<Record<string, unknown> | undefined> {
  const { json } = await site.service.get(`/service/users?employeeID=${employeeID}`);
  return json.data.items[0];
}

async function edit(page: Page, cell: string, text: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^${cell}:`) }).click();
  await page.getByRole('textbox', { name: cell }).fill(text);
  await page.keyboard.press('Enter');
}

const shownRows = (page: Page) => page.getByRole('rowheader').allTextContents();

test('a file saved by German Excel is checked, fixed, run and undone', async () => {
  const [zeros, renamed, same, leaver, wrong] = [newId('00'), newId(), newId(), newId(), newId()];
  const [fresh, nobody] = [newId(), newId()];
  for (const employeeID of [zeros, renamed, same, leaver, wrong]) {
    await site.service.givenUser({ employeeID, name: `Jürgen ${employeeID}`, phone: '030 1234' });
  }
  const rows = [
    'Personalnummer;Neue Personalnummer;Name;Telefon;Aktiv;Kostenstelle',
    `${zeros};;Jürgen Weiß;030 1234;ja;100`,
    `${renamed};${fresh};Jürgen ${renamed};030 1234;ja;100`,
    `${same};;Jürgen ${same};;ja;100`,
    `${leaver};;Jürgen ${leaver};030 1234;nein;100`,
    `${nobody};;Niemand;+49 40 123;ja;100`,
    `${wrong};;Jürgen ${wrong};abc;vielleicht;=1+1`,
  ];
  const page = await site.signedIn('administrator');
  await page.getByRole('link', { name: 'Update from file' }).click();
  await page.getByRole('heading', { name: 'Upload a file' }).waitFor();
  await site.expectAccessible(page);
  await site.screenshot(page, 'bulk-1-file');

  await givenFile(page, 'Personal.csv', Buffer.from(rows.join('\r\n'), 'latin1'));
  await page.getByRole('heading', { name: 'Match columns' }).waitFor();
  expect(await page.getByLabel('Separator').inputValue()).toBe(';');
  expect(await page.getByLabel('Encoding').inputValue()).toBe('windows-1252');
  expect(await page.getByLabel('Field for "Neue Personalnummer"').inputValue()).toBe('newEmployeeID');
  await page.getByText('no field matches: Kostenstelle').waitFor();
  await page.getByLabel('Field for "Aktiv"').selectOption('Skip this column');
  await page.getByText('Updates require Active').waitFor();
  expect(await page.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);
  await page.getByLabel('Field for "Aktiv"').selectOption('Active');
  await site.expectAccessible(page);
  await site.screenshot(page, 'bulk-2-columns');

  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('All rows checked').waitFor();
  const counts = page.getByRole('main').getByRole('list').filter({ hasText: 'to update' });
  expect((await counts.innerText()).split(/\s*\n+\s*/)).toEqual([
    '3 to update',
    '1 with a new employee ID',
    '1 to deactivate',
    '1 unchanged',
    '2 with errors',
  ]);
  await page.getByText('Jürgen Weiß').waitFor();
  await page.getByText(`No user has the employee ID "${nobody}".`).waitFor();
  await site.expectAccessible(page);
  await site.screenshot(page, 'bulk-3-check');

  await page.getByText('Changes', { exact: true }).click();
  expect(await shownRows(page)).toEqual(['2', '3', '5']);
  await page.getByText('Problems', { exact: true }).click();
  expect(await shownRows(page)).toEqual(['6', '7']);
  await edit(page, 'Aktiv, row 7', 'ja');
  await edit(page, 'Telefon, row 7', '+49 40 777');
  await counts.getByText('4 to update').waitFor();
  expect(await shownRows(page)).toEqual(['6', '7']);

  // Going back and forward loses nothing.
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('heading', { name: 'Match columns' }).waitFor();
  await page.goBack();
  await expect.poll(() => shownRows(page)).toEqual(['6']);
  await page.getByText('All', { exact: true }).click();
  await page
    .getByRole('button', { name: /^Telefon, row 7: ?was ?030 1234 ?becomes ?\+49 40 777$/ })
    .waitFor();

  await page.getByRole('button', { name: 'Update 4 users' }).click();
  await page.getByRole('heading', { name: 'Result' }).waitFor();
  expect(await shownRows(page)).toEqual(['6']);
  await site.expectAccessible(page);
  await site.screenshot(page, 'bulk-5-result');
  expect(await user(zeros)).toMatchObject({ name: 'Jürgen Weiß' });
  expect(await user(fresh)).toMatchObject({ name: `Jürgen ${renamed}` });
  expect(await user(leaver)).toMatchObject({ isActive: false });
  expect(await user(wrong)).toMatchObject({ phone: '+49 40 777' });
  expect(await page.getByRole('link', { name: 'View in Activity' }).getAttribute('href')).toMatch(
    /^\/activity\/calls\/[0-9a-f-]{36}$/,
  );

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download 1 failed row' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('failed-Personal.csv');
  const failed = readFileSync(await download.path());
  expect(failed.toString('utf8')).toBe(
    `\uFEFFPersonalnummer;Neue Personalnummer;Name;Telefon;Aktiv;Kostenstelle;Problem\r\n${nobody};;Niemand;'+49 40 123;ja;100;"No user has the employee ID ""${nobody}""."\r\n`,
  );

  await page.getByRole('button', { name: 'Undo all changes' }).click();
  await page.getByText('4 users will be restored to the previous state.').waitFor();
  await site.screenshot(page, 'bulk-6-undo');
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await page.getByText('4 users restored.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  expect(await user(renamed)).toMatchObject({ name: `Jürgen ${renamed}` });
  expect(await user(leaver)).toMatchObject({ isActive: true });
  expect(await user(zeros)).toMatchObject({ name: `Jürgen ${zeros}` });

  // The failed rows can be uploaded again, and succeed once the missing users exist.
  await site.service.givenUser({ employeeID: nobody, name: 'Niemand', phone: '030 1' });
  await page.getByRole('button', { name: 'Upload another file' }).click();
  await givenFile(page, 'failed-Personal.csv', failed);
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: /^Telefon, row 2: ?was ?030 1 ?becomes ?\+49 40 123$/ }).waitFor();
});

test('rejects files that are not tables, and says why', async () => {
  const page = await site.signedIn('operator', { width: 360, height: 740, colours: 'dark' });
  await page.goto('/bulk/update');
  const refusals: [string, Buffer, string][] = [
    ['list.pdf', Buffer.from('%PDF-1.7\n'), 'This looks like a PDF document.'],
    ['old.xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'This looks like an old Excel workbook (.xls).'],
    ['empty.csv', Buffer.from(''), 'The file is empty.'],
    ['heading.csv', Buffer.from('Employee ID,Name,Active\n'), 'The file has headings but no rows'],
    ['quote.csv', Buffer.from('Employee ID,Name\nE1,Ada\nE2,"Grace\n'), 'Line 3 has a quotation mark'],
    ['huge.csv', Buffer.from(`ID\n${'1\n'.repeat(300_000)}`), 'The file has more than 100,000 rows'],
  ];
  for (const [name, bytes, message] of refusals) {
    await givenFile(page, name, bytes);
    await page.getByText(`Couldn't read ${name}`).waitFor();
    await page.getByRole('alert').getByText(message).waitFor();
  }
  await site.expectAccessible(page, ['dark']);
  await site.screenshot(page, 'bulk-1-refused-narrow');

  await page.getByLabel('Or paste rows from a spreadsheet').evaluate((field) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData(
      'text/plain',
      'Staff ID\tFirst name\tLast name\tStatus\n007\tAda\tKing\tactive\n007\tAda\tByron\tmaybe\n',
    );
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  });
  await page.getByText('Names are combined as: First name + Last name').waitFor();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('This employee ID also appears in row 2').waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await site.expectAccessible(page, ['dark']);
  await site.screenshot(page, 'bulk-3-check-narrow');
});
