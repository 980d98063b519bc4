import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useSite } from '../support/browser.js';
import { cellOf, editCell } from '../support/import-grid.js';
import { newId } from '../support/service.js';

const site = useSite();

/** How many imports the browser keeps. */
const keptImports = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open('rollcall.work');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const database = opening.result;
          if (!database.objectStoreNames.contains('work')) {
            database.close();
            indexedDB.deleteDatabase('rollcall.work').onsuccess = () => resolve(0);
            return;
          }
          const counting = database.transaction('work').objectStore('work').count();
          counting.onsuccess = () => {
            resolve(counting.result);
            database.close();
          };
        };
      }),
  );

test('an import survives a reload for its user alone, in one tab, until it is finished', {
  tags: 'release',
}, async () => {
  const [ada, eve] = [await site.service.givenUser(), await site.service.givenUser()];
  const user = await site.givenUserWithPassword('operator');
  const page = await site.signedIn(user, '/import');
  const file = ['Employee ID,Personal name', `${ada.employeeID},Ada King`, `${eve.employeeID},Eve King`].join(
    '\n',
  );
  const choose = async () => {
    await page
      .getByLabel('Choose file')
      .setInputFiles({ name: 'salaries.csv', mimeType: 'text/csv', buffer: Buffer.from(file) });
    await page.getByRole('heading', { name: 'Match columns' }).waitFor();
    await page.getByLabel('Field for "Personal name"').selectOption('Name');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('All rows checked').waitFor();
  };
  await choose();
  await editCell(page, 'Personal name', 2, 'Ada Byron');
  await page.getByText('Row 2: Changed.').waitFor();
  await page.getByLabel('Note (optional)').fill('November');
  await expect.poll(() => keptImports(page)).toBe(1);

  // Another tab begins with another file.
  const tab = await page.context().newPage();
  await tab.goto('/import');
  await tab.getByRole('heading', { name: 'Choose a file' }).waitFor();
  await tab.close();

  await page.goto('/import');
  await page.getByText(/^Restored: salaries.csv with 1 edit/).waitFor();
  await page.getByText('All rows checked').waitFor();
  await expect.poll(async () => (await cellOf(page, 'Personal name', 2)).textContent()).toMatch(/Ada Byron$/);
  await expect.poll(() => page.getByLabel('Note (optional)').inputValue()).toBe('November');
  await site.expectAccessiblePage(page, 'import-restored');

  // Once it is finished, nothing is kept.
  await page.getByRole('button', { name: 'Import 2 users…' }).click();
  await page.getByRole('button', { name: 'Start import' }).click();
  await page.getByText('Import complete: 2 users.').waitFor();
  await expect.poll(() => keptImports(page)).toBe(0);
  expect(await site.service.readUser(ada.serial)).toMatchObject({ name: 'Ada Byron' });

  // Nor once it is discarded.
  await page.goto('/import');
  await choose();
  await expect.poll(() => keptImports(page)).toBe(1);
  await page.reload();
  await page.getByRole('button', { name: 'Discard this import' }).click();
  await page.getByRole('heading', { name: 'Choose a file' }).waitFor();
  await expect.poll(() => keptImports(page)).toBe(0);

  // Somebody else who signs in after the session has ended finds nothing.
  await choose();
  await expect.poll(() => keptImports(page)).toBe(1);
  await page.context().clearCookies();
  await page.evaluate(() => localStorage.clear());
  await page.goto('/import');
  await site.signIn(page, await site.givenUserWithPassword('operator', { name: newId('Other') }));
  await page.getByRole('heading', { name: 'Choose a file' }).waitFor();
  await expect.poll(() => keptImports(page)).toBe(0);
});
