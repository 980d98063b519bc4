import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectToFit, useOwnSite } from '../support/browser.js';
import { newId } from '../support/service.js';

const site = useOwnSite();

/** Users in an organization, with a tag. */
async function givenUsers(count: number, organizationSerial: string, tagSerials: string[] = []) {
  const items = Array.from({ length: count }, (_, n) => {
    const employeeID = newId('E').replace(/\W/g, '');
    return {
      employeeID,
      name: `Person ${n}`,
      email: `${employeeID}@example.com`,
      isActive: n > 0,
      organizationSerial,
      tagSerials,
    };
  });
  const created = await site.service.createBulk(items);
  expect(created.json.data.failedItems).toEqual([]);
  return items;
}

async function describe(path: string, body: object): Promise<void> {
  const { status, text } = await site.service.request('PUT', `/service/${path}`, { body });
  expect(status, text).toBe(200);
}

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

const actions = (page: Page, name: string) => page.getByRole('button', { name: `Actions for ${name}` });

async function act(page: Page, name: string, action: string) {
  await actions(page, name).click();
  await page.getByRole('menuitem', { name: action }).click();
  return page.getByRole('dialog');
}

async function expectFocus(target: Locator): Promise<void> {
  await expect.poll(() => target.evaluate((element) => element === document.activeElement)).toBe(true);
}

/** Chooses an entry from a list of suggestions. */
async function choose(page: Page, label: string, typed: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).fill(typed);
  await page.getByRole('option', { name: option }).click();
}

test('organizations can be named, nested, renamed and merged, and a merge can be undone', async () => {
  const page = await site.signedIn('operator', '/');
  await page.getByRole('link', { name: 'Organizations' }).click();
  await page.getByText('Organizations show where users belong').waitFor();
  await page.getByRole('button', { name: 'Add organization' }).click();
  await page.getByLabel('ID').fill('ORG0');
  await page.getByLabel('Display name').fill('Holding');
  await page.getByRole('dialog').getByRole('button', { name: 'Add organization' }).click();
  await row(page, 'Holding').waitFor();
  await expectFocus(page.getByRole('searchbox'));

  await givenUsers(3, 'ORG1');
  await givenUsers(2, 'ORG2');
  await page.reload();
  await row(page, 'ORG1').waitFor();
  let dialog = await act(page, 'ORG1', 'Edit…');
  await dialog.getByLabel('Display name').fill('Sales');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await row(page, 'Sales').waitFor();

  dialog = await act(page, 'ORG2', 'Edit…');
  await dialog.getByLabel('Display name').fill('Sales, Berlin');
  await choose(page, 'Part of', 'sal', 'Sales ORG1');
  await site.expectAccessible(page, 'organization-edit');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect
    .poll(() => row(page, 'ORG2').getByRole('gridcell').allTextContents())
    .toEqual(expect.arrayContaining(['Sales, Berlin', 'ORG2', '2', '1']));
  await site.expectAccessiblePage(page, 'organizations');
  expect(await page.getByRole('menuitem', { name: 'Delete…' }).count()).toBe(0);

  dialog = await act(page, 'Sales, Berlin', 'Change ID…');
  await dialog.getByLabel('New ID').fill('ORG20');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByText('2 users will change.').waitFor();
  await site.expectAccessible(page, 'organization-rename');
  // Someone else changes the number in the meantime.
  await givenUsers(1, 'ORG2');
  await dialog.getByRole('button', { name: 'Change ID for 2 users' }).click();
  await dialog.getByText('The number of users has changed from 2 to 3').waitFor();
  await dialog.getByRole('button', { name: 'Change ID for 3 users' }).click();
  await dialog.getByText('3 users changed.').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await row(page, 'ORG20').waitFor();
  await expect
    .poll(() => row(page, 'ORG20').getByRole('gridcell').allTextContents())
    .toEqual(expect.arrayContaining(['Sales, Berlin', 'ORG20', '3', '1']));

  // The parts unfold, also by keyboard.
  const [whole, part] = [row(page, 'ORG1'), row(page, 'ORG20')];
  await page.getByRole('button', { name: 'Parts of Sales' }).click();
  await part.waitFor({ state: 'detached' });
  await expectFocus(whole);
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => part.getAttribute('aria-level')).toBe('2');
  await page.keyboard.press('ArrowRight');
  await expectFocus(part);
  await page.keyboard.press('ArrowLeft');
  await expectFocus(whole);
  await page.keyboard.press('ArrowUp');
  await expectFocus(row(page, 'Holding'));
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/users?organization=ORG1&includeParts=true');
  await page.goBack();
  await part.waitFor();

  await page.getByRole('searchbox').fill('ORG2');
  await row(page, 'ORG1').waitFor({ state: 'detached' });
  await row(page, 'ORG20').getByText('Sales', { exact: true }).waitFor();
  await row(page, 'ORG20').getByRole('button').click();
  await page.getByRole('menuitem', { name: 'Merge into…' }).click();
  dialog = page.getByRole('dialog');
  await choose(page, 'Merge into', 'sales', 'Sales ORG1');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByText('All users in Sales, Berlin (ORG20) move to Sales (ORG1).').waitFor();
  const move = dialog.getByRole('button', { name: 'Move 3 users' });
  await move.waitFor();
  expect(await dialog.getByRole('row').count(), 'a heading, and all three together').toBe(2);
  await move.click();
  await dialog.getByText('3 users changed.').waitFor();
  await dialog.getByRole('button', { name: 'Undo…' }).click();
  await dialog.getByText('3 users will be restored to the previous state.').waitFor();
  await dialog.getByRole('button', { name: 'Undo', exact: true }).click();
  await dialog.getByText('3 users restored.').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect
    .poll(() => row(page, 'ORG20').getByRole('link', { name: 'Sales, Berlin: 3 users' }).count())
    .toBe(1);

  await page.getByRole('searchbox').fill('');
  await page.getByRole('link', { name: 'Users of Sales and its parts: 6 in all' }).waitFor();
  await page.getByRole('link', { name: 'Sales, Berlin: 3 users' }).click();
  await page.waitForURL('**/users?organization=ORG20');
});

