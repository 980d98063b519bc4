import { expect, test } from 'vitest';
import { useOwnSite } from '../support/browser.js';
import { givenUpdates } from '../support/calls.js';
import { patchUser } from '../support/deliveries.js';
import { anItem, aUser } from '../support/service.js';

const site = useOwnSite();

const isWide = () => document.documentElement.scrollWidth > innerWidth;

test('Home leads a new administrator to the first import, then shows what happened', async () => {
  const { service } = site;
  const admin = await site.givenPerson('administrator', { name: 'Anna Admin' });
  const page = await site.newPage();
  await page.goto('/');
  await site.signIn(page, admin);
  await page.getByRole('heading', { name: 'Welcome to Rollcall' }).waitFor();
  await site.screenshot(page, 'home-first');
  await site.expectAccessible(page);
  expect(await page.getByRole('link', { name: 'Import users' }).getAttribute('href')).toBe('/import');

  // Shown as soon as they exist: the page follows the event stream.
  const people = Array.from({ length: 40 }, (_, index) => aUser({ name: `Worker ${index}` }));
  await service.createBulk(people);
  await page.getByRole('heading', { name: 'Users over time' }).waitFor();
  await page.getByRole('link', { name: /Active users 42/ }).waitFor();
  await service.updateBulk([
    ...people.slice(0, 5).map((person) => anItem(person, { isActive: false })),
    anItem(aUser(), { name: 'Nobody' }),
  ]);
  await page.getByRole('link', { name: /Inactive users 5/ }).waitFor();
  await page.getByText('1 failed').waitFor();
  await site.screenshot(page, 'home');
  await site.expectAccessible(page);

  const chart = page.getByRole('img', { name: /changes from .* Most of them/ });
  await chart.focus();
  await page.getByRole('status').getByText('Deactivated').waitFor();
  await site.screenshot(page, 'home-chart-focus');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Changes' }).waitFor();
  expect(new URL(page.url()).searchParams.get('from')).toBe(new Date().toISOString().slice(0, 10));
  await page.goBack();
  await page.getByRole('region', { name: 'Changes per day' }).getByText('Table', { exact: true }).click();
  await page.getByRole('table', { name: 'Changes per day' }).waitFor();
  await site.expectAccessible(page, ['light']);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => page.evaluate(isWide)).toBe(false);
  await page.emulateMedia({ colorScheme: 'dark' });
  await site.screenshot(page, 'home-narrow-dark');

  const viewer = await site.newPage();
  await viewer.goto('/');
  await site.signIn(viewer, await site.givenPerson('viewer'));
  await viewer.getByRole('heading', { name: 'Users over time' }).waitFor();
  expect(await viewer.getByRole('link', { name: 'View changes' }).count()).toBe(0);
  expect(await viewer.getByText('Rejected sign-ins').count()).toBe(0);
});

test('changes appear live, without moving what is being read, and can be filtered', async () => {
  const { service } = site;
  const ada = await service.givenUser({ name: 'Ada Live' });
  const page = await site.signedIn('administrator');
  const second = await site.signedIn('administrator', { width: 390, height: 844, colours: 'dark' });
  await second.goto(`/users/${ada.serial}`);
  await second.getByRole('heading', { level: 1, name: 'Ada Live' }).waitFor();
  await page.getByRole('link', { name: 'Changes', exact: true }).click();
  const feed = page.getByRole('region', { name: 'Changes, newest first' });
  await feed.getByRole('link', { name: 'Ada Live' }).waitFor();
  const before = await feed.getByRole('listitem').count();

  const changedAt = Date.now();
  await patchUser(service, ada.serial, { name: 'Ada Changed' });
  const pill = page.getByRole('button', { name: '1 new change' });
  await pill.waitFor();
  expect(Date.now() - changedAt).toBeLessThan(10_000); // a second, on a machine that is not busy
  expect(await feed.getByRole('listitem').count()).toBe(before);
  await second.getByRole('heading', { level: 1, name: 'Ada Changed' }).waitFor();
  await patchUser(service, ada.serial, { phone: '12345' });
  await page.getByRole('button', { name: '2 new changes' }).waitFor();
  await site.screenshot(page, 'changes-new');
  await site.expectAccessible(page);
  await page.getByRole('button', { name: '2 new changes' }).click();
  await feed.getByText('12345').waitFor();

  await page.getByRole('combobox', { name: 'Field' }).click();
  await page.getByRole('option', { name: 'Phone' }).click();
  await expect.poll(() => feed.getByText('Ada Changed').count()).toBe(1);
  await page.getByRole('combobox', { name: 'User', exact: true }).pressSequentially('ada changed');
  await page.getByRole('option', { name: /Ada Changed/ }).click();
  await expect.poll(() => new URL(page.url()).searchParams.get('user')).toBe(ada.serial);
  const call = await givenUpdates(service, [anItem({ ...ada, name: 'Ada Bulk' }, { phone: '777' })]);
  await page.getByRole('button', { name: '1 new change' }).click();
  await feed.getByText('777').waitFor();
  await page.goto(`/changes?call=${call}`);
  await expect.poll(() => feed.getByRole('listitem').count()).toBeGreaterThan(0);
  await site.screenshot(page, 'changes-call');
  await second.goto('/changes');
  await second.getByRole('region', { name: 'Changes, newest first' }).waitFor();
  expect(await second.evaluate(isWide)).toBe(false);
  await site.screenshot(second, 'changes-narrow-dark');

  const operator = await site.signedIn('operator');
  await operator.getByRole('searchbox').fill('Ada Later');
  await operator.getByText('No users match').waitFor();
  await service.givenUser({ name: 'Ada Later' });
  await operator.getByRole('link', { name: 'Ada Later' }).waitFor();
});

