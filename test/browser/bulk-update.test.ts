import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useSite } from '../support/browser.js';
import { newId } from '../support/service.js';

const site = useSite();

async function givenFile(page: Page, name: string, buffer: Buffer): Promise<void> {
  await page.getByLabel('Choose a file').setInputFiles({ name, mimeType: 'text/csv', buffer });
}

async function user(employeeID: string): Promise<Record<string, unknown> | undefined> {
  const { json } = await site.service.get(`/service/users?employeeID=${employeeID}`);
  return json.data.items[0];
}

async function mend(page: Page, cell: string, text: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^${cell}:`) }).click();
  await page.getByRole('textbox', { name: cell }).fill(text);
  await page.keyboard.press('Enter');
}

const shownRows = (page: Page) => page.getByRole('rowheader').allTextContents();

test('a file that Excel saved in Germany is checked, mended, run, and undone', async () => {
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
  await page.getByRole('link', { name: 'Update from a file' }).click();
  await page.getByRole('heading', { name: 'Which file?' }).waitFor();
  await site.expectAccessible(page);
  await site.screenshot(page, 'bulk-1-file');

  await givenFile(page, 'Personal.csv', Buffer.from(rows.join('\r\n'), 'latin1'));
  await page.getByRole('heading', { name: 'What is in the columns?' }).waitFor();
  expect(await page.getByLabel('Separator').inputValue()).toBe(';');
  expect(await page.getByLabel('Encoding').inputValue()).toBe('windows-1252');
  expect(await page.getByLabel('"Neue Personalnummer" goes into').inputValue()).toBe('newEmployeeID');
  await page.getByText('nothing fits their headings: Kostenstelle').waitFor();
  await page.getByLabel('"Aktiv" goes into').selectOption('Left out');
  await page.getByText('The update needs Active').waitFor();
  expect(await page.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);
  await page.getByLabel('"Aktiv" goes into').selectOption('Active');
  await site.expectAccessible(page);
  await site.screenshot(page, 'bulk-2-columns');

  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('Every row was checked').waitFor();
  const counts = page.getByRole('main').getByRole('list').filter({ hasText: 'to change' });
  expect((await counts.innerText()).split(/\s*\n+\s*/)).toEqual([
    '3 to change',
    '1 to rename',
    '1 to deactivate',
    '1 unchanged',
    '2 wrong',
  ]);
  await page.getByText('Jürgen Weiß').waitFor();
  await page.getByText(`No user has the employee ID "${nobody}".`).waitFor();
  await site.expectAccessible(page);
  await site.screenshot(page, 'bulk-3-check');

  await page.getByText('Changes', { exact: true }).click();
  expect(await shownRows(page)).toEqual(['2', '3', '5']);
  await page.getByText('Problems', { exact: true }).click();
  expect(await shownRows(page)).toEqual(['6', '7']);
  await mend(page, 'Aktiv, row 7', 'ja');
  await mend(page, 'Telefon, row 7', '+49 40 777');
  await counts.getByText('4 to change').waitFor();
  expect(await shownRows(page)).toEqual(['6', '7']);

  // Back and forth, nothing is lost.
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('heading', { name: 'What is in the columns?' }).waitFor();
  await page.goBack();
  await expect.poll(() => shownRows(page)).toEqual(['6']);
  await page.getByText('All', { exact: true }).click();
  await page
    .getByRole('button', { name: /^Telefon, row 7: ?was ?030 1234 ?becomes ?\+49 40 777$/ })
    .waitFor();

  await page.getByRole('button', { name: 'Update 4 people' }).click();
  await page.getByRole('heading', { name: 'What came of it' }).waitFor();
  expect(await shownRows(page)).toEqual(['6']);
  await site.expectAccessible(page);
  await site.screenshot(page, 'bulk-5-result');
  expect(await user(zeros)).toMatchObject({ name: 'Jürgen Weiß' });
  expect(await user(fresh)).toMatchObject({ name: `Jürgen ${renamed}` });
  expect(await user(leaver)).toMatchObject({ isActive: false });
  expect(await user(wrong)).toMatchObject({ phone: '+49 40 777' });
  expect(await page.getByRole('link', { name: 'See it in Activity' }).getAttribute('href')).toMatch(
    /^\/activity\/calls\/[0-9a-f-]{36}$/,
  );

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download the 1 row that failed' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('failed-Personal.csv');
  const failed = readFileSync(await download.path());
  expect(failed.toString('utf8')).toBe(
    `\uFEFFPersonalnummer;Neue Personalnummer;Name;Telefon;Aktiv;Kostenstelle;Problem\r\n${nobody};;Niemand;'+49 40 123;ja;100;"No user has the employee ID ""${nobody}""."\r\n`,
  );

  await page.getByRole('button', { name: 'Undo everything' }).click();
  await page.getByText('4 people will be put back as they were.').waitFor();
  await site.screenshot(page, 'bulk-6-undo');
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await page.getByText('4 people were put back as they were.').waitFor();
  expect(await user(renamed)).toMatchObject({ name: `Jürgen ${renamed}` });
  expect(await user(leaver)).toMatchObject({ isActive: true });
  expect(await user(zeros)).toMatchObject({ name: `Jürgen ${zeros}` });

  // The failed rows can be taken in again, and are mended by creating whom they name.
  await site.service.givenUser({ employeeID: nobody, name: 'Niemand', phone: '030 1' });
  await page.getByRole('button', { name: 'Take another file' }).click();
  await givenFile(page, 'failed-Personal.csv', failed);
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: /^Telefon, row 2: ?was ?030 1 ?becomes ?\+49 40 123$/ }).waitFor();
});

test('files that are no tables are refused in words', async () => {
  const page = await site.signedIn('operator', { width: 360, height: 740, colours: 'dark' });
  await page.goto('/bulk/update');
  const refusals: [string, Buffer, string][] = [
    ['list.pdf', Buffer.from('%PDF-1.7\n'), 'It seems to be a PDF document.'],
    ['old.xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'It seems to be a workbook of an old Excel (.xls).'],
    ['empty.csv', Buffer.from(''), 'There is nothing in it.'],
    ['heading.csv', Buffer.from('Employee ID,Name,Active\n'), 'It has headings but no rows'],
    ['quote.csv', Buffer.from('Employee ID,Name\nE1,Ada\nE2,"Grace\n'), 'In line 3 a quotation mark'],
    ['huge.csv', Buffer.from(`ID\n${'1\n'.repeat(300_000)}`), 'It has more than 100,000 rows'],
  ];
  for (const [name, bytes, words] of refusals) {
    await givenFile(page, name, bytes);
    await page.getByText(`${name} cannot be taken`).waitFor();
    await page.getByRole('alert').getByText(words).waitFor();
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
  await page.getByText('Names are put together as: First name + Last name').waitFor();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('The employee ID is in row 2 already').waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await site.expectAccessible(page, ['dark']);
  await site.screenshot(page, 'bulk-3-check-narrow');
});
