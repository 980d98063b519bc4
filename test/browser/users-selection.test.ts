import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { openTable } from '../../sheets/src/index.js';
import { useOwnSite } from '../support/browser.js';
import { quarantineSettings } from '../support/quarantine.js';
import { newId } from '../support/service.js';

const site = useOwnSite(quarantineSettings);
const longId = `LONG${'X'.repeat(60)}`;

beforeAll(async () => {
  const users = Array.from({ length: 30 }, (_, number) => ({
    employeeID: number === 29 ? longId : `S${String(number).padStart(4, '0')}`,
    name: `Sélection N${String(number).padStart(2, '0')}`,
    username: `select${number}`,
    email: `select${number}@example.com`,
    isActive: number % 10 !== 9,
    organizationSerial: 'SEL1',
  }));
  await site.service.createBulk(users);
  await site.service.request('PUT', '/service/organizations/SEL1', { body: { displayName: 'Selected Ltd' } });
});

const bar = (page: Page) => page.getByRole('region', { name: 'Selected users' });
const tick = (page: Page, number: string) =>
  page.getByRole('checkbox', { name: `Select Sélection N${number}`, exact: true });
const focusedCell = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest('[data-column]')?.getAttribute('data-column'));
const read = async (employeeID: string) =>
  (await site.service.get(`/service/users?employeeID=${employeeID}`)).json.data.items[0];

test('users are selected with the mouse and the keyboard, changed, undone and exported', async () => {
  const page = await site.signedIn('administrator', '/users?search=selection');
  await tick(page, '01').click();
  await tick(page, '04').click({ modifiers: ['Shift'] });
  await bar(page).getByText('4 users selected').waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => focusedCell(page)).toBe('name');
  await page.keyboard.press('Space');
  await bar(page).getByText('5 users selected').waitFor();
  await page.keyboard.press('Space');
  await bar(page).getByText('4 users selected').waitFor();
  await site.expectAccessible(page, 'users-selected');

  await bar(page).getByRole('button', { name: 'Add tag…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a tag' });
  await dialog.getByRole('combobox', { name: 'Tag' }).fill('PICKED');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByText('4 users will change.').waitFor();
  await dialog.getByRole('button', { name: 'Change 4 users' }).click();
  await page.getByText('4 users changed.').waitFor();
  await expect.poll(async () => (await read('S0004')).tagSerials).toEqual(['PICKED']);
  expect((await read('S0005')).tagSerials).toEqual([]);
  await page.getByRole('button', { name: 'Undo…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: /^Undo/ }).click();
  await expect.poll(async () => (await read('S0004')).tagSerials).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();

  // On a date.
  await bar(page).getByRole('button', { name: 'Deactivate…' }).click();
  const deactivate = page.getByRole('dialog', { name: 'Deactivate users' });
  await deactivate.getByLabel('After the last working day').check();
  await deactivate.locator('input[type=date]').fill('2099-12-01');
  await deactivate.getByRole('button', { name: 'Preview' }).click();
  await deactivate.getByRole('button', { name: 'Back' }).click();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Preview');
  await page.keyboard.press('Enter');
  await deactivate.getByRole('button', { name: 'Plan for 4 users' }).click();
  await deactivate.getByText('Last working day 1 Dec 2099, inactive from 2 Dec 2099.').first().waitFor();
  await deactivate.getByText('Nothing has changed yet.').waitFor();
  await site.expectAccessible(page, 'users-selected-planned');
  await deactivate.getByRole('link', { name: 'View the scheduled change' }).waitFor();
  await deactivate.getByRole('button', { name: 'Close' }).last().click();

  // The selection survives another search.
  await page.getByRole('searchbox').fill('selection n2');
  await page.waitForURL('**search=selection+n2');
  await tick(page, '20').click();
  await bar(page).getByText('5 users selected').waitFor();
  await bar(page).getByRole('button', { name: 'Export…' }).click();
  const exported = page.waitForEvent('download');
  await page.getByRole('dialog', { name: 'Export users' }).getByRole('button', { name: 'Export' }).click();
  const file = await (await exported).path();
  const { rows } = await openTable(new Blob([await readFile(file)]));
  const ids: string[] = [];
  for await (const { cells } of rows) ids.push(cells[1] ?? '');
  expect(ids).toEqual(['S0001', 'S0002', 'S0003', 'S0004', 'S0020']);

  // One by one, with a report.
  await bar(page).getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Reset passwords…' }).click();
  await page.getByRole('button', { name: 'Reset 5 passwords' }).click();
  await page.getByText('5 passwords reset.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await bar(page).getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Resend messages…' }).click();
  await page.getByRole('button', { name: 'Resend 5 messages' }).click();
  await page.getByText('5 messages are on their way.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('checkbox', { name: 'Select all users in this list' }).check();
  await bar(page).getByText('14 users selected').waitFor();
  await bar(page).getByRole('button', { name: 'Clear selection' }).click();
  await bar(page).waitFor({ state: 'detached' });
});

test('cells are edited in place, and a conflicting edit shows who made it', async () => {
  const page = await site.signedIn(
    'administrator',
    '/users?search=selection+n1&columns=name,email,organizationSerial,username',
  );
  const cell = page.locator('tr', { hasText: 'Sélection N10' }).locator('[data-column="email"]');
  await cell.dblclick();
  const input = page.getByRole('textbox', { name: 'Email of Sélection N10' });
  await input.fill('no address');
  await input.press('Enter');
  await page.getByText(/Enter an address like name@example.com/).waitFor();
  await input.fill('ten@example.com');
  await input.press('Enter');
  await expect.poll(async () => (await read('S0010')).email).toBe('ten@example.com');
  await expect.poll(() => cell.textContent()).toBe('ten@example.com');
  await expect.poll(() => focusedCell(page)).toBe('email');
  await page.getByText('Email of Sélection N10 saved.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(async () => (await read('S0010')).email).not.toBe('ten@example.com');
  await expect.poll(() => focusedCell(page)).toBe('email');

  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('F2');
  const newName = newId('ten');
  await page.getByRole('textbox', { name: 'Username of Sélection N10' }).fill(newName);
  await page.keyboard.press('Enter');
  await page.getByText(`The user will sign in as ${newName} from now on`).waitFor();
  await site.expectAccessible(page, 'users-edit-username');
  expect((await read('S0010')).username).not.toBe(newName);
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await read('S0010')).username).toBe(newName);
  await expect.poll(() => focusedCell(page)).toBe('username');

  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('F2');
  await page.getByRole('combobox', { name: 'Organization of Sélection N10' }).waitFor();
  await site.expectAccessible(page, 'users-edit-organization');
  await page.keyboard.press('Escape');
  await expect.poll(() => focusedCell(page)).toBe('organizationSerial');

  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await input.waitFor();
  const { serial } = await read('S0010');
  await site.service.request('PATCH', `/service/users/${serial}`, { body: { email: 'theirs@example.com' } });
  await input.fill('mine@example.com');
  await input.press('Enter');
  await page.getByText('Email was changed in the meantime').waitFor();
  await page.getByText(/^Changed on .* · API client /).waitFor();
  await site.expectAccessible(page, 'users-edit-conflict');
  await page.getByRole('button', { name: 'Save mine@example.com anyway' }).click();
  await expect.poll(async () => (await read('S0010')).email).toBe('mine@example.com');
});

