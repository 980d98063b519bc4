import type { Locator, Page } from 'playwright-core';

const grid = (page: Page): Locator => page.getByRole('grid');

/** The cell of a row, by the heading of its column and the number of the row in the file. */
export async function cellOf(page: Page, heading: string, row: number): Promise<Locator> {
  const column = await grid(page)
    .getByRole('columnheader', { name: heading, exact: true })
    .getAttribute('aria-colindex');
  const number = page.getByRole('rowheader', { name: row.toLocaleString('en'), exact: true });
  return grid(page).getByRole('row').filter({ has: number }).locator(`[aria-colindex="${column}"]`);
}

export async function editCell(page: Page, heading: string, row: number, text: string): Promise<void> {
  await (await cellOf(page, heading, row)).click();
  await page.getByRole('textbox', { name: `${heading}, row ${row}` }).fill(text);
  await page.keyboard.press('Enter');
}

/** What is wrong with a row, or doubtful about it. */
export function noteOf(page: Page, row: number): Locator {
  const number = page.getByRole('rowheader', { name: row.toLocaleString('en'), exact: true });
  return grid(page).getByRole('row').filter({ has: number }).getByRole('gridcell').last();
}
