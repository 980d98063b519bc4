import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { useOwnSite } from '../support/browser.js';
import { CompanyProvider } from '../support/company-provider.js';
import { newId } from '../support/service.js';
import { cookieOf, proveLongAgo, setSession } from '../support/sessions.js';

let provider: CompanyProvider;
const site = useOwnSite(async () => {
  provider = await CompanyProvider.start('localhost');
  return { ...provider.environment, ROLLCALL_PUBLIC_URL: '', ROLLCALL_LOCAL_SIGN_IN: 'administrators' };
});
beforeAll(() => {
  provider.serve({ publicUrl: site.service.url, url: site.service.url });
});
afterAll(() => provider.stop());
// The session at the provider of the test before.
beforeEach(async () => (await site.signedOut('/healthz')).context().clearCookies());

const continueWith = 'Continue with Example Corp';

async function givenEmployee(role: 'administrator' | 'operator' | null = null) {
  const account = newId('account');
  const { serial, employeeID } = await site.service.givenUser({ name: 'Grace Hopper' });
  if (role) await site.service.request('PUT', `/service/users/${serial}/role`, { body: { role } });
  provider.accounts.set(account, { employee_number: employeeID });
  return { serial, account };
}

test('a user signs in with the provider by keyboard, and signs out of it', async () => {
  const { account } = await givenEmployee('operator');
  const page = await site.signedOut('/users?status=inactive');
  await page.getByRole('button', { name: continueWith }).waitFor();
  await site.expectAccessiblePage(page, 'sso-sign-in');
  await page.getByRole('button', { name: continueWith }).focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Account').and(page.locator(':focus')).waitFor(); // what is typed before would be lost
  await page.keyboard.type(account);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor();
  await expect.poll(() => page.url()).toBe(`${site.service.url}/users?status=inactive`);

  await page.goto('/account');
  await page.getByText('You signed in with Example Corp.').waitFor();
  expect(await page.getByRole('heading', { name: 'Change password' }).count()).toBe(0);
  const sessions = page.getByRole('region', { name: 'Where you are signed in' });
  await sessions.getByRole('row').filter({ hasText: 'This session' }).waitFor();

  await page.getByRole('button', { name: /Your account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click(); // at the provider
  await page.getByRole('heading', { level: 1, name: 'Sign in to Rollcall' }).waitFor();
  await page.getByRole('button', { name: continueWith }).click();
  await page.getByLabel('Account').waitFor(); // it asks again
});

test('a link whose path looks like another site does not lead there after the sign-in', {
  tags: 'release',
}, async () => {
  const { account } = await givenEmployee('operator');
  const page = await site.signedOut(`${site.service.url}//wiki.example.com/callback`);
  await page.getByRole('button', { name: continueWith }).click();
  await page.getByLabel('Account').fill(account);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
  expect(new URL(page.url()).origin).toBe(site.service.url);
});

test('a session ends when its user signs out at the provider', async () => {
  const { account } = await givenEmployee();
  const page = await site.signedOut('/');
  await page.getByRole('button', { name: continueWith }).click();
  await page.getByLabel('Account').fill(account);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor();
  const [cookie] = await page.context().cookies(site.service.url);
  await page.goto(`${provider.url}/session/end`);
  await page.getByRole('button', { name: 'Sign out' }).click();
  const status = async () =>
    (
      await site.service.get('/service/auth/me', {
        token: null,
        headers: cookieOf(site.service, cookie?.value ?? ''),
      })
    ).status;
  await expect.poll(status).toBe(401);
});

test('whoever has no account, or cancels, learns so on the sign-in page', async () => {
  const page = await site.signedOut('/');
  const stranger = newId('stranger');
  provider.accounts.set(stranger, { employee_number: newId() });
  await page.getByRole('button', { name: continueWith }).click();
  await page.getByLabel('Account').fill(stranger);
  await page.keyboard.press('Enter');
  await page.getByText('Your company knows you, but you have no account here yet.').waitFor();
  await site.expectAccessiblePage(page, 'sso-unknown');

  await page.context().clearCookies();
  await page.getByRole('button', { name: continueWith }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Your company has not signed you in.').waitFor();
});

test('a proof happens in another window, and nothing is lost', { tags: 'release' }, async () => {
  const { account } = await givenEmployee('administrator');
  const page = await site.signedOut('/settings/clients');
  await page.getByRole('button', { name: continueWith }).click();
  await page.getByLabel('Account').fill(account);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Create client' }).click();
  await page.getByLabel('Name').fill('Typed before the proof');
  const tokenNow = async () =>
    (await page.context().cookies(site.service.url)).find(
      ({ httpOnly, sameSite }) => httpOnly && sameSite === 'Strict',
    )?.value ?? '';
  await proveLongAgo(site.service, await tokenNow());
  await page.getByRole('dialog').getByRole('button', { name: 'Create client' }).click();
  const asked = page.getByRole('dialog', { name: "Confirm it's you" });
  await asked.getByRole('button', { name: continueWith }).waitFor();
  await site.expectAccessible(page, 'sso-proof');
  const opening = page.waitForEvent('popup');
  await asked.getByRole('button', { name: continueWith }).click();
  const popup = await opening;
  await popup.getByLabel('Account').fill(account);
  await popup.keyboard.press('Enter');
  await asked.waitFor({ state: 'hidden' });
  await page.getByRole('dialog').getByText('Copy this secret now').waitFor();
  await page.getByText('Typed before the proof').waitFor();
  await expect.poll(() => popup.isClosed()).toBe(true);
});

test('a session that has ended is renewed in another window', { tags: 'release' }, async () => {
  const { account } = await givenEmployee('administrator');
  const page = await site.signedOut('/settings/clients');
  await page.getByRole('button', { name: continueWith }).click();
  await page.getByLabel('Account').fill(account);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Create client' }).click();
  await page.getByLabel('Name').fill('Typed before the end');
  const [{ value = '' } = {}] = (await page.context().cookies(site.service.url)).filter(
    ({ sameSite }) => sameSite === 'Strict',
  );
  await setSession(site.service, value, 'expires_at = now()');
  await page.getByRole('dialog').getByRole('button', { name: 'Create client' }).click();
  const ended = page.getByRole('dialog', { name: 'Your session has ended' });
  await ended.getByRole('button', { name: continueWith }).waitFor();
  await site.expectAccessible(page, 'sso-ended');
  const opening = page.waitForEvent('popup');
  await ended.getByRole('button', { name: continueWith }).click();
  await opening; // the session at the provider goes on
  await ended.waitFor({ state: 'hidden' });
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Typed before the end');
});
