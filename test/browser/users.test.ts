import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { expectToFit, useOwnSite } from '../support/browser.js';
import { indexNow } from '../support/index-checks.js';

const site = useOwnSite();
/** More than are loaded at a time. */
const userCount = 210;

/** Names sort by number. */
function user(number: number) {
  const id = String(number).padStart(4, '0'); // after a letter, because a search ignores leading zeros
  return {
    employeeID: `E${id}`,
    name: `Person N${id}`,
    username: `person${id}`,
    email: `person${id}@example.com`,
    phone: '+44 20 7946 0958',
    isActive: number % 10 !== 0,
    organizationSerial: number % 2 === 0 ? 'ORG2' : 'ORG1',
    tagSerials: number % 3 === 0 ? ['T3'] : [],
  };
}

beforeAll(async () => {
  const created = await site.service.createBulk(Array.from({ length: userCount }, (_, n) => user(n)));
  expect(created.json.data.failedItems).toEqual([]);
});

const names = (page: Page) => page.locator('tbody a').allTextContents();
const firstName = (page: Page) => page.locator('tbody a').first().textContent();
/** The total depends on who has signed in. */
const matching = (count: number) => new RegExp(`^${count} of \\d+ users match(es)?$`);
/** The visible count, not its announcement. */
const shownCount = (page: Page, text: RegExp) => page.getByRole('paragraph').filter({ hasText: text });
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent);

/** Adds a filter as a user does, with what is entered in its editor. */
async function addFilter(page: Page, kind: string, enter: (editor: Locator) => Promise<void>): Promise<void> {
  await page.getByRole('button', { name: 'Add filter' }).click();
  const editor = page.getByRole('dialog', { name: 'Add filter' });
  await editor.getByRole('button', { name: kind, exact: true }).click();
  await enter(editor);
  await editor.getByRole('button', { name: 'Apply' }).click();
  await editor.waitFor({ state: 'detached' });
}

