import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectToFit, useSite } from '../support/browser.js';
import { anItem, newId } from '../support/service.js';

const site = useSite();
const input = (page: Page, name: string) => page.locator(`input[name="${name}"]`);

test('editing a user sends only changes, shows errors next to their fields, and loses nothing', async () => {
  const { service } = site;
  const taken = await service.givenUser({ username: newId('user'), name: 'Grace Hopper' });
  const ada = await service.givenUser({ username: newId('user'), organizationSerial: 'ORG7' });
  const page = await site.signedIn('operator');
  await page.getByRole('searchbox').fill(ada.employeeID);
  await page
    .getByRole('paragraph')
    .filter({ hasText: /^1 of \d+ users matches$/ })
    .waitFor();
  await page.getByRole('link', { name: 'Ada Lovelace' }).click();
  await input(page, 'name').fill('Ada King');
  await input(page, 'email').fill('');
  await input(page, 'username').fill(taken.username as string);
  await page.getByText('Unsaved changes: Name, Username, Email').waitFor();
  await page.getByText('Was: Ada Lovelace').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => page.getByText('Enter an email address or a phone number.').count()).toBe(2);
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('email');
  await site.expectAccessiblePage(page, 'user-mistakes');

  await input(page, 'phone').fill('+1 202 555 0147');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText(/The username ".*" is already taken by another user/).waitFor();
  await expect.poll(() => input(page, 'username').getAttribute('aria-invalid')).toBe('true');

  await page.getByRole('link', { name: 'View Grace Hopper' }).click();
  const leaving = page.getByRole('dialog', { name: 'Discard changes?' });
  await leaving.getByRole('button', { name: 'Keep editing' }).click();
  await leaving.waitFor({ state: 'detached' });
  await page.goBack();
  await leaving.getByRole('button', { name: 'Keep editing' }).click();
  await expect.poll(() => page.url()).toContain(ada.serial);
  await expect.poll(() => input(page, 'name').inputValue()).toBe('Ada King');

  await input(page, 'username').fill(` ${ada.username} `);
  const [request] = await Promise.all([
    page.waitForRequest((sent) => sent.method() === 'PATCH'),
    page.getByRole('button', { name: 'Save' }).click(),
  ]);
  await page.getByText('Ada King saved.').waitFor();
  await page.getByRole('heading', { level: 1, name: 'Ada King' }).waitFor();
  expect(request.postDataJSON()).toEqual({ name: 'Ada King', email: null, phone: '+1 202 555 0147' });
  expect(request.headers()['if-match']).toBe('"1"');
  expect(await service.readUser(ada.serial)).toMatchObject({
    username: ada.username,
    organizationSerial: 'ORG7',
  });

  await page.getByRole('combobox', { name: 'Tags' }).pressSequentially('T1');
  await page.keyboard.press('Enter');
  await page.getByText('Unsaved changes: Tags').waitFor();
  await page.goBack();
  await leaving.getByRole('button', { name: 'Discard changes' }).click();
  await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor();
  await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe(ada.employeeID);

  await page.getByRole('link', { name: 'Ada King' }).click();
  await input(page, 'organizationSerial').fill('ORG8');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Unsaved changes').waitFor({ state: 'detached' });
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor();
});

test('two users editing the same user resolve each conflict and lose nothing', {
  tags: 'release',
}, async () => {
  const { service } = site;
  const ada = await service.givenUser({ organizationSerial: 'ORG7' });
  const grace = await site.givenUserWithPassword('operator', { name: 'Grace Hopper' });
  const token = (await service.signIn(grace.username, grace.password)).json.data.accessToken;
  const page = await site.signedIn('administrator', `/users/${ada.serial}`);
  await input(page, 'name').fill('Ada Byron');
  await input(page, 'organizationSerial').fill('ORG8');
  await input(page, 'email').fill('byron@example.com');
  const theirs = { name: 'Ada King', organizationSerial: 'ORG9', phone: '+1 202 555 0147' };
  await service.request('PATCH', `/service/users/${ada.serial}`, { body: theirs, token });

  await page.getByRole('button', { name: 'Save' }).click();
  const conflict = page.getByRole('alert').filter({ hasText: 'Someone else changed this user' });
  await conflict.waitFor();
  await conflict.getByText('Phone: (empty) → +1 202 555 0147').waitFor();
  await conflict.getByRole('radio', { name: 'Keep mine: Ada Byron' }).waitFor();
  await conflict.getByRole('link', { name: 'Grace Hopper' }).waitFor();
  await conflict.getByRole('radio', { name: 'Use theirs: ORG9' }).check();
  await site.expectAccessible(page, 'user-edit-conflict');
  await conflict.getByRole('button', { name: 'Apply' }).click();
  await page.getByText('Unsaved changes: Name, Email').waitFor();
  await expect.poll(() => input(page, 'organizationSerial').inputValue()).toBe('ORG9');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Ada Byron saved.').waitFor();
  expect(await service.readUser(ada.serial)).toMatchObject({
    name: 'Ada Byron',
    email: 'byron@example.com',
    organizationSerial: 'ORG9',
    phone: '+1 202 555 0147',
  });
});

