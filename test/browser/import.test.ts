import { readFileSync } from 'node:fs';
import type { Download, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectToFit, useSite } from '../support/browser.js';
import { cellOf, editCell, noteOf } from '../support/import-grid.js';
import { newId } from '../support/service.js';

const site = useSite();

async function givenFile(page: Page, name: string, buffer: Buffer): Promise<void> {
  await page.getByLabel('Choose file').setInputFiles({ name, mimeType: 'text/csv', buffer });
}

async function user(employeeID: string): Promise<Record<string, unknown> | undefined> {
  const { json } = await site.service.get(`/service/users?employeeID=${employeeID}`);
  return json.data.items[0];
}

const shownRows = (page: Page) => page.getByRole('rowheader').allTextContents();
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '');

async function downloaded(page: Page, format: RegExp): Promise<Download> {
  await page.getByRole('button', { name: /^Download \d+ invalid row/ }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: format }).click(),
  ]);
  return download;
}

test('a file saved by German Excel creates and changes users, is fixed, run and undone', async () => {
  const [zeros, renamed, same, leaver, wrong] = [newId('00'), newId(), newId(), newId(), newId()];
  const [fresh, joiner, nobody] = [newId(), newId(), newId()];
  for (const employeeID of [zeros, renamed, same, leaver, wrong]) {
    await site.service.givenUser({ employeeID, name: `Jürgen ${employeeID}`, phone: '030 1234' });
  }
  const rows = [
    'Personalnummer;Neue Personalnummer;Name;Telefon;E-Mail;Aktiv;Kostenstelle',
    `${zeros};;Jürgen Weiß;030 1234;weiss@example.com;ja;100`,
    `${renamed};${fresh};Jürgen ${renamed};030 1234;;ja;100`,
    `${same};;Jürgen ${same};;;ja;100`,
    `${leaver};;Jürgen ${leaver};030 1234;;nein;100`,
    `${joiner};;Jana Neu;;jana@example.com;ja;100`,
    `${nobody};;Niemand;;;ja;100`,
    `${wrong};;Jürgen ${wrong};abc;;vielleicht;=1+1`,
  ];
  const page = await site.signedIn('administrator', '/import');
  await page.getByRole('heading', { name: 'Choose a file' }).waitFor();

  await givenFile(page, 'Personal.csv', Buffer.from(rows.join('\r\n'), 'latin1'));
  await page.getByRole('heading', { name: 'Match columns' }).waitFor();
  await expect.poll(() => page.getByLabel('Separator').inputValue()).toBe(';');
  await expect.poll(() => page.getByLabel('Encoding').inputValue()).toBe('windows-1252');
  await expect
    .poll(() => page.getByLabel('Field for "Neue Personalnummer"').inputValue())
    .toBe('newEmployeeID');
  await page.getByLabel('Field for "Personalnummer"', { exact: true }).selectOption('Skip this column');
  await page.getByText('Choose the column that contains the employee ID').waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);
  await page.getByLabel('Field for "Personalnummer"', { exact: true }).selectOption('Employee ID');

  // The focus follows the steps, by keyboard and back.
  await page.getByRole('button', { name: 'Next' }).press('Enter');
  await page.getByText('All rows checked').waitFor();
  await expect.poll(() => focused(page)).toBe('Check the changes');
  await page.getByRole('button', { name: 'Back' }).press('Enter');
  await expect.poll(() => focused(page)).toBe('Match columns');
  await page.goBack();
  await expect.poll(() => focused(page)).toBe('Check the changes');

  const counters = page.getByRole('group', { name: 'Show rows' }).getByRole('button');
  const counted = () => counters.allInnerTexts();
  await expect
    .poll(counted)
    .toEqual([
      '7 All',
      '1 New',
      '1 Changed',
      '1 New employee ID',
      '1 Deactivated',
      '1 Unchanged',
      '2 Invalid',
    ]);
  await page.getByText('Jürgen Weiß').waitFor();
  await site.expectAccessible(page, 'import-3-check');

  await page.getByRole('button', { name: 'Details of row 2' }).click();
  await page.getByText('weiss@example.com').last().waitFor();
  await page.getByRole('button', { name: '2 Invalid', exact: true }).click();
  await expect.poll(() => shownRows(page)).toEqual(['7', '8']);
  const invalid = readFileSync(await (await downloaded(page, /^CSV: Semicolon/)).path());
  expect(invalid.toString('latin1')).toMatch(/^Personalnummer;.*;Problem\r\n.*Niemand.*\r\n.*Jürgen/);

  const active = await cellOf(page, 'Aktiv', 8);
  await active.click();
  await page.getByRole('textbox', { name: 'Aktiv, row 8' }).press('Escape');
  await expect.poll(() => active.getAttribute('aria-invalid')).toBe('true');
  const described = String(await active.getAttribute('aria-describedby'));
  await expect.poll(() => page.locator(`[id="${described}"]`).innerText()).toMatch(/Status: Enter yes or no/);
  await editCell(page, 'Aktiv', 8, 'ja');
  await expect.poll(() => focused(page)).toBe('ja');
  // The problem disappears, which moves the cells below: a click at that moment would hit another one.
  await page.getByRole('button', { name: '1 Invalid', exact: true }).waitFor();
  await editCell(page, 'Telefon', 8, '+49 40 777');
  await page.getByRole('button', { name: '2 Changed', exact: true }).waitFor();
  await expect.poll(() => shownRows(page)).toEqual(['7', '8']);

  // A reload loses nothing.
  await page.reload();
  await page.getByText(/^Restored: Personal.csv with 2 edits, as you left it on/).waitFor();
  await page.getByText('All rows checked').waitFor();
  await site.expectAccessible(page, 'import-3-restored');

  // Going back and forward loses nothing.
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('heading', { name: 'Match columns' }).waitFor();
  await page.goBack();
  await expect.poll(() => shownRows(page)).toEqual(['7']);
  await page.getByRole('button', { name: '7 All' }).click();
  const phone = await cellOf(page, 'Telefon', 8);
  await expect.poll(() => phone.textContent()).toBe('was030 1234 → becomes+49 40 777');

  await page.getByLabel('Note (optional)').fill('November');
  await page.getByRole('button', { name: 'Import 5 users…' }).click();
  await page.getByRole('button', { name: 'Start import' }).click();
  await page.getByRole('heading', { name: 'Result' }).waitFor();
  await expect.poll(() => shownRows(page)).toEqual(['7']);
  await expect
    .poll(counted)
    .toEqual([
      '7 All',
      '1 New',
      '2 Changed',
      '1 New employee ID',
      '1 Deactivated',
      '1 Unchanged',
      '1 Invalid',
    ]);
  expect(await user(zeros)).toMatchObject({ name: 'Jürgen Weiß', email: 'weiss@example.com' });
  expect(await user(fresh)).toMatchObject({ name: `Jürgen ${renamed}` });
  expect(await user(leaver)).toMatchObject({ isActive: false });
  expect(await user(wrong)).toMatchObject({ phone: '+49 40 777' });
  expect(await user(joiner)).toMatchObject({ name: 'Jana Neu', isActive: true });

  // The invalid rows can be imported again, as a workbook as well.
  const workbook = await downloaded(page, /Excel/);
  expect(workbook.suggestedFilename()).toBe('invalid-Personal.xlsx');

  await page.getByRole('button', { name: 'Undo this import' }).click();
  await page.getByText('4 users will be restored to the previous state.').waitFor();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await page.getByText('1 user removed.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('button', { name: 'Undo this import' }).waitFor({ state: 'detached' });
  expect(await user(renamed)).toMatchObject({ name: `Jürgen ${renamed}` });
  expect(await user(joiner)).toBeUndefined();

  // The call keeps its file and note, and can't be undone twice.
  await page.getByRole('link', { name: 'View in Activity' }).click();
  await page.getByRole('heading', { name: /^Import of Personal\.csv, / }).waitFor();
  await page.getByText('November – 1 invalid row left out', { exact: true }).waitFor();
  await expect.poll(() => page.getByRole('button', { name: /^Undo/ }).count()).toBe(0);

  await site.service.givenUser({ employeeID: nobody, name: 'Niemand', phone: '030 1' });
  await page.getByRole('link', { name: 'Users', exact: true }).click();
  await page.getByRole('link', { name: 'Import users' }).click();
  await page.getByRole('button', { name: 'Import another file' }).click();
  await givenFile(page, 'again.xlsx', readFileSync(await workbook.path()));
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: '1 Unchanged' }).waitFor();
});

test('rejects files that are not tables, and says why', { tags: 'release' }, async () => {
  const page = await site.signedIn('operator', '/import', { width: 390, height: 740, colours: 'dark' });
  const refusals: [string, Buffer, string][] = [
    ['list.pdf', Buffer.from('%PDF-1.7\n'), 'This looks like a PDF document.'],
    ['huge.csv', Buffer.from(`ID\n${'1\n'.repeat(100_001)}`), 'The file has more than 100,000 rows'],
  ];
  for (const [name, bytes, message] of refusals) {
    await givenFile(page, name, bytes);
    await page.getByText(`Couldn't read ${name}`).waitFor();
    await page.getByRole('alert').getByText(message).waitFor();
  }
  await site.expectAccessible(page, 'import-1-refused-narrow');

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
  await page.getByText('All rows checked').waitFor();
  await noteOf(page, 3).getByText('Row 2 has the same employee ID but another name').waitFor();
  await expectToFit(page);
  await site.expectAccessible(page, 'import-3-check-narrow');
});
