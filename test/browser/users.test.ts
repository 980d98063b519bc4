import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { useSite } from '../support/browser.js';

const site = useSite();
const userCount = 450;

/** Names sort by number. */
function person(number: number) {
  const id = String(number).padStart(4, '0');
  return {
    employeeID: `E${id}`,
    name: `Person ${id}`,
    username: `person${id}`,
    email: `person${id}@example.com`,
    phone: '+44 20 7946 0958',
    isActive: number % 10 !== 0,
    organizationSerial: number % 2 === 0 ? 'ORG2' : 'ORG1',
    tagSerials: number % 3 === 0 ? ['T3'] : [],
  };
}

beforeAll(async () => {
  const created = await site.service.createBulk(Array.from({ length: userCount }, (_, n) => person(n)));
  expect(created.json.data.failedItems).toEqual([]);
});

const names = (page: Page) => page.locator('tbody a').allTextContents();
const firstName = (page: Page) => page.locator('tbody a').first().textContent();
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent);

test('an old link opens the same list', async () => {
  const page = await site.signedIn('viewer');
  await page.goto('/people?search=person+0041');
  await page.getByText('1 user', { exact: true }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/users');
  await page.goto('/people/new');
  await page.waitForURL('**/users/new');
});

test('searches, filters and sorts users, and keeps the state in the URL', async () => {
  const page = await site.signedIn('viewer');
  await page.getByText(/loaded. Scroll to load more/).waitFor();
  expect(await page.getByRole('link', { name: 'Create user' }).count()).toBe(0);
  await site.screenshot(page, 'users');

  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitem', { name: 'Dark' }).click();
  await page.reload();
  expect(await page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark');
  await page.getByRole('link', { name: 'Person 0000' }).first().waitFor();
  await site.screenshot(page, 'users-dark');
  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitem', { name: 'System' }).click();
  await site.expectAccessible(page);

  await page.getByLabel('Search').pressSequentially('person 004');
  await page.getByText('10 users', { exact: true }).waitFor();
  expect(await names(page)).toEqual(Array.from({ length: 10 }, (_, n) => `Person 004${n}`));
  expect(new URL(page.url()).search).toBe('?search=person+004');

  await page.getByLabel('Status').selectOption('Inactive');
  await page.getByText('1 user', { exact: true }).waitFor();
  expect(await names(page)).toEqual(['Person 0040']);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByText(/loaded. Scroll to load more/).waitFor();
  expect(await page.getByLabel('Search').inputValue()).toBe('');

  await page.getByLabel('Search').fill('person');
  await page.getByLabel('Organization').fill('ORG1');
  await page.getByLabel('Tag').fill('T3');
  await page.getByText('75 users', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Name' }).click();
  await expect.poll(() => firstName(page)).toBe('Person 0447');
  expect(await page.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).toBe('descending');
  expect(await focused(page)).toContain('Name');
  await page.getByRole('button', { name: 'Employee ID' }).click();
  await expect.poll(() => firstName(page)).toBe('Person 0003');

  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'Created' }).check();
  await page.getByRole('checkbox', { name: 'Phone' }).uncheck();
  await site.screenshot(page, 'users-columns');
  await site.expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Created' }).click();
  await page.getByRole('button', { name: 'Created' }).click();
  await expect.poll(() => firstName(page)).toBe('Person 0447');

  const address = page.url();
  const again = await page.context().newPage();
  await again.goto(address);
  await again.getByText('75 users', { exact: true }).waitFor();
  expect(await firstName(again)).toBe('Person 0447');
  expect(await again.getByRole('columnheader').allTextContents()).toEqual([
    expect.stringContaining('Name'),
    expect.stringContaining('Employee ID'),
    'Email',
    'Active',
    expect.stringContaining('Created'),
  ]);
});

test('a long list can be browsed by keyboard, and keeps its position on return', async () => {
  const page = await site.signedIn('operator');
  await page.getByLabel('Search').fill('person');
  await page.waitForURL('**/users?search=person');
  await page.locator('section[aria-busy="false"]').waitFor();
  await page.getByText('400 loaded. Scroll to load more.').waitFor();
  await page.getByRole('region', { name: 'Users' }).focus();
  for (const [key, name] of [
    ['ArrowDown', 'Person 0000'],
    ['ArrowDown', 'Person 0001'],
    ['ArrowDown', 'Person 0002'],
    ['ArrowUp', 'Person 0001'],
    ['End', 'Person 0399'],
  ] as const) {
    await page.keyboard.press(key);
    await expect.poll(() => focused(page)).toBe(name);
  }
  await page.getByText('450 users', { exact: true }).waitFor();
  await page.keyboard.press('End');
  await expect.poll(() => focused(page)).toBe('Person 0449');
  await page.keyboard.press('PageUp');
  await expect.poll(() => focused(page)).not.toBe('Person 0449');
  expect(await page.locator('tbody tr').count()).toBeLessThan(60);
  await site.screenshot(page, 'users-keyboard');

  const name = String(await focused(page));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name }).waitFor();
  await page.goBack();
  await page.getByText('450 users', { exact: true }).waitFor();
  await page.getByRole('link', { name, exact: true }).waitFor();
  expect(await page.getByRole('link', { name, exact: true }).getAttribute('tabindex')).toBe('0');

  await page.getByRole('region', { name: 'Users' }).focus();
  await page.keyboard.press('Home');
  await expect.poll(() => focused(page)).toBe('Person 0000');
  await page.getByRole('cell', { name: 'person0001@example.com' }).click();
  await page.getByRole('heading', { level: 1, name: 'Person 0001' }).waitFor();
});

test('an empty result and a failing service say what to do, also on a phone', async () => {
  const page = await site.signedIn('operator', { width: 360, height: 720 });
  await page.getByText(/loaded. Scroll to load more/).waitFor();
  await page.getByRole('button', { name: 'Filters', exact: true }).click();
  await page.getByLabel('Sort by').selectOption('Name (Z–A)');
  await expect.poll(() => firstName(page)).toBe('Person 0449');
  await site.screenshot(page, 'users-phone');
  await site.expectAccessible(page);
  const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(widths[0]).toBeLessThanOrEqual(widths[1] as number);

  await page.getByLabel('Search').fill('nobody is called this');
  await page.getByRole('heading', { name: 'No matches' }).waitFor();
  await site.screenshot(page, 'users-nobody-phone');
  await site.expectAccessible(page);

  const failure = { errorCode: 10999, message: 'SERVICE_INTERNAL_ERROR', detail: 'A fault of the service.' };
  await page.route('**/service/users?*', (route) => route.fulfill({ status: 500, json: failure }));
  await page.getByLabel('Search').fill('person 0001');
  await page.getByText("Couldn't load users").waitFor();
  await page.getByText('A fault of the service.').waitFor();
  expect(await page.getByLabel('Search').inputValue()).toBe('person 0001');
  await site.screenshot(page, 'users-failed-phone');
  await page.unroute('**/service/users?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('1 user', { exact: true }).waitFor();
  expect(await names(page)).toEqual(['Person 0001']);

  // Loaded rows stay if loading more fails.
  await page.route('**/service/users?*cursor*', (route) => route.fulfill({ status: 500, json: failure }));
  await page.getByLabel('Search').fill('person');
  await page.getByText('200 loaded. Scroll to load more.').waitFor();
  await page.getByText("Couldn't load users").waitFor();
  expect(await names(page)).toContain('Person 0449');
});
