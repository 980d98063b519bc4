import { expect, test } from 'vitest';
import { limitDefaults } from '../../src/contract/limits.js';
import { useSite } from '../support/browser.js';
import { newId } from '../support/service.js';
import { proveLongAgo } from '../support/sessions.js';

const site = useSite();

function isUncovered(element: Element): boolean {
  const { left, top, width, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}

test('a user signs in for the first time, changes the password and signs out', async () => {
  const { service } = site;
  const username = newId('user');
  const { serial } = await service.givenUser({ username, name: 'Grace Hopper', password: 'Sent by mail 1' });
  await service.request('PUT', `/service/users/${serial}/role`, { body: { role: 'operator' } });
  const page = await site.signedOut('/users');

  await site.signIn(page, { username, password: 'wrong' });
  const refusal = page.getByRole('alert');
  await refusal
    .getByText('The username, employee ID or password is wrong, or this user is not allowed to sign in.')
    .waitFor();
  await expect.poll(() => page.getByLabel('Username').inputValue()).toBe(username);
  await site.expectAccessiblePage(page, 'session-wrong-password');

  for (let failures = 1; failures < limitDefaults.signInFreeFailures; failures++) {
    await service.signIn(username, 'wrong');
  }
  await site.signIn(page, { username, password: 'Sent by mail 1' });
  await refusal.getByText(/There were too many attempts\. Try again in \d+ seconds?\./).waitFor();
  await service.database.pool.query('DELETE FROM sign_in_guards');

  await site.signIn(page, { username, password: 'Sent by mail 1' });
  await page.getByRole('heading', { level: 1, name: 'Choose a new password' }).waitFor();
  const choose = async (chosen: string, again = chosen) => {
    await page.getByLabel('New password', { exact: true }).fill(chosen);
    await page.getByLabel('Confirm new password').fill(again);
    await page.getByRole('button', { name: 'Change password' }).click();
  };
  // The password was typed a moment ago, so it is not asked for again.
  expect(await page.getByLabel('Current password').count()).toBe(0);
  await choose('A horse and a battery', 'A house and a battery');
  await page.getByText("Passwords don't match.").waitFor();
  await choose('password');
  const isRefused = () => page.getByLabel('New password', { exact: true }).getAttribute('aria-invalid');
  await expect.poll(isRefused).toBe('true');
  await site.expectAccessible(page, 'session-first-password-refused');
  await page.getByLabel('New password', { exact: true }).fill('Another try');
  await expect.poll(isRefused).toBe(null);
  // It is only kept in memory.
  await page.reload();
  await page.getByLabel('Password you received').fill('Not what was sent');
  await choose('A horse and a battery');
  await page.getByText('Incorrect password.').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await site.signIn(page, { username: ` ${username} `, password: 'Sent by mail 1' });
  await choose('A horse and a battery');
  await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor();

  await page.getByRole('button', { name: /Your account/ }).click();
  await page.getByRole('menuitem', { name: 'Your account' }).click();
  await page.getByText(`Signed in as Grace Hopper (${username}). Role: Operator.`).waitFor();
  const approvals = page.getByLabel('A bulk change that someone else scheduled awaits approval.');
  await approvals.click();
  await expect.poll(() => approvals.isChecked()).toBe(false);
  await page.getByLabel('Current password').fill('A horse and a battery');
  await choose('Another battery, same horse');
  await page.getByText('Password changed. All your other sessions have been signed out.').waitFor();
  const sessions = page.getByRole('region', { name: 'Where you are signed in' });
  await sessions.getByRole('row').filter({ hasText: 'This session' }).waitFor();
  const elsewhere = await site.service.signIn(username, 'Another battery, same horse');
  await page.reload();
  await sessions.getByRole('button', { name: /^End the session of/ }).click();
  await page.getByText('Session ended.').waitFor();
  const { accessToken: token } = elsewhere.json.data;
  expect((await site.service.get('/service/auth/me', { token })).status).toBe(401);
  await site.expectAccessiblePage(page, 'session-account');

  // The message does not cover the menu.
  const account = page.getByRole('button', { name: /Your account/ });
  await expect.poll(() => account.evaluate(isUncovered)).toBe(true);
  await account.click();
  const signOut = page.getByRole('menuitem', { name: 'Sign out' });
  await expect.poll(() => signOut.evaluate(isUncovered)).toBe(true);
  await signOut.click();
  await page.getByRole('heading', { level: 1, name: 'Sign in to Rollcall' }).waitFor();
  await page.goto('/users');
  await site.signIn(page, { username, password: 'Another battery, same horse' });
  await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor();
});

test('keeps unsaved input when the session expires, so it can be saved after signing in again', async () => {
  const user = await site.givenUserWithPassword('administrator');
  const page = await site.signedOut('/settings/clients');
  await site.signIn(page, user);
  await page.getByRole('button', { name: 'Create client' }).click();
  await page.getByLabel('Name').fill('Typed before the end');
  const stored = await page.evaluate(() => localStorage.getItem('rollcall.session'));
  const token = await site.tokenOf(page);
  expect(stored).not.toContain(token);
  expect(stored, 'who it is stays out of storage').not.toContain(user.username);
  expect((await site.service.request('POST', '/service/auth/sign-out', { token })).status).toBe(200);
  await page.getByRole('dialog').getByRole('button', { name: 'Create client' }).click();

  const again = page.getByRole('dialog', { name: 'Your session has ended' });
  await again.waitFor();
  await expect.poll(() => again.getByLabel('Username').inputValue()).toBe(user.username);
  await expect
    .poll(() =>
      again.getByLabel('Password', { exact: true }).evaluate((field) => field === document.activeElement),
    )
    .toBe(true);
  await page.keyboard.press('Escape');
  await site.expectAccessible(page, 'session-ended');
  await again.getByLabel('Password', { exact: true }).fill('wrong');
  await again.getByRole('button', { name: 'Sign in' }).click();
  await again.getByText('The username, employee ID or password is wrong').waitFor();
  await again.getByLabel('Password', { exact: true }).fill(user.password);
  await again.getByRole('button', { name: 'Sign in' }).click();
  await again.waitFor({ state: 'hidden' });

  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Typed before the end');
  await page.getByRole('dialog').getByRole('button', { name: 'Create client' }).click();
  await page.getByText('Copy this secret now').waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('heading', { name: 'Typed before the end' }).waitFor();

  // An expired session leads to the dialog in a second tab as well.
  const tab = await page.context().newPage();
  await tab.goto('/users');
  await tab.getByRole('heading', { level: 1, name: 'Users' }).waitFor();
  await tab.getByRole('banner').getByText('Ada Lovelace').waitFor(); // later, the profile would be a sign of the session
  await page.evaluate(() => localStorage.removeItem('rollcall.session'));
  await tab.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
  await tab.getByRole('button', { name: 'Discard changes and sign out' }).click();
  await tab.getByRole('heading', { level: 1, name: 'Sign in to Rollcall' }).waitFor();
});

test('signing out asks about unsaved changes, and leaves no personal data behind', {
  tags: 'release',
}, async () => {
  const ada = await site.service.givenUser({ name: 'Ada Lovelace' });
  const user = await site.givenUserWithPassword('operator');
  const page = await site.signedIn(user, `/users/${ada.serial}`);
  const tab = await page.context().newPage();
  await tab.goto(`/users/${ada.serial}`);
  await tab.getByRole('heading', { level: 1, name: 'Ada Lovelace' }).waitFor();

  const name = page.locator('input[name="name"]');
  await name.fill('Ada King');
  const signOut = async () => {
    await page.getByRole('button', { name: /Your account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
  };
  await signOut();
  const asked = page.getByRole('dialog', { name: 'Discard changes?' });
  await asked.getByRole('button', { name: 'Keep editing' }).click();
  await asked.waitFor({ state: 'detached' });
  await expect.poll(() => name.inputValue()).toBe('Ada King');
  await signOut();
  await asked.getByRole('button', { name: 'Discard changes' }).click();
  for (const each of [page, tab]) {
    await each.getByRole('heading', { level: 1, name: 'Sign in to Rollcall' }).waitFor();
    await expect.poll(() => each.content()).not.toContain('Ada Lovelace');
  }
  await tab.close();

  // An import is discarded, so that nobody else finds the file.
  await site.signIn(page, user);
  await page.getByRole('link', { name: 'Users', exact: true }).click();
  await page.getByRole('link', { name: 'Import users' }).click();
  await page.getByLabel('Choose file').setInputFiles({
    ...{ name: 'salaries.csv', mimeType: 'text/csv' },
    buffer: Buffer.from('Employee ID,Name\nE1,Ada Lovelace'),
  });
  await page.getByRole('heading', { name: 'Match columns' }).waitFor();
  await signOut();
  await site.signIn(page, user);
  await page.getByRole('heading', { name: 'Choose a file' }).waitFor();
  await expect.poll(() => page.content()).not.toContain('salaries.csv');
});

test('users see only what their role allows, and a message otherwise', async () => {
  const page = await site.signedOut('/settings/clients');
  await site.signIn(page, await site.givenUserWithPassword(null));
  await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor();
  await page.getByText('This is your account').waitFor();
  await expect.poll(() => page.getByRole('navigation').count()).toBe(0);
  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();

  await site.signIn(page, await site.givenUserWithPassword('operator'));
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  const isRefused = page.getByText("You don't have permission to do this. Ask an administrator.");
  for (const path of [
    '/settings/clients',
    '/settings/webhooks',
    '/activity/deliveries',
    '/activity/sign-ins',
  ]) {
    await isRefused.waitFor();
    await page.getByRole('link', { name: 'Users' }).click();
    await isRefused.waitFor({ state: 'detached' });
    await site.visit(page, path);
  }
  await isRefused.waitFor();
  await page.getByRole('link', { name: 'Activity' }).click();
  const views = page.getByRole('navigation', { name: 'Activity' }).getByRole('link');
  await expect.poll(() => views.allTextContents()).toEqual(['What happened', 'Bulk changes']);
  const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
  await expect
    .poll(() => links.allTextContents())
    .toEqual([...['Home', 'Users', 'Organizations', 'Tags', 'Feeds', 'Activity']]);
});

test('asks for the password again before something sensitive, above the page, and then does it', async () => {
  const user = await site.givenUserWithPassword('administrator');
  const page = await site.signedIn(user, '/settings/clients');
  await page.getByRole('button', { name: 'Create client' }).click();
  await page.getByLabel('Name').fill('Payroll');
  await proveLongAgo(site.service, await site.tokenOf(page));
  const create = page.getByRole('dialog').getByRole('button', { name: 'Create client' });
  await create.click();
  const asked = page.getByRole('dialog', { name: "Confirm it's you" });
  await asked.getByLabel('Password', { exact: true }).fill('wrong');
  await page.keyboard.press('Enter');
  await asked.getByText('Incorrect password.').waitFor();
  await site.expectAccessible(page, 'session-prove');
  await page.keyboard.press('Escape');
  await asked.waitFor({ state: 'hidden' });
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Payroll');
  await create.click();
  await asked.getByLabel('Password', { exact: true }).fill(user.password);
  await page.keyboard.press('Enter');
  await page.getByText('Copy this secret now').waitFor();
});