test('the command palette finds users, pages and actions by keyboard', async () => {
  const { service } = site;
  const grace = await service.givenUser({ name: 'Grace Palette' });
  const page = await site.signedIn('operator');
  await page.keyboard.press('/');
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('search');
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Search and commands' });
  await palette.getByRole('option', { name: 'Import', exact: true }).waitFor();
  expect(await palette.getByRole('option', { name: 'Webhooks' }).count()).toBe(0);
  await site.screenshot(page, 'palette');
  await site.expectAccessible(page);
  await page.keyboard.type('grace pal');
  await palette.getByRole('option', { name: /Grace Palette/ }).waitFor();
  await site.screenshot(page, 'palette-users');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/users/${grace.serial}`);

  await page.getByRole('heading', { level: 1, name: 'Grace Palette' }).waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await site.screenshot(page, 'shortcuts');
  await site.expectAccessible(page, ['light']);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await page.waitForURL('**/settings/organizations');
  await page.getByRole('button', { name: 'Search or jump to…' }).click();
  await page.keyboard.type('dark');
  await palette.getByRole('option', { name: 'Use the dark theme' }).waitFor();
  await page.keyboard.press('Enter');
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();

  // Leaving a page with unsaved changes is asked about, as with any other link.
  await page.goto('/users/new');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Unsaved');
  await page.keyboard.press('Control+k');
  await palette.getByRole('option', { name: 'Home' }).waitFor();
  await page.keyboard.type('activity');
  await palette.getByRole('option', { name: 'Activity' }).waitFor();
  await page.keyboard.press('Enter');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /leave|discard/i })
    .waitFor();
  expect(new URL(page.url()).pathname).toBe('/users/new');
});

test('Settings show the limits of the service', async () => {
  const page = await site.signedIn('administrator', { width: 390, height: 844 });
  await page.goto('/settings/limits');
  await page.getByRole('table', { name: 'Bulk changes and imports' }).getByText('10,000').waitFor();
  expect(await page.evaluate(isWide)).toBe(false);
  await site.screenshot(page, 'settings-limits-narrow');
  await site.expectAccessible(page);
});

test('Settings show how the service is doing, and link to what needs attention', async () => {
  const page = await site.signedIn('administrator', { width: 390, height: 844 });
  const { serial } = await site.service.givenUser();
  await site.service.database.pool.query(`UPDATE deliveries SET state = 'parked' WHERE user_serial = $1`, [
    serial,
  ]);
  await page.goto('/settings/status');
  await page.getByRole('table', { name: 'Nodes' }).getByText('Running').waitFor();
  await page.getByRole('table', { name: 'Database' }).getByText('PostgreSQL').waitFor();
  await page.getByRole('table', { name: 'Last backup' }).getByText('No backup yet').waitFor();
  expect(await page.evaluate(isWide)).toBe(false);
  await site.screenshot(page, 'settings-status-narrow');
  await site.expectAccessible(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await site.screenshot(page, 'settings-status-dark');
  await page.getByRole('link', { name: /^Show: 1 message couldn't be sent/ }).click();
  await page.waitForURL('**/activity/deliveries?state=parked');
});
