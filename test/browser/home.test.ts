import { expect, test } from 'vitest';
import { useOwnSite } from '../support/browser.js';
import { anItem, aUser } from '../support/service.js';

const site = useOwnSite();

const today = () => new Date().toISOString().slice(0, 10);

test('Home leads a new administrator to the first import, then shows what happened', async () => {
  const { service } = site;
  const days = [today()];
  const page = await site.signedIn('administrator', '/');
  await page.getByRole('heading', { name: 'Welcome to Rollcall' }).waitFor();
  await site.expectAccessible(page, 'home-first');
  await expect
    .poll(() => page.getByRole('link', { name: 'Import users' }).getAttribute('href'))
    .toBe('/import');

  // Shown as soon as they exist: the page follows the event stream.
  const users = Array.from({ length: 40 }, (_, index) => aUser({ name: `Worker ${index}` }));
  await service.createBulk(users);
  await page.getByRole('heading', { name: 'Users over time' }).waitFor();
  await page.getByRole('link', { name: /Active users 42/ }).waitFor();
  await service.updateBulk([
    ...users.slice(0, 5).map((user) => anItem(user, { isActive: false })),
    anItem(aUser(), { name: 'Nobody' }),
  ]);
  await page.getByRole('link', { name: /Inactive users 5/ }).waitFor();
  await page.getByText('1 failed').waitFor();
  const checklist = page.getByRole('region', { name: 'Getting started' });
  await checklist.getByText('2 of 3 done.').waitFor();
  await checklist.getByRole('link', { name: 'Set up email' }).waitFor();
  const attention = page.getByRole('region', { name: 'Needs attention' });
  const failedRows = attention.getByRole('link', { name: /^Rows that failed: .* 1$/ });
  await site.visit(page, '/');
  await failedRows.waitFor();
  await site.expectAccessiblePage(page, 'home');
  await checklist.getByRole('button', { name: 'Hide' }).click();
  await checklist.waitFor({ state: 'detached' });
  await failedRows.click();
  await page.getByRole('heading', { name: 'Rows' }).waitFor();
  await page.goBack();
  await attention.getByRole('button', { name: /^Dismiss: Rows that failed/ }).click();
  await failedRows.waitFor({ state: 'detached' });
  expect(await checklist.count()).toBe(0);

  const chart = page.getByRole('img', { name: /changes from .* Most of them/ });
  await chart.focus();
  await page.getByRole('status').getByText('Deactivated').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor();
  const from = () => new URL(page.url()).searchParams.get('from');
  await expect.poll(() => [...days, today()].includes(String(from()))).toBe(true);
  await page.goBack();
  await page.getByRole('region', { name: 'Changes per day' }).getByText('Table', { exact: true }).click();
  await page.getByRole('table', { name: 'Changes per day' }).waitFor();
  await site.expectAccessible(page, 'home-table');

  await site.signedIn('viewer', '/');
  await page.getByRole('heading', { name: 'Users over time' }).waitFor();
  expect(await page.getByRole('link', { name: 'View changes' }).count()).toBe(0);
  expect(await page.getByText('Rejected sign-ins').count()).toBe(0);
});

test('the command palette finds users, pages and actions by keyboard', { tags: 'release' }, async () => {
  const { service } = site;
  const grace = await service.givenUser({ name: 'Grace Palette' });
  const page = await site.signedIn('operator');
  await page.keyboard.press('/');
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('search');
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Search and commands' });
  const input = palette.locator('input:focus'); // what is typed before would go elsewhere
  await palette.getByRole('option', { name: 'Import users from a file' }).waitFor();
  expect(await palette.getByRole('option', { name: 'Webhooks' }).count()).toBe(0);
  await site.expectAccessible(page, 'palette');
  await input.waitFor();
  await page.keyboard.type('grace pal');
  await palette.getByRole('option', { name: /Grace Palette/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/users/${grace.serial}`);

  await page.getByRole('heading', { level: 1, name: 'Grace Palette' }).waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await site.expectAccessible(page, 'shortcuts');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.keyboard.press('g');
  await page.keyboard.press('o');
  await page.waitForURL('**/organizations');
  await page.getByRole('button', { name: 'Search or jump to…' }).click();
  await input.waitFor();
  await page.keyboard.type('dark');
  await palette.getByRole('option', { name: 'Use the dark theme' }).waitFor();
  await page.keyboard.press('Enter');
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();

  // Leaving a page with unsaved changes is asked about, as with any other link.
  await site.visit(page, '/users/new');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Unsaved');
  await page.keyboard.press('Control+k');
  await input.waitFor();
  await page.keyboard.type('activity');
  await palette.getByRole('option', { name: 'Activity' }).waitFor();
  await page.keyboard.press('Enter');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /leave|discard/i })
    .waitFor();
  expect(new URL(page.url()).pathname).toBe('/users/new');
});

test('System shows the limits, how the service is doing, and link to what needs attention', async () => {
  const page = await site.signedIn('administrator', '/system/limits');
  await page.getByRole('table', { name: 'Bulk changes and imports' }).getByText('10,000').waitFor();
  await site.expectAccessiblePage(page, 'settings-limits');

  const { serial } = await site.service.givenUser();
  await site.service.database.pool.query(`UPDATE deliveries SET state = 'parked' WHERE user_serial = $1`, [
    serial,
  ]);
  await site.visit(page, '/system/status');
  await page.getByRole('table', { name: 'Nodes' }).getByText('Running').waitFor();
  await page.getByRole('table', { name: 'Database' }).getByText('PostgreSQL').waitFor();
  await page.getByRole('table', { name: 'Last backup' }).getByText('No backup yet').waitFor();
  await site.expectAccessiblePage(page, 'settings-status');
  await page.getByRole('link', { name: /^Show: 1 message couldn't be sent/ }).click();
  await page.waitForURL('**/activity/deliveries?state=parked');
});
