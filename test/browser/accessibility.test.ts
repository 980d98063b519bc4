import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectToFit, useSite, zoomed } from '../support/browser.js';
import { newId } from '../support/service.js';

const site = useSite();

test('a file is imported, fixed and undone with the keyboard alone, at a zoom of 200 %', async () => {
  const ada = await site.service.givenUser();
  const page = await site.signedIn('administrator', '/import', zoomed);
  await page.getByRole('heading', { name: 'Choose a file' }).waitFor();
  await site.expectAccessiblePage(page, 'import-file');
  const chooser = page.waitForEvent('filechooser');
  await press(page, page.getByRole('button', { name: 'Choose file' }), 'Enter');
  const rows = ['Employee ID,Name,Active', `${ada.employeeID},Ada King,perhaps`];
  await (await chooser).setFiles({
    ...{ name: 'users.csv', mimeType: 'text/csv' },
    buffer: Buffer.from(rows.join('\n')),
  });
  await page.getByRole('heading', { name: 'Match columns' }).waitFor();
  await site.expectAccessiblePage(page, 'import-columns');
  await press(page, page.getByRole('button', { name: 'Next' }), 'Enter');
  await page.getByText('All rows checked').waitFor();
  await site.expectAccessiblePage(page, 'import-check');
  await press(page, page.getByRole('grid').locator('[tabindex="0"]'), 'End');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.type('yes');
  await page.keyboard.press('Enter');
  await press(page, page.getByRole('button', { name: 'Import 1 user…' }), 'Enter');
  await press(page, page.getByRole('button', { name: 'Start import' }), 'Enter');
  await page.getByText('Import complete: 1 user.').waitFor();
  await site.expectAccessiblePage(page, 'import-result');
  await press(page, page.getByRole('button', { name: 'Undo this import' }), 'Enter');
  const dialog = page.getByRole('dialog');
  await press(page, dialog.getByRole('button', { name: 'Undo', exact: true }), 'Enter');
  await dialog.getByText('1 user restored.').waitFor();
  expect(await site.service.readUser(ada.serial)).toMatchObject({ name: ada.name });
});

test('users are selected and changed with the keyboard alone, at a zoom of 200 %', {
  tags: 'release',
}, async () => {
  const [ada, tag] = [await site.service.givenUser({ name: `Keyboard ${newId()}` }), newId('T')];
  const page = await site.signedIn('operator', `/users?search=${ada.employeeID}`, zoomed);
  await page.getByRole('link', { name: ada.name }).waitFor();
  await press(page, page.getByRole('region', { name: 'Users', exact: true }), 'ArrowDown');
  await page.keyboard.press('Space');
  const bar = page.getByRole('region', { name: 'Selected users' });
  await bar.getByText('1 user selected').waitFor();
  await expectToFit(page);
  await press(page, bar.getByRole('button', { name: 'Actions' }), 'Enter');
  await press(page, page.getByRole('menuitem', { name: 'Add tag…' }), 'Enter', 'ArrowDown');
  const dialog = page.getByRole('dialog', { name: 'Add a tag' });
  await press(page, dialog.getByRole('combobox', { name: 'Tag' }), 'Enter', 'Tab', () =>
    page.keyboard.type(tag),
  );
  await press(page, dialog.getByRole('button', { name: 'Change 1 user' }), 'Enter');
  await page.getByRole('dialog').getByText('1 user changed.').waitFor();
  await site.expectAccessible(page, 'users-changed-zoomed');
  expect(await site.service.readUser(ada.serial)).toMatchObject({ tagSerials: [tag] });
});

/** Moves the focus with a key, as someone without a mouse does, then presses another one. */
async function press(
  page: Page,
  target: Locator,
  key: string,
  towards = 'Tab',
  before: () => Promise<void> = async () => {},
): Promise<void> {
  await target.waitFor();
  for (let steps = 0; steps < 80; steps++) {
    if (await target.evaluate((element) => element === document.activeElement)) {
      await before();
      return page.keyboard.press(key);
    }
    await page.keyboard.press(towards);
  }
  throw new Error(`${target} can't be reached with the keyboard`);
}

test('selection, the current page and switches are seen in forced colors, and a user is printed without buttons', {
  tags: 'release',
}, async () => {
  const ada = await site.service.givenUser({ name: 'Ada Printed' });
  const page = await site.signedIn('administrator', `/users/${ada.serial}`);
  await page.emulateMedia({ forcedColors: 'active' });
  const outlineOf = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => getComputedStyle(element).outlineStyle);
  await expect.poll(() => outlineOf('nav [aria-current="page"]')).toBe('solid');
  await site.expectAccessible(page, 'forced-colors');
  await page.emulateMedia({ forcedColors: 'none', media: 'print' });
  await expect.poll(() => page.getByRole('button').count()).toBe(0);
  await page.getByRole('heading', { level: 1, name: 'Ada Printed' }).waitFor();
  await page.screenshot({ path: 'node_modules/.cache/pictures/user-print.png', fullPage: true });
  await page.emulateMedia({ media: 'screen' });
});