test('what was saved is undone in the message, or later in the history', async () => {
  const { service } = site;
  const username = newId('user');
  const ada = await service.givenUser({ username, phone: '+1 202 555 0100' });
  const page = await site.signedIn('operator', `/users/${ada.serial}`);
  await input(page, 'phone').fill('+1 202 555 0199');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Ada Lovelace saved.').waitFor();
  // The button is gone, and the focus is where the change was.
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('phone');
  expect(await page.title()).toBe('Ada Lovelace · Users · Rollcall');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Undone for Ada Lovelace: Phone.').waitFor();
  await expect.poll(() => input(page, 'phone').inputValue()).toBe('+1 202 555 0100');

  const newName = newId('user');
  await service.request('PATCH', `/service/users/${ada.serial}`, {
    body: { username: newName, phone: null, name: 'Ada King' },
  });
  await service.request('PATCH', `/service/users/${ada.serial}`, { body: { name: 'Ada Byron' } });
  const grace = await service.givenUser({ username, name: 'Grace Hopper' });
  await page.goto(`/users/${ada.serial}?tab=history&show=changes`);
  await page.getByRole('button', { name: 'Undo this change…' }).nth(1).click();
  const undo = page.getByRole('dialog', { name: 'Undo this change?' });
  await undo.getByText(`Can't be restored: ${username} now belongs to Grace Hopper`).waitFor();
  expect(await undo.getByRole('checkbox', { name: 'Username' }).isDisabled()).toBe(true);
  await undo.getByText(/Changed again on .* by/).waitFor();
  expect(await undo.getByRole('checkbox', { name: 'Name', exact: true }).isChecked()).toBe(false);
  await site.expectAccessible(page, 'user-undo-change');
  await undo.getByRole('button', { name: 'Undo change' }).click();
  await page.getByText('Ada Byron restored.').waitFor();
  expect(await service.readUser(ada.serial)).toMatchObject({
    name: 'Ada Byron',
    username: newName,
    phone: '+1 202 555 0100',
  });

  await service.request('PATCH', `/service/users/${grace.serial}`, { body: { username: null } });
  await page.getByRole('button', { name: 'Restore this version…' }).last().click();
  const restore = page.getByRole('dialog', { name: 'Restore this version?' });
  await restore.getByRole('checkbox', { name: 'Username' }).waitFor();
  await page.setViewportSize({ width: 390, height: 800 });
  await site.expectAccessible(page, 'user-restore-version');
  await restore.getByRole('button', { name: 'Restore version' }).click();
  await page.getByText('Ada Lovelace restored.').waitFor();
  expect(await service.readUser(ada.serial)).toMatchObject({ name: 'Ada Lovelace', username });
});