test('a misspelled search suggests similar names, in the list and in the palette', {
  tags: 'release',
}, async () => {
  await site.service.givenUser({ name: 'Dorothea Quistgaard', employeeID: 'QUIST' });
  await indexNow(site.service);
  const page = await site.signedIn('viewer', '/users?search=dorotea+quistgard', { width: 390, height: 800 });
  const suggestion = page.getByRole('button', { name: 'Dorothea Quistgaard', exact: true });
  await suggestion.waitFor();
  await site.expectAccessible(page, 'users-suggestions-narrow');
  await page.setViewportSize({ width: 1280, height: 800 });
  await site.expectAccessible(page, 'users-suggestions');
  await suggestion.click();
  await expect.poll(() => names(page)).toEqual(['Dorothea Quistgaard']);
  await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('Dorothea Quistgaard');

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search and commands' }).fill('quistgaadr');
  await page.getByRole('group', { name: 'Did you mean' }).waitFor();
  await site.expectAccessible(page, 'palette-suggestions');
  await page.keyboard.press('Enter');
  await page.getByRole('option', { name: /^Dorothea Quistgaard/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Dorothea Quistgaard' }).waitFor();
});

test('searches, filters and sorts users, and keeps the state in the URL', async () => {
  const page = await site.signedIn('viewer', '/users?search=person+n0041');
  await shownCount(page, matching(1)).waitFor();
  await page.getByRole('searchbox').clear();
  await shownCount(page, /^\d+ users$/).waitFor();
  expect(await page.getByRole('link', { name: 'Create user' }).count()).toBe(0);

  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  await page.reload();
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();
  await page.getByRole('link', { name: 'Person N0000' }).first().waitFor();
  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitemradio', { name: 'System' }).click();
  await site.expectAccessiblePage(page, 'users');

  await page.getByRole('searchbox').pressSequentially('person n004');
  await shownCount(page, matching(10)).waitFor();
  await expect.poll(() => names(page)).toEqual(Array.from({ length: 10 }, (_, n) => `Person N004${n}`));
  await expect.poll(() => new URL(page.url()).search).toBe('?search=person+n004');

  await addFilter(page, 'Status', async (editor) => editor.getByLabel('Inactive').check());
  await shownCount(page, matching(1)).waitFor();
  await expect.poll(() => names(page)).toEqual(['Person N0040']);
  await page.getByRole('button', { name: 'Clear all' }).click();
  await shownCount(page, /^\d+ users$/).waitFor();
  await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('');

  await page.getByRole('searchbox').fill('person');
  await addFilter(page, 'Organization', async (editor) =>
    editor.getByRole('combobox', { name: 'Organization' }).fill('ORG1'),
  );
  await addFilter(page, 'Tag', async (editor) => editor.getByRole('combobox', { name: 'Tag' }).fill('T3'));
  await shownCount(page, matching(35)).waitFor();
  await page.getByRole('button', { name: 'Name' }).click();
  await expect.poll(() => firstName(page)).toBe('Person N0207');
  await expect
    .poll(() => page.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort'))
    .toBe('descending');
  await expect.poll(() => focused(page)).toContain('Name');
  await page.getByRole('button', { name: 'Employee ID' }).click();
  await expect.poll(() => firstName(page)).toBe('Person N0003');

  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'Created' }).check();
  await page.getByRole('checkbox', { name: 'Organization' }).uncheck();
  await site.expectAccessible(page, 'users-columns');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Created' }).click();
  await page.getByRole('button', { name: 'Created' }).click();
  await expect.poll(() => firstName(page)).toBe('Person N0207');

  const address = page.url();
  const again = await page.context().newPage();
  await again.goto(address);
  await shownCount(again, matching(35)).waitFor();
  await expect.poll(() => firstName(again)).toBe('Person N0207');
  await expect
    .poll(() => again.getByRole('columnheader').allTextContents())
    .toEqual([
      '',
      expect.stringContaining('Name'),
      expect.stringContaining('Employee ID'),
      'Status',
      'Email',
      expect.stringContaining('Created'),
    ]);
});

test('a long list can be browsed by keyboard, and keeps its position on return', async () => {
  const page = await site.signedIn('operator');
  await page.getByRole('searchbox').fill('person');
  await page.waitForURL('**/users?search=person');
  await page.locator('section[aria-busy="false"]').waitFor();
  await shownCount(page, matching(userCount)).waitFor();
  await page.getByRole('region', { name: 'Users' }).focus();
  for (const [key, name] of [
    ['ArrowDown', 'Person N0000'],
    ['ArrowDown', 'Person N0001'],
    ['ArrowDown', 'Person N0002'],
    ['ArrowUp', 'Person N0001'],
  ] as const) {
    await page.keyboard.press(key);
    await expect.poll(() => focused(page)).toBe(name);
  }
  // Goes to the last loaded row, which loads more.
  const goToEnd = async () => {
    await page.keyboard.press('End');
    return focused(page);
  };
  await expect.poll(goToEnd).toBe('Person N0209');
  await page.keyboard.press('PageUp');
  await expect.poll(() => focused(page)).not.toBe('Person N0209');
  await expect.poll(() => page.locator('tbody tr').count()).toBeLessThan(60);

  const name = String(await focused(page));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name }).waitFor();
  await page.goBack();
  await shownCount(page, matching(userCount)).waitFor();
  await page.getByRole('link', { name, exact: true }).waitFor();
  await expect.poll(() => page.getByRole('link', { name, exact: true }).getAttribute('tabindex')).toBe('0');

  await page.getByRole('region', { name: 'Users' }).focus();
  await page.keyboard.press('Home');
  await expect.poll(() => focused(page)).toBe('Person N0000');
  const focusedColumn = () =>
    page.evaluate(() => {
      const cell = document.activeElement?.closest('td, th');
      const name = cell?.closest('tr')?.querySelector('th')?.textContent;
      return [name, cell?.getAttribute('data-column')];
    });
  const goToCorner = async () => {
    await page.keyboard.press('Control+End'); // of what is loaded
    return focusedColumn();
  };
  await expect.poll(goToCorner).toEqual(['Person N0209', 'organizationSerial']);
  await page.keyboard.press('Control+Home');
  await expect.poll(focusedColumn).toEqual(['Person N0000', 'select']);
  await page.getByRole('gridcell', { name: 'E0001' }).click();
  await page.getByRole('heading', { level: 1, name: 'Person N0001' }).waitFor();
});