test('views are saved, opened, renamed, shared and deleted, those of this browser are kept, and columns are remembered', {
  tags: 'release',
}, async () => {
  const page = await site.signedIn('viewer', '/users?search=selection&status=inactive');
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'Email' }).uncheck();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByLabel('Save this view').fill('Leavers');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Leavers', exact: true }).waitFor();
  await page.goto('/users');
  const headings = () => page.getByRole('columnheader').allTextContents();
  await expect.poll(async () => (await headings()).join()).not.toContain('Email');
  await page.getByRole('button', { name: 'Views' }).click();
  await site.expectAccessible(page, 'users-views');
  await page
    .getByRole('dialog', { name: 'Views' })
    .getByRole('button', { name: 'Leavers', exact: true })
    .click();
  await page.waitForURL('**search=selection&status=inactive**');
  await page.getByRole('button', { name: 'Leavers', exact: true }).click();
  await page.getByRole('button', { name: 'Edit “Leavers”' }).click();
  await page.getByLabel('New name of “Leavers”').fill('Former staff');
  await page.getByLabel('Share with everybody').first().check();
  await page.keyboard.press('Enter');
  const shared = page.getByRole('list', { name: 'Shared with everybody' });
  await shared.getByRole('button', { name: 'Former staff', exact: true }).waitFor();
  await site.expectAccessible(page, 'users-views-shared');

  const narrow = await site.signedIn('operator', '/users', { width: 390, height: 800 });
  await narrow.evaluate(async () => {
    const me = await (await fetch('/service/auth/me')).json();
    const views = JSON.stringify([{ name: 'From before', query: 'search=ada' }]);
    localStorage.setItem(`rollcall.views.${me.data.id}`, views);
  });
  await narrow.reload();
  await narrow.getByRole('button', { name: 'Views' }).click();
  await narrow.getByText(/^Shared by /).waitFor();
  expect(await narrow.getByRole('button', { name: 'Delete “Former staff”' }).count()).toBe(0);
  await site.expectAccessible(narrow, 'users-views-narrow');
  await narrow.getByRole('button', { name: 'Keep them in your account' }).click();
  const own = narrow.getByRole('list', { name: 'Only for you' });
  await own.getByRole('button', { name: 'From before', exact: true }).waitFor();
  await narrow.getByRole('button', { name: 'Delete “From before”' }).click();
  await own.waitFor({ state: 'detached' });

  await site.signedIn('viewer', '/users');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('button', { name: 'Delete “Former staff”' }).click();
  const confirmation = page.getByRole('dialog', { name: 'Delete “Former staff”' });
  await confirmation.getByRole('button', { name: 'Delete' }).click();
  await confirmation.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByText('No saved views yet.').waitFor();
});