test('adding a tag refuses an ID that exists, and offers to edit that tag', { tags: 'release' }, async () => {
  await describe('tags/T50', { displayName: 'Cyclists' });
  const page = await site.signedIn('operator', '/tags');
  const add = page.getByRole('button', { name: 'Add tag' });
  await add.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('ID').fill(' T50 ');
  await dialog.getByLabel('Display name').fill('Bikers');
  await dialog.getByRole('button', { name: 'Add tag' }).click();
  await dialog.getByText('Cyclists (T50) already exists.').waitFor();
  await expectFocus(dialog.getByLabel('ID'));
  await site.expectAccessible(page, 'tag-exists');
  await dialog.getByRole('button', { name: 'Edit it instead' }).click();
  await page.getByRole('dialog', { name: 'Edit Cyclists (T50)' }).waitFor();
  await expect.poll(() => dialog.getByLabel('Display name').inputValue()).toBe('Cyclists');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expectFocus(add);

  await add.click();
  await dialog.getByLabel('ID').fill('T51');
  await dialog.getByRole('button', { name: 'Add tag' }).click();
  await page.getByText('T51 added.').waitFor();
  await expect
    .poll(() => row(page, 'T51').getByRole('cell').allTextContents())
    .toEqual(expect.arrayContaining(['Add name', 'T51', '0']));
  await expectFocus(add);

  await page.getByRole('button', { name: 'Add name: T51' }).click();
  await page.getByRole('dialog', { name: 'Edit T51' }).getByLabel('Display name').fill('Runners');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await row(page, 'T51').getByText('Runners').waitFor();
});

