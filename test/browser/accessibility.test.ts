import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useSite } from '../support/browser.js';
import { anItem, newId } from '../support/service.js';

const site = useSite();

const phone = { width: 390, height: 800 };
/** What a window of 1280 pixels shows at a zoom of 200 %. */
const zoomed = { width: 640, height: 400 };

test('every page is accessible on a phone and at a zoom of 200 %, and none is wider than the window', async () => {
  const { service } = site;
  const ada = await service.givenUser({
    employeeID: newId('E0001000200030004'),
    name: 'Ada Lovelace-Byron King',
    organizationSerial: newId('ORG'),
    tagSerials: [newId('T')],
  });
  await service.updateBulk([anItem(ada, { phone: '+1 202 555 0147' })]);
  const { items } = (await service.get('/service/calls?limit=1')).json.data;
  const signInPage = await site.newPage(phone);
  await signInPage.goto('/');
  await expectAccessible(signInPage, 'sign-in');

  const page = await site.signedIn('administrator', phone);
  const pages = [
    '/',
    '/users',
    '/users/new',
    `/users/${ada.serial}`,
    `/users/${ada.serial}?tab=history`,
    '/changes',
    '/activity/calls',
    `/activity/calls/${items[0].id}`,
    '/activity/sign-ins',
    '/activity/deliveries?state=all',
    '/settings/organizations',
    '/settings/tags',
    '/settings/clients',
    '/settings/webhooks',
    '/settings/limits',
    '/account',
  ];
  for (const path of pages) {
    await page.setViewportSize(phone);
    await page.goto(path);
    await expectAccessible(page, path.replace(/[\da-f-]{36}/, 'one').replace(/\W+/g, '-'));
  }
});

test('a file is imported, fixed and undone with the keyboard alone, at a zoom of 200 %', async () => {
  const ada = await site.service.givenUser();
  const page = await site.signedIn('administrator', phone);
  await page.goto('/import');
  await page.getByRole('heading', { name: 'Choose a file' }).waitFor();
  await expectAccessible(page, 'import-file');
  const chooser = page.waitForEvent('filechooser');
  await press(page, page.getByRole('button', { name: 'Choose file' }), 'Enter');
  const rows = ['Employee ID,Name,Active', `${ada.employeeID},Ada King,perhaps`];
  await (await chooser).setFiles({
    ...{ name: 'users.csv', mimeType: 'text/csv' },
    buffer: Buffer.from(rows.join('\n')),
  });
  await page.getByRole('heading', { name: 'Match columns' }).waitFor();
  await expectAccessible(page, 'import-columns');
  await press(page, page.getByRole('button', { name: 'Next' }), 'Enter');
  await page.getByText('All rows checked').waitFor();
  await expectAccessible(page, 'import-check');
  await press(page, page.getByRole('button', { name: /^Active, row 2/ }), 'Enter');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('yes');
  await page.keyboard.press('Enter');
  await press(page, page.getByRole('button', { name: 'Import 1 user…' }), 'Enter');
  await press(page, page.getByRole('button', { name: 'Start import' }), 'Enter');
  await page.getByText('Import complete: 1 user.').waitFor();
  await expectAccessible(page, 'import-result');
  await press(page, page.getByRole('button', { name: 'Undo this import' }), 'Enter');
  const dialog = page.getByRole('dialog');
  await press(page, dialog.getByRole('button', { name: 'Undo', exact: true }), 'Enter');
  await dialog.getByText('1 user restored.').waitFor();
  expect(await site.service.readUser(ada.serial)).toMatchObject({ name: ada.name });
});

test('users are selected and changed with the keyboard alone, at a zoom of 200 %', async () => {
  const [ada, tag] = [await site.service.givenUser({ name: `Keyboard ${newId()}` }), newId('T')];
  const page = await site.signedIn('operator', zoomed);
  await page.goto(`/users?search=${ada.employeeID}`);
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
  await site.expectAccessible(page);
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

/** On a phone in both color schemes, and at a zoom of 200 %. */
async function expectAccessible(page: Page, name: string): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await expect.poll(() => page.getByLabel('Loading').count()).toBe(0);
  await page.setViewportSize(phone);
  await site.expectAccessible(page);
  await expectToFit(page);
  await site.screenshot(page, `phone-${name}`);
  await page.setViewportSize(zoomed);
  await site.expectAccessible(page, ['light']);
  await expectToFit(page);
}

async function expectToFit(page: Page): Promise<void> {
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(excess, page.url()).toBeLessThanOrEqual(0);
  expect(await overlappingButtons(page), page.url()).toEqual([]);
}

/** Pairs of buttons that cover each other. */
function overlappingButtons(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const buttons = [...document.querySelectorAll<HTMLElement>('main button')].filter(
      (button) => button.offsetParent !== null,
    );
    const overlap = (one: HTMLElement, other: HTMLElement) => {
      const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
      const [x, y] = [
        Math.min(a.right, b.right) - Math.max(a.left, b.left),
        Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top),
      ];
      return x > 1 && y > 1 && !one.contains(other) && !other.contains(one);
    };
    return buttons.flatMap((one, index) =>
      buttons
        .slice(index + 1)
        .filter((other) => overlap(one, other))
        .map((other) => `${one.textContent} / ${other.textContent}`),
    );
  });
}
