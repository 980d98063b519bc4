import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectToFit, useSite, zoomed } from '../support/browser.js';
import { cellOf, editCell, noteOf } from '../support/import-grid.js';
import { newId } from '../support/service.js';

const site = useSite();

async function checked(page: Page, csv: string): Promise<void> {
  await page
    .getByLabel('Choose file')
    .setInputFiles({ name: 'users.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('All rows checked').waitFor();
}

/** The number of the row and the text of the cell with the focus, if it is in view. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const cell = document.activeElement?.closest('[data-cell]');
    const grid = cell?.closest('section')?.getBoundingClientRect();
    const box = cell?.getBoundingClientRect();
    if (!cell || !box || !grid || cell !== document.activeElement) return undefined;
    const isInView = box.top >= grid.top && box.bottom <= grid.bottom && box.left >= grid.left;
    return isInView
      ? [cell.closest('tr')?.querySelector('th')?.textContent, cell.textContent]
      : 'out of view';
  });

/** How far any row reaches into the next one, in pixels. */
const overlap = (page: Page) =>
  page.evaluate(() => {
    const boxes = [...document.querySelectorAll('tbody tr')].map((row) => row.getBoundingClientRect());
    const overlaps = boxes.slice(1).map(({ top }, at) => (boxes[at]?.bottom ?? 0) - top);
    return Math.round(Math.max(0, ...overlaps));
  });

test('thousands of rows are one tab stop, are fixed by keyboard, and never cover each other', async () => {
  const id = newId('grid');
  const rows = Array.from(
    { length: 2_500 },
    (_, n) => `${id}${n},Ada ${n},${n}@${id}.example,${n % 10 === 0 ? 'vielleicht' : 'yes'}`,
  );
  const page = await site.signedIn('operator', '/import');
  await checked(page, ['Employee ID,Name,Email,Active', ...rows].join('\n'));

  await page.getByRole('switch', { name: 'Only columns with problems' }).focus();
  await page.keyboard.press('Tab');
  await expect.poll(() => focused(page)).toEqual(['2', `${id}0`]);
  await page.keyboard.press('Tab');
  await expect.poll(() => focused(page)).toBeUndefined();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Control+End');
  await expect.poll(() => focused(page)).toEqual(['2,501', 'yes']);
  await page.keyboard.press('PageUp');
  await page.keyboard.press('Control+Home');
  await expect.poll(() => focused(page)).toEqual(['2', '2']);
  await page.keyboard.press('ArrowUp');
  await expect.poll(() => focused(page)).toEqual(['Row', 'Row']);

  // Escape discards, Enter saves, and the focus stays, also while rows are checked again and offers are accepted.
  await page.keyboard.press('ArrowDown');
  for (let steps = 0; steps < 5; steps++) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowLeft');
  for (let steps = 0; steps < 5 && (await focused(page))?.[1] !== 'vielleicht'; steps++)
    await page.keyboard.press('ArrowRight');
  await page.keyboard.press('n');
  await page.keyboard.press('Escape');
  await expect.poll(() => focused(page)).toEqual(['2', 'vielleicht']);
  await page.keyboard.type('yes');
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page)).toEqual(['2', 'yes']);
  await page.getByText('Row 2: New.').waitFor();
  expect(await overlap(page)).toBe(0);
  await page.getByRole('button', { name: 'Change "vielleicht" → "yes" in all 249 rows' }).press('Enter');
  await expect.poll(() => focused(page)).toEqual(['2', 'yes']);
  await page.getByRole('button', { name: '2,500 New' }).waitFor();
  expect(await overlap(page)).toBe(0);
  await expect.poll(() => focused(page)).toEqual(['2', 'yes']);
  await page.keyboard.press('Control+z');
  await page.getByRole('button', { name: '249 Invalid', exact: true }).waitFor();
  expect(await overlap(page)).toBe(0);

  // Find and replace counts first.
  await page.getByRole('button', { name: '249 Invalid', exact: true }).click();
  await page.getByRole('switch', { name: 'Only columns with problems' }).check();
  await expect
    .poll(() => page.getByRole('columnheader').allTextContents())
    .toEqual(['Row', 'Employee ID', 'Name', 'Change', 'Active']);
  await (await cellOf(page, 'Active', 12)).focus();
  for (let steps = 0; steps < 3; steps++) await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Find and replace in "Active"' });
  await dialog.getByLabel('Find').fill('viel');
  await dialog.getByLabel('Replace with').fill('ja, viel');
  await dialog.getByText('Found in 249 rows.').waitFor();
  await site.expectAccessible(page, 'import-3-replace');
  await dialog.getByLabel('Find').fill('vielleicht');
  await dialog.getByLabel('Replace with').fill('no');
  await page.keyboard.press('Enter');
  await page.getByText('All rows checked').waitFor();
  await page.getByRole('button', { name: 'Undo edit of 249 rows in "Active"' }).waitFor();
  await page.getByRole('button', { name: '2,500 New' }).waitFor();
});

test('problems are below their row, name and link the other user, and fit everywhere', {
  tags: 'release',
}, async () => {
  const [former, current, taken, fresh] = [newId(), newId(), newId('user'), newId()];
  const ada = await site.service.givenUser({ employeeID: former, name: 'Ada Lovelace', username: taken });
  const renamed = await site.service.request('PATCH', `/service/users/${ada.serial}`, {
    body: { employeeID: current },
  });
  expect(renamed.status).toBe(200);
  const csv = [
    'Employee ID,Name,Username,Email,Phone,City,Street',
    `${former},Ada King,,ada.king@example.com,,,`,
    `${fresh},Grace,${taken},grace@example.com,,,`,
  ].join('\n');
  const page = await site.signedIn('operator', '/import');
  await checked(page, csv);
  await expect.poll(() => noteOf(page, 2).innerText()).toMatch(/former employee ID.*Ada Lovelace/s);
  await expect
    .poll(() =>
      noteOf(page, 3)
        .getByRole('link', { name: `Ada Lovelace (${current})` })
        .getAttribute('href'),
    )
    .toBe(`/users/${ada.serial}`);
  await expect
    .poll(async () => (await cellOf(page, 'Username', 3)).getAttribute('aria-invalid'))
    .toBe('true');
  await site.expectAccessiblePage(page, 'import-3-problems');
  for (const size of [zoomed, { width: 390, height: 740 }]) {
    await page.setViewportSize(size);
    await noteOf(page, 3).scrollIntoViewIfNeeded();
    await expectToFit(page);
    const box = await noteOf(page, 3).boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(size.width);
  }
  await page.emulateMedia({ forcedColors: 'active' });
  await site.screenshot(page, 'import-3-problems-forced');
  await page.emulateMedia({ forcedColors: 'none' });

  await editCell(page, 'Username', 3, newId('user'));
  await page.getByRole('button', { name: '2 New' }).waitFor();
  await (await cellOf(page, 'Employee ID', 2)).focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: '1 Changed' }).waitFor();
});