test('an administrator deactivates a user, sets a role, resets the password and sees the history', async () => {
  const { service } = site;
  const worker = await site.givenUserWithPassword('viewer', { name: 'Alan Turing' });
  const token = (await service.signIn(worker.username, worker.password)).json.data.accessToken;
  const page = await site.signedIn('administrator', `/users/${worker.serial}`);
  await input(page, 'email').fill('typed@example.com');
  await page.getByRole('button', { name: 'Deactivate' }).click();
  const asked = page.getByRole('dialog', { name: 'Deactivate Alan Turing?' });
  await asked.getByText('They are signed out immediately').waitFor();
  await site.expectAccessible(page, 'user-deactivate');
  await asked.getByRole('button', { name: 'Deactivate' }).click();
  await page.getByText('Alan Turing deactivated.').waitFor();
  expect((await service.get('/service/auth/me', { token })).status).toBe(401);
  await expect.poll(() => input(page, 'email').inputValue()).toBe('typed@example.com');
  const former = page.getByText('Role removed on deactivation: Viewer');
  await page.getByRole('region', { name: 'Access' }).filter({ has: former }).waitFor();
  const tabs = page.getByRole('navigation', { name: 'Sections' });
  await tabs.getByRole('link', { name: 'History' }).click();
  await page.getByRole('region', { name: 'History' }).filter({ has: former }).waitFor();
  await tabs.getByRole('link', { name: 'Details unsaved' }).click();
  await expect.poll(() => input(page, 'email').inputValue()).toBe('typed@example.com');
  await page.getByRole('button', { name: 'Discard' }).click();

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Change role…' }).click();
  const role = page.getByRole('dialog', { name: 'Role of Alan Turing' });
  await role.getByRole('radio', { name: 'Operator' }).check();
  await site.expectAccessible(page, 'user-role');
  await role.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Role of Alan Turing changed to Operator.').waitFor();

  await page.getByRole('button', { name: 'Reset password' }).click();
  const reset = page.getByRole('dialog', { name: 'Reset the password of Alan Turing?' });
  await reset.getByText('It will be sent by email to ada@example.com.').waitFor();
  await reset.getByText('This user is inactive. The password is sent once they are reactivated.').waitFor();
  await reset.getByRole('button', { name: 'Send new password' }).click();
  await page.getByText('Password of Alan Turing reset.').waitFor();
  const deliveries = await service.get(`/service/deliveries?userSerial=${worker.serial}&state=dormant`);
  expect(deliveries.json.data.items).toMatchObject([{ kind: 'reset-password' }]);

  await page.getByRole('button', { name: 'Reactivate' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Reactivate' }).click();
  await page.getByText('Alan Turing reactivated.').waitFor();

  await tabs.getByRole('link', { name: 'History' }).click();
  const history = page.getByRole('region', { name: 'History' });
  await history.getByRole('heading', { name: 'Today' }).waitFor();
  const titles = async () => {
    const entries = await history.getByRole('listitem').locator('p:first-child').allTextContents();
    return entries.filter((text) => !text.startsWith('by '));
  };
  const expected = [
    'Reactivated',
    'Role changed',
    'Deactivated',
    'Password reset',
    'New password',
    'Signed in',
  ];
  await expect.poll(titles).toEqual(expect.arrayContaining(expected));
  await expect.poll(async () => (await titles()).filter((title) => title === 'Role changed').length).toBe(2);
  await site.expectAccessiblePage(page, 'user-history');
  await history.getByText('Messages', { exact: true }).click();
  const onlyMessages = async () => {
    const shown = await titles();
    return shown.includes('New password') && !shown.includes('Reactivated') && !shown.includes('Signed in');
  };
  await expect.poll(onlyMessages).toBe(true);
  await page.reload();
  await expect.poll(onlyMessages).toBe(true);
});

test('a long history is loaded in parts, and leads to bulk calls', { tags: 'release' }, async () => {
  const { service } = site;
  const ada = await service.givenUser();
  const update = (number: number) => service.updateBulk([anItem(ada, { phone: `+1 202 555 ${number}` })]);
  await Promise.all(Array.from({ length: 105 }, (_, number) => update(1000 + number)));
  const page = await site.signedIn('administrator', `/users/${ada.serial}?tab=history&show=changes`);
  await page.getByRole('link', { name: 'Bulk change: Update' }).first().waitFor();
  await page.getByRole('button', { name: 'Show earlier entries' }).scrollIntoViewIfNeeded();
  await expect.poll(() => page.locator('time').count()).toBe(106); // including the creation
});

test('former employee IDs lead to their users, and to everyone who has had them', {
  tags: 'release',
}, async () => {
  const { service } = site;
  const [old, next] = [newId('E'), newId('E')];
  const ada = await service.givenUser({ employeeID: old, name: 'Ada King' });
  await service.updateBulk([anItem(ada, { newEmployeeID: next })]);
  await service.givenUser({ employeeID: old, name: 'Zoe Newcomer' });
  const page = await site.signedIn('viewer');
  await page.getByRole('searchbox').fill(old);
  await page.getByText(`formerly ${old}`).waitFor();
  const rows = () => page.locator('tbody th').allTextContents();
  // The user who has it comes first.
  await expect.poll(rows).toEqual(['Zoe Newcomer', `Ada Kingformerly ${old}`]);
  await site.expectAccessible(page, 'users-formerly');

  await page.getByRole('link', { name: 'Ada King' }).click();
  const section = page.getByRole('region', { name: 'Employee IDs' });
  await expect.poll(() => section.getByRole('listitem').count()).toBe(2);
  await section.getByText(/^since \d/).waitFor();
  await section.getByRole('button', { name: `Show the history of ${old}` }).click();
  const dialog = page.getByRole('dialog', { name: `History of ${old}` });
  const holders = dialog.getByRole('table').getByRole('row');
  await holders.nth(1).filter({ hasText: 'Zoe Newcomer' }).filter({ hasText: 'Now' }).waitFor();
  await holders
    .nth(2)
    .filter({ hasText: 'Ada King' })
    .filter({ hasText: `Changed to ${next}` })
    .waitFor();
  await site.expectAccessible(page, 'user-employee-id-history');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  const focusedText = () => page.evaluate(() => document.activeElement?.textContent);
  await expect.poll(focusedText).toBe(old);
  await section.getByRole('button', { name: `Show the history of ${old}` }).click();
  await dialog.getByRole('link', { name: 'Zoe Newcomer' }).click();
  await page.getByRole('heading', { level: 1, name: 'Zoe Newcomer' }).waitFor();
  // Whoever has had only one needs no list.
  await expect.poll(() => section.count()).toBe(0);
});

test('a viewer sees a user read-only, also on a phone', { tags: 'release' }, async () => {
  const ada = await site.service.givenUser({ tagSerials: ['T1', 'T2'] });
  const page = await site.signedIn('viewer', `/users/${ada.serial}`, { width: 360, height: 720 });
  await page.getByText('T1, T2').waitFor();
  expect(await page.getByRole('textbox').count()).toBe(0);
  const buttons = await page.getByRole('main').getByRole('button').allTextContents();
  expect(new Set(buttons)).toEqual(new Set(['Copy']));
  await expectToFit(page);
  await site.expectAccessible(page, 'user-viewer-phone');
});