test('the focus returns to the menu of a row, or to the search box once the row is gone', {
  tags: 'release',
}, async () => {
  await describe('organizations/ORG60', { displayName: 'Cafeteria' });
  await givenUsers(1, 'ORG61');
  const page = await site.signedIn('operator', '/organizations?search=ORG6');
  const menu = (name: string) => page.getByRole('button', { name: `Actions for ${name}` });
  for (const [name, action] of [
    ['Cafeteria', 'Edit…'],
    ['Cafeteria', 'Change ID…'],
    ['Cafeteria', 'Delete…'],
    ['ORG61', 'Merge into…'],
  ] as const) {
    const dialog = await act(page, name, action);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expectFocus(menu(name));
  }

  await menu('Cafeteria').press('Enter');
  await page.getByRole('menuitem', { name: 'Edit…' }).press('Enter');
  await page.getByLabel('Display name').fill('Canteen');
  await page.keyboard.press('Enter');
  await row(page, 'Canteen').waitFor();
  await expectFocus(menu('Canteen'));

  const rename = await act(page, 'Canteen', 'Change ID…');
  await rename.getByLabel('New ID').fill('ORG62');
  await rename.getByRole('button', { name: 'Preview' }).click();
  await rename.getByRole('button', { name: 'Change ID' }).click();
  await rename.getByText('The ID was changed.').waitFor();
  await rename.getByRole('button', { name: 'Close' }).last().click();

  await site.visit(page, '/organizations?search=canteen');
  await row(page, 'ORG62').getByRole('button').click();
  await page.getByRole('menuitem', { name: 'Edit…' }).click();
  await page.getByLabel('Display name').fill('Closed');
  await page.getByRole('button', { name: 'Save' }).click();
  await row(page, 'ORG62').waitFor({ state: 'detached' });
  await expectFocus(page.getByRole('searchbox'));

  await describe('organizations/ORG63', { displayName: 'Kiosk' });
  await site.visit(page, '/organizations?search=kiosk');
  const remove = await act(page, 'Kiosk', 'Delete…');
  await remove.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No matches').waitFor();
  await expectFocus(page.getByRole('searchbox'));
});

test('an ID that is in use can be merged into instead', { tags: 'release' }, async () => {
  await givenUsers(2, 'ORG70');
  await describe('organizations/ORG71', { displayName: 'Warehouse' });
  const page = await site.signedIn('operator', '/organizations?search=ORG7');
  const dialog = await act(page, 'ORG70', 'Change ID…');
  await dialog.getByLabel('New ID').fill('ORG71');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByText('Warehouse (ORG71) already has this ID. To combine the two, use').waitFor();
  await expectFocus(dialog.getByLabel('New ID'));
  await site.expectAccessible(page, 'organization-id-taken');
  await dialog.getByRole('button', { name: 'Merge into…' }).click();
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByText('All users in ORG70 move to Warehouse (ORG71).').waitFor();
});

test('an organization that others are part of is deleted once they have another parent', {
  tags: 'release',
}, async () => {
  await describe('organizations/ORG80', { displayName: 'Region' });
  await describe('organizations/ORG81', { displayName: 'Branch', parentSerial: 'ORG80' });
  await describe('organizations/ORG82', { displayName: 'Shop', parentSerial: 'ORG80' });
  await describe('organizations/ORG83', { displayName: 'Country' });
  const page = await site.signedIn('operator', '/organizations?search=ORG8');
  const dialog = await act(page, 'Region', 'Delete…');
  await dialog.getByText('2 organizations are part of it: Branch (ORG81); Shop (ORG82).').waitFor();
  await choose(page, 'New parent', 'branch', 'Branch ORG81');
  await dialog.getByRole('button', { name: 'Move 2 organizations and delete' }).click();
  await dialog.getByText("An organization can't be part of itself").waitFor();
  await choose(page, 'New parent', 'country', 'Country ORG83');
  await site.expectAccessible(page, 'organization-delete-parts');
  await dialog.getByRole('button', { name: 'Move 2 organizations and delete' }).click();
  await actions(page, 'Region').waitFor({ state: 'detached' });
  for (const serial of ['ORG81', 'ORG82']) await row(page, serial).filter({ hasText: 'Country' }).waitFor();
});