test('a phone shows the status and the whole ID of each user, also in dark colours', {
  tags: 'release',
}, async () => {
  const options = { width: 390, height: 800, colours: 'dark' } as const;
  const page = await site.signedIn('operator', '/users?search=selection&sort=-name', options);
  const row = page.locator('tr', { hasText: 'Sélection N29' });
  await row.getByText('Inactive').waitFor();
  await page.locator('tr', { hasText: 'Sélection N28' }).getByText('Active', { exact: true }).waitFor();
  const id = row.getByText(longId);
  const isWhole = await id.evaluate((element) => {
    const { right, left } = element.getBoundingClientRect();
    return element.scrollWidth <= element.clientWidth + 1 && left >= 0 && right <= innerWidth;
  });
  expect(isWhole).toBe(true);
  const [dot, badge, background] = await row.getByText('Inactive').evaluate((element) => {
    const sample = document.body.appendChild(document.createElement('i'));
    sample.style.background = 'var(--mantine-color-gray-filled)'; // the dot of a gray badge
    const styles = [
      getComputedStyle(element, '::before'),
      getComputedStyle(sample),
      getComputedStyle(document.body),
    ];
    const colours = styles.map(({ backgroundColor }) => backgroundColor);
    sample.remove();
    return colours;
  });
  for (const colour of [dot, badge]) expect(contrast(String(colour), String(background))).toBeGreaterThan(3);
  await tick(page, '29').click();
  await site.expectAccessible(page, 'users-selected-phone-dark');
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Remove organization…' }).waitFor();
});

/** Of the WCAG. */
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [one, other].map(luminance).sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map((part) => {
    const share = Number(part) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test('a new user whose names are both taken shows both conflicts, and a quarantined name can be released', {
  tags: 'release',
}, async () => {
  const { service } = site;
  const [quarantined, username] = [newId('Q'), newId('u')];
  const former = await service.givenUser({ employeeID: quarantined });
  await service.request('PATCH', `/service/users/${former.serial}`, { body: { employeeID: newId() } });
  await service.givenUser({ username });
  const page = await site.signedIn('administrator', '/users/new');
  const input = (name: string) => page.locator(`input[name="${name}"]`);
  await input('name').fill('Grace Hopper');
  await input('employeeID').fill(quarantined);
  await input('username').fill(username);
  await input('email').fill('grace@example.com');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByText(new RegExp(`The username "${username}" is already taken`)).waitFor();
  await expect.poll(() => page.locator('input[aria-invalid="true"]').count()).toBe(2);
  await site.expectAccessible(page, 'create-conflicts');
  await page.getByRole('button', { name: `Release ${quarantined}` }).click();
  await page.getByText(`${quarantined} can be used now.`).waitFor();
  await input('username').fill(newId('u'));
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Grace Hopper' }).waitFor();

  // The form of a user offers the same.
  const other = newId('Q');
  const next = await service.givenUser({ employeeID: other });
  await service.request('PATCH', `/service/users/${next.serial}`, { body: { employeeID: newId() } });
  await input('employeeID').fill(other);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: `Release ${other}` }).click();
  await page.getByText(`${other} can be used now.`).waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Grace Hopper saved.').waitFor();
});
