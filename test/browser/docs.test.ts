import { expect, test } from 'vitest';
import { useSite } from '../support/browser.js';

const site = useSite();

test('/docs lists the operations, and opens one to read and try it', async () => {
  const page = await site.newPage();
  await page.goto('/docs');
  expect(page.url()).toMatch(/\/docs\/$/);
  await page.getByRole('searchbox', { name: 'Find an operation' }).fill('health');
  await expect
    .poll(() => page.getByRole('navigation').getByRole('link').allTextContents())
    .toEqual([expect.stringContaining('/healthz')]);

  await page.getByRole('navigation').getByRole('link').click();
  await page.getByRole('button', { name: 'Execute' }).click();
  await page.getByText('The process is running.').first().waitFor();
  await expect.poll(() => page.url()).toMatch(/\/docs\/#getHealth$/);
});