test('viewers see tags on a narrow screen, but no actions', { tags: 'release' }, async () => {
  await givenUsers(2, 'ORG9', ['T1', 'A-tag-whose-identifier-is-rather-long-and-has-to-wrap']);
  await describe('tags/T1', { displayName: 'First aiders' });
  const page = await site.signedIn('viewer', '/tags?search=t', { width: 360, height: 740 });
  await row(page, 'First aiders').waitFor();
  expect(await page.getByRole('button', { name: /^Actions/ }).count()).toBe(0);
  await site.expectAccessiblePage(page, 'tags');
  await expectToFit(page);
  await page.getByRole('searchbox').fill('nothing like it');
  await page.getByText('No matches').waitFor();
  await page.getByRole('button', { name: 'Clear search' }).last().click();
  await expectFocus(page.getByRole('searchbox'));
  await page.getByRole('link', { name: 'First aiders: 2 users' }).click();
  await page.waitForURL('**/users?tag=T1');
});

test('names are shown and suggested wherever there is an organization or a tag', {
  tags: 'release',
}, async () => {
  await givenUsers(2, 'ORG30', ['T30', 'T31']);
  await describe('organizations/ORG30', { displayName: 'Research' });
  await describe('organizations/ORG31', { displayName: 'Research, Lyon' });
  await describe('tags/T30', { displayName: 'Fire wardens' });
  await describe('tags/T32', { displayName: 'Night shift' });
  const page = await site.signedIn('operator', '/users?columns=name,organizationSerial,tagSerials');
  await page.getByRole('button', { name: 'Add filter' }).click();
  const editor = page.getByRole('dialog', { name: 'Add filter' });
  await editor.getByRole('button', { name: 'Organization' }).click();
  await expectFocus(editor.getByRole('combobox', { name: 'Organization' }));
  await editor.getByRole('option', { name: 'Research ORG30' }).waitFor();
  await page.keyboard.type('resea');
  await expect
    .poll(() => editor.getByRole('option').allTextContents())
    .toEqual([expect.stringMatching(/^ResearchORG30/), expect.stringMatching(/^Research, LyonORG31/)]);
  await site.expectAccessible(page, 'filter-suggestions');
  await editor.getByRole('option', { name: 'Research ORG30' }).click();
  await editor.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('button', { name: 'Organization is Research', exact: true }).waitFor();
  await expect.poll(() => new URL(page.url()).searchParams.get('organization')).toBe('ORG30');
  await page
    .getByText(/^2 of \d+ users match$/)
    .first()
    .waitFor(); // until then, it lists everyone
  await page.getByRole('gridcell', { name: 'Fire wardens, T31' }).first().waitFor();
  await expect
    .poll(() => page.getByRole('gridcell', { name: 'Research' }).first().getAttribute('title'))
    .toBe('ORG30');

  await page.getByRole('link', { name: 'Person 0' }).click();
  const form = page.getByRole('region', { name: 'Details' });
  await form.getByText('ID: ORG30').waitFor();
  await expect.poll(() => form.getByRole('combobox', { name: 'Organization' }).inputValue()).toBe('Research');
  await form.getByText('Fire wardens').waitFor();
  await form.getByRole('combobox', { name: 'Tags' }).fill('night');
  await page.getByRole('option', { name: 'Night shift T32' }).click();
  await form.getByRole('combobox', { name: 'Organization' }).fill('lyon');
  await page.getByRole('option', { name: 'Research, Lyon ORG31' }).click();
  await form.getByText('ID: ORG31 · Was: Research (ORG30)').waitFor();
  await expect
    .poll(() => form.getByRole('combobox', { name: 'Organization' }).inputValue())
    .toBe('Research, Lyon');
  await site.expectAccessible(page, 'user-names');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Person 0 saved.').waitFor();

  await site.signedIn('viewer', page.url());
  await page.getByText('Research, Lyon (ORG31)').waitFor();
  await page.getByText('Fire wardens (T30), T31, Night shift (T32)').waitFor();
});

