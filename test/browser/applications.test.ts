import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApplicationServer } from '../support/application-server.js';
import { expectToFit, useOwnSite } from '../support/browser.js';
import { providerSettings } from '../support/relying-party.js';
import { newId } from '../support/service.js';
import { proveLongAgo } from '../support/sessions.js';

const site = useOwnSite(providerSettings);
let wiki: ApplicationServer;
beforeAll(async () => {
  wiki = await ApplicationServer.start();
});
afterAll(() => wiki?.stop());

async function givenWiki(settings: object = {}): Promise<string> {
  const name = newId('Wiki');
  const reply = await site.service.post('/service/applications', {
    ...{ name, redirectUris: [wiki.redirectUri], postLogoutUris: [`${wiki.url}/signed-out`] },
    ...settings,
  });
  const { id, secret } = reply.json.data;
  await wiki.discover(site.service, id, secret);
  wiki.parameters = {};
  return name;
}

test('a user signs in to an application with the keyboard on a phone, and signs out of both', async () => {
  const name = await givenWiki();
  const user = await site.givenUserWithPassword(null, { name: 'Ada Lovelace' });
  const page = await site.newPage();
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(wiki.url);
  await page.getByText(`Sign in to continue to ${name}.`).waitFor();
  await site.expectAccessible(page, 'application-sign-in');
  await expectToFit(page);
  await expect
    .poll(() => page.getByLabel('Username').evaluate((el) => el === document.activeElement))
    .toBe(true);
  await page.keyboard.type(user.username);
  await page.keyboard.press('Tab');
  await page.keyboard.type(user.password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Welcome to the wiki, Ada Lovelace' }).waitFor();
  // The second time, nothing is asked.
  await page.goto(wiki.url);
  await page.getByRole('heading', { name: 'Welcome to the wiki, Ada Lovelace' }).waitFor();

  await page.goto(`${wiki.url}/sign-out`);
  await page.getByRole('heading', { name: 'Sign out?' }).waitFor();
  await site.screenshot(page, 'application-sign-out');
  await expectToFit(page);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Signed out of the application' }).waitFor();
  await page.goto(`${site.service.url}/account`);
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
});

test('a user who is signed in to the console gets to an application, sees it in their account, and ends its access', {
  tags: 'release',
}, async () => {
  const name = await givenWiki();
  const user = await site.givenUserWithPassword(null, { name: 'Grace Hopper' });
  const page = await site.newPage();
  await page.goto('/account');
  await site.signIn(page, user);
  await page.getByRole('heading', { level: 2, name: 'Your data' }).waitFor();
  await page.goto(wiki.url);
  await page.getByRole('heading', { name: 'Welcome to the wiki, Grace Hopper' }).waitFor();
  await page.goto(`${site.service.url}/account`);
  const applications = page.getByRole('region', { name: 'Applications' });
  await applications.getByText(name).waitFor();
  await applications.getByRole('button', { name: `End the access of ${name}` }).click();
  await page.getByText('Access ended.').waitFor();
  await expect.poll(() => applications.count()).toBe(0);
});

test('a user whom an application asks to prove who they are does so, and gets back', async () => {
  const name = await givenWiki();
  const user = await site.givenUserWithPassword(null, { name: 'Katherine Johnson' });
  const page = await site.newPage();
  await page.goto('/account');
  await site.signIn(page, user);
  await page.getByRole('heading', { level: 2, name: 'Your data' }).waitFor();
  await proveLongAgo(site.service, await site.tokenOf(page));
  wiki.parameters = { max_age: '60' };
  await page.goto(wiki.url);
  await page.getByText(`${name} wants you to confirm your identity.`).waitFor();
  await site.expectAccessiblePage(page, 'application-proof');
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByLabel('Password', { exact: true }).fill(user.password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Welcome to the wiki, Katherine Johnson' }).waitFor();
});

test('a user who may not use an application sees why, and gets back or chooses another account', async () => {
  const tag = newId('T');
  const name = await givenWiki({ tagSerials: [tag] });
  const [user, member] = [
    await site.givenUserWithPassword(null),
    await site.givenUserWithPassword(null, { name: 'Mary Jackson', tagSerials: [tag] }),
  ];
  const page = await site.newPage();
  await page.goto(wiki.url);
  await site.signIn(page, user);
  await page.getByRole('heading', { name: `You don't have access to ${name}` }).waitFor();
  await site.expectAccessiblePage(page, 'application-refused');
  await page.getByRole('button', { name: 'Back to the application' }).click();
  await page.getByRole('heading', { name: 'Not signed in: access_denied' }).waitFor();
  await page.goto(wiki.url);
  await page.getByRole('button', { name: 'Use another account' }).click();
  await site.signIn(page, member);
  await page.getByRole('heading', { name: 'Welcome to the wiki, Mary Jackson' }).waitFor();
});

test('an administrator registers an application, gets its secret once, changes and deletes it', async () => {
  const page = await site.signedIn('administrator', '/settings/applications');
  await page.getByRole('button', { name: 'Register an application' }).first().click();
  const dialog = page.getByRole('dialog');
  const name = newId('Intranet');
  await dialog.getByRole('textbox', { name: /^Name/ }).fill(name);
  await dialog.getByLabel('Redirect URLs').fill('http://intranet.example.com/callback');
  await dialog.getByRole('button', { name: 'Register an application' }).click();
  const uris = dialog.getByLabel('Redirect URLs');
  await expect.poll(() => uris.getAttribute('aria-invalid')).toBe('true');
  await uris.fill('https://intranet.example.com/callback');
  await dialog.getByLabel('Employee ID, organization, tags, manager, attributes').check();
  await site.expectAccessible(page, 'application-form');
  await dialog.getByRole('button', { name: 'Register an application' }).click();
  await dialog.getByRole('textbox', { name: 'Client ID' }).waitFor();
  await expect.poll(() => dialog.getByLabel('Secret', { exact: true }).inputValue()).toMatch(/^[\w-]{43}$/);
  await dialog.getByRole('button', { name: /Done|I have/ }).click();
  const card = page.getByRole('article', { name });
  await card.getByText('https://intranet.example.com/callback').waitFor();
  await site.expectAccessiblePage(page, 'settings-applications');
  await card.getByRole('button', { name: `Edit: ${name}` }).click();
  await dialog.getByRole('textbox', { name: /^Name/ }).fill(`${name} 2`);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Application saved.').waitFor();
  const changed = page.getByRole('article', { name: `${name} 2` });
  await changed.getByRole('button', { name: /More/ }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Application deleted.').waitFor();
  await expect.poll(() => changed.count()).toBe(0);
});