test('an empty result and a failing service say what to do, also on a phone', {
  tags: 'release',
}, async () => {
  const page = await site.signedIn('operator', '/users', { width: 360, height: 720 });
  await shownCount(page, /^\d+ users$/).waitFor();
  await page.getByLabel('Sort by').selectOption('Name (Z–A)');
  await expect.poll(() => firstName(page)).toBe('Person N0209');
  await expectToFit(page);

  await page.getByRole('searchbox').fill('nobody is called this');
  await page.getByRole('heading', { name: 'No users match' }).waitFor();
  await site.expectAccessible(page, 'users-nobody-phone');

  const failure = { errorCode: 10999, message: 'SERVICE_INTERNAL_ERROR', detail: 'A fault of the service.' };
  await page.route('**/service/users?*', (route) => route.fulfill({ status: 500, json: failure }));
  await page.getByRole('searchbox').fill('person n0001');
  await page.getByText("Couldn't load users").waitFor();
  await page.getByText('The service failed unexpectedly.').waitFor();
  await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('person n0001');
  await page.unroute('**/service/users?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await shownCount(page, matching(1)).waitFor();
  await expect.poll(() => names(page)).toEqual(['Person N0001']);

  // Loaded rows stay if loading more fails.
  await page.route('**/service/users?*cursor*', (route) => route.fulfill({ status: 500, json: failure }));
  await page.getByRole('searchbox').fill('person');
  await page.getByText("Couldn't load users").waitFor();
  await expect.poll(() => names(page)).toContain('Person N0209');
});

test('roles and last sign-ins are columns for those who may see them, and are exported as shown', async () => {
  const columns = '/users?columns=name,role,lastSignInAt&role=administrator';
  const page = await site.signedIn('administrator', columns);
  await page.getByRole('columnheader', { name: 'Last sign-in' }).waitFor();
  await page.getByRole('gridcell', { name: 'Administrator' }).first().waitFor();
  await site.expectAccessible(page, 'users-access-columns');
  await page.getByRole('button', { name: 'Export' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export users' });
  await dialog.getByText('Columns: Name, Role, Last sign-in.').waitFor();
  await dialog.getByText('CSV', { exact: true }).click();
  const downloading = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Export' }).click();
  const lines = readFileSync(await (await downloading).path(), 'utf8').split('\r\n');
  expect(lines[1]).toMatch(/,"?Administrator"?,"?(\d{4}-\d\d-\d\d .*)?"?$/);

  await site.signedIn('viewer', columns);
  await page.getByRole('columnheader', { name: 'Role' }).waitFor();
  expect(await page.getByRole('columnheader', { name: 'Last sign-in' }).count()).toBe(0);
});

test('filters are combined, edited and removed, and the back button undoes each change', {
  tags: 'release',
}, async () => {
  const page = await site.signedIn('operator');
  const chips = page.getByRole('list', { name: 'Active filters' });
  const texts = async () => (await chips.getByRole('listitem').allTextContents()).slice(0, -1);
  await page.getByRole('button', { name: 'Add filter' }).click();
  await site.expectAccessible(page, 'users-filter-menu');
  await page.keyboard.press('Escape');
  await expect.poll(() => focused(page)).toBe('Add filter');

  await addFilter(page, 'Organization', async (editor) => {
    await editor.getByRole('combobox', { name: 'Organization' }).pressSequentially('ORG1');
    await page.keyboard.press('Enter');
    await expect.poll(() => editor.getByRole('combobox', { name: 'Organization' }).inputValue()).toBe('');
    await editor.getByRole('combobox', { name: 'Organization' }).pressSequentially('ORG9');
    await site.expectAccessible(page, 'users-filter-organization');
  });
  await shownCount(page, matching(105)).waitFor();
  await expect.poll(() => focused(page)).toBe('Add filter');
  await addFilter(page, 'Tag', async (editor) => {
    await editor.getByText('is not', { exact: true }).click();
    await editor.getByRole('combobox', { name: 'Tag' }).fill('T3');
  });
  await shownCount(page, matching(70)).waitFor();
  await addFilter(page, 'Role', async (editor) => editor.getByLabel('No role').check());
  await addFilter(page, 'Password', async () => {});
  await addFilter(page, 'Sign-in', async () => {});
  await addFilter(page, 'Created', async (editor) => editor.getByLabel('Created from').fill('2026-01-01'));
  await expect
    .poll(texts)
    .toEqual([
      'Organization is ORG1 or ORG9',
      'Tag is not T3',
      'Role is No role',
      'Password not chosen yet',
      'Never signed in',
      'Created since 1 Jan 2026',
    ]);
  await shownCount(page, matching(70)).waitFor();
  await expect
    .poll(() => new URL(page.url()).search)
    .toBe(
      '?organization=ORG1&organization=ORG9&notTag=T3&role=none&password=notChosen&signIn=never&createdFrom=2026-01-01',
    );
  await site.expectAccessible(page, 'users-filters');

  await chips.getByRole('button', { name: 'Tag is not T3', exact: true }).press('Enter');
  await page.getByRole('button', { name: 'Apply' }).press('Enter');
  await expect.poll(() => focused(page)).toBe('Tag is not T3');

  // With the keyboard alone, "is not" becomes "is", and the focus stays with the filter.
  await chips.getByRole('button', { name: 'Tag is not T3', exact: true }).press('Enter');
  await page.getByRole('radio', { name: 'is not' }).press('ArrowLeft');
  await page.getByRole('combobox', { name: 'Tag' }).press('Enter');
  await shownCount(page, matching(35)).waitFor();
  await expect.poll(() => focused(page)).toBe('Tag is T3');

  await chips.getByRole('button', { name: 'Remove filter: Tag is T3' }).press('Enter');
  await shownCount(page, matching(105)).waitFor();
  const focusedLabel = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  await expect.poll(focusedLabel).toBe('Remove filter: Role is No role');

  await page.goBack();
  await shownCount(page, matching(35)).waitFor();
  await page.goBack();
  await shownCount(page, matching(70)).waitFor();
  await expect.poll(texts).toContain('Tag is not T3');

  await page.getByRole('searchbox').pressSequentially('person n0');
  await page.waitForURL('**search=person+n0*');
  await page.goBack();
  await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('');
  await expect.poll(texts).toContain('Tag is not T3');
});

test('users without an organization or tags, or in parts of an organization, can be listed', {
  tags: 'release',
}, async () => {
  await site.service.givenUser({ name: 'Lonely Tagged', tagSerials: ['T1'] });
  await site.service.givenUser({ name: 'Lonely Placed', organizationSerial: 'ORG1' });
  const page = await site.signedIn('viewer', '/users?search=lonely&organization=ORG1');
  const chips = page.getByRole('list', { name: 'Active filters' });
  await expect.poll(() => names(page)).toEqual(['Lonely Placed']);
  await addFilter(page, 'Organization', async (editor) => {
    await editor.getByText('No organization').click();
    await editor.getByRole('combobox').waitFor({ state: 'detached' });
  });
  await expect.poll(() => names(page)).toEqual(['Lonely Tagged']);
  await expect.poll(() => new URL(page.url()).search).toBe('?search=lonely&noOrganization=true');

  await addFilter(page, 'Tag', (editor) => editor.getByText('No tags').click());
  await page.getByRole('button', { name: 'Remove “No organization” (1 user)' }).click();
  await expect.poll(() => names(page)).toEqual(['Lonely Placed']);
  await chips.getByRole('button', { name: 'No tags', exact: true }).press('Enter');
  await page.getByRole('radio', { name: 'No tags' }).press('ArrowLeft');
  await page.getByRole('combobox', { name: 'Tag' }).fill('T1');
  await page.getByRole('button', { name: 'Apply' }).click();
  await chips.getByText('Tag is not T1').waitFor();
  await expect.poll(() => names(page)).toEqual(['Lonely Placed']);

  const [whole, part] = ['WHOLE', 'PART'];
  await site.service.request('PUT', `/service/organizations/${part}`, { body: { parentSerial: whole } });
  await site.service.givenUser({ name: 'Nested Whole', organizationSerial: whole });
  await site.service.givenUser({ name: 'Nested Part', organizationSerial: part });
  await page.getByRole('button', { name: 'Clear all' }).click();
  await addFilter(page, 'Organization', async (editor) => {
    await editor.getByRole('combobox', { name: 'Organization' }).pressSequentially(whole);
    await page.keyboard.press('Enter');
    await editor.getByLabel('Include organizations below').check();
  });
  await expect.poll(() => names(page)).toEqual(['Nested Part', 'Nested Whole']);
  await expect.poll(() => new URL(page.url()).search).toBe('?organization=WHOLE&includeParts=true');
  await chips
    .getByRole('button', { name: 'Organization is WHOLE, including those below', exact: true })
    .click();
  await page.getByLabel('Include organizations below').uncheck();
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect.poll(() => names(page)).toEqual(['Nested Whole']);
});

test('without matches, the filters that hide everybody can be removed, also on a phone', {
  tags: 'release',
}, async () => {
  const page = await site.signedIn('viewer', '/users?search=person+n004&organization=ORG1&tag=T9');
  const remove = page.getByRole('button', { name: 'Remove “Tag is T9” (5 users)' });
  await remove.waitFor();
  await expect.poll(() => page.getByRole('button', { name: /^Remove “/ }).count()).toBe(1);
  await site.expectAccessible(page, 'users-no-matches');
  await remove.click();
  await shownCount(page, matching(5)).waitFor();
  await expect.poll(() => focused(page)).toBe('Add filter');

  // Contradictions show nobody.
  await site.visit(
    page,
    '/users?organization=ORG1&notOrganization=ORG1&createdFrom=2026-02-01&createdUntil=2026-01-01',
  );
  await page.getByText('Several filters together hide all users.').waitFor();
  await page.getByRole('main').getByRole('button', { name: 'Clear all' }).last().click();
  await shownCount(page, /^\d+ users$/).waitFor();

  // Filters fit on a phone, in dark colours.
  await page.setViewportSize({ width: 360, height: 720 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await site.visit(
    page,
    `/users?organization=${'LONG'.repeat(15)}&status=active&tag=T3&createdFrom=2026-01-01&updatedUntil=2099-12-31`,
  );
  await page.getByRole('heading', { name: 'No users match' }).waitFor();
  await page
    .getByRole('button', { name: /^Remove “/ })
    .first()
    .waitFor();
  await expectToFit(page);
  await page.getByRole('button', { name: 'Add filter' }).click();
  await page.getByRole('button', { name: 'Created', exact: true }).click();
  await site.expectAccessible(page, 'users-filter-created-phone-dark');
  await expectToFit(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Remove filter: Organization/ }).click();
  await shownCount(page, /^[1-9]\d* of \d+ users match$/).waitFor();
});