test('all matching users are changed only after a preview, confirmed by number, and undone', async () => {
  await givenUsers(3, 'ORG40', ['T40']);
  await givenUsers(1, 'ORG40', ['T41']);
  await describe('tags/T41', { displayName: 'Drivers' });
  const narrow = { width: 360, height: 740, colours: 'dark' } as const;
  const page = await site.signedIn('viewer', '/users?organization=ORG40', narrow);
  await page
    .getByText(/^4 of /)
    .first()
    .waitFor();
  expect(await page.getByRole('button', { name: /^Change all/ }).count()).toBe(0);

  await site.signedIn('operator', '/users', narrow);
  await page
    .getByText(/users$/)
    .first()
    .waitFor();
  expect(await page.getByRole('button', { name: /^Change all/ }).count()).toBe(0);
  await site.visit(page, '/users?organization=ORG40');
  await page.getByRole('button', { name: 'Change all 4 users…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Users who match this filter:').waitFor();
  await dialog.getByRole('listitem').filter({ hasText: 'Organization is ORG40' }).waitFor();
  const tag = dialog.getByRole('combobox', { name: 'Tag' });
  await tag.fill('Dirvers');
  await tag.press('Enter');
  await dialog.getByText('Dirvers is a new tag.').waitFor();
  await dialog.getByRole('button', { name: 'Back' }).click();
  // Typing the name is as good as choosing it.
  await tag.fill('drivers');
  await dialog.getByText('ID: T41').waitFor();
  await tag.blur();
  await expect.poll(() => tag.inputValue()).toBe('Drivers');
  await site.expectAccessible(page, 'change-users-narrow');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByText('3 users will change.').waitFor();
  await dialog.getByText('1 user needs no change.').waitFor();
  expect(await dialog.getByText('is a new tag').count()).toBe(0);
  await dialog.getByRole('row').filter({ hasText: 'Person 0' }).getByText('Drivers (T41)').waitFor();
  await expect.poll(() => dialog.getByRole('button', { name: 'Change 3 users' }).isDisabled()).toBe(true);
  await dialog.getByLabel('Type 3 to confirm').fill('3');
  await site.expectAccessible(page, 'change-users-preview-narrow');
  await dialog.getByRole('button', { name: 'Back' }).click();

  // A change after which nobody matches any more.
  await page.setViewportSize({ width: 1280, height: 800 });
  await dialog.getByLabel('Remove the organization').check();
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByLabel('Type 4 to confirm').fill('4');
  await dialog.getByRole('button', { name: 'Change 4 users' }).click();
  await dialog.getByText('4 users changed.').waitFor();
  await page.getByText('No users match').first().waitFor();
  await dialog.getByRole('button', { name: 'Undo…' }).click();
  await dialog.getByRole('button', { name: 'Undo', exact: true }).click();
  await dialog.getByText('4 users restored.').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('button', { name: 'Change all 4 users…' }).waitFor();

  // The only administrator has to stay active.
  await site.visit(page, '/users?role=administrator');
  await page.getByRole('button', { name: 'Change this user…' }).click();
  await dialog.getByLabel('Deactivate').check();
  await dialog.getByText('They are signed out, can no longer sign in').waitFor();
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByText("1 user can't be changed.").waitFor();
  await dialog.getByRole('columnheader', { name: 'Reason' }).waitFor();
  await expect.poll(() => dialog.getByRole('button', { name: 'Deactivate 0 users' }).isDisabled()).toBe(true);
  await site.expectAccessible(page, 'change-users-failures');

  await site.visit(page, '/activity/calls');
  await page
    .getByRole('cell', { name: /^Remove the organization\b/ })
    .first()
    .waitFor();
});
