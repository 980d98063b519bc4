import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { type Site, type UserWithPassword, useOwnSite } from '../support/browser.js';
import { addApp, TestApp } from '../support/second-factors.js';
import { proveLongAgo } from '../support/sessions.js';

// Passkeys belong to a domain. Without a public URL, that is localhost.
const site = useOwnSite({ ROLLCALL_PUBLIC_URL: '' });
const strict = useOwnSite({ ROLLCALL_PUBLIC_URL: '', ROLLCALL_SECOND_FACTOR: 'everyone' });

async function openAtLocalhost(at: Site, path = '/account', locale?: string): Promise<Page> {
  const page = await at.newPage(locale);
  await page.goto(`http://localhost:${new URL(at.service.url).port}${path}`);
  return page;
}

/** A device with a fingerprint sensor that somebody always touches. */
async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** Whether the browser offers passkeys in the field for the name, from the next page that is loaded. */
async function setAutofill(page: Page, isOffered: boolean): Promise<void> {
  await page.evaluate((offered) => sessionStorage.setItem('autofill', String(offered)), isOffered);
}

async function withAutofillSetting(page: Page): Promise<void> {
  await page.addInitScript(() => {
    if (sessionStorage.getItem('autofill') === 'false')
      PublicKeyCredential.isConditionalMediationAvailable = async () => false;
  });
}

const factors = (page: Page) => page.getByRole('region', { name: 'Second factors' });

async function signOut(page: Page): Promise<void> {
  await page.context().clearCookies();
  await page.evaluate(() => localStorage.clear());
  await page.reload();
}

async function isSignedIn(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 2, name: 'Your data' }).waitFor();
}

async function tokenOf(page: Page): Promise<string> {
  const cookies = await page.context().cookies();
  return cookies.find(({ name }) => name.startsWith('rollcall'))?.value ?? '';
}

test('a user adds a passkey, and signs in with nothing else, from the button and from the field for the name', async () => {
  const user = await site.givenUserWithPassword(null);
  const page = await openAtLocalhost(site);
  await addAuthenticator(page);
  await withAutofillSetting(page);
  await site.signIn(page, user);
  await isSignedIn(page);
  await factors(page).getByText('You have no second factor yet.').waitFor();
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = page.getByRole('dialog', { name: 'Keep your recovery codes' });
  await expect.poll(() => dialog.getByRole('listitem').count()).toBe(10);
  await site.expectAccessible(page, 'recovery-codes');
  await dialog.getByRole('button', { name: 'I have saved them' }).click();
  await factors(page).getByText('10 recovery codes left.').waitFor();
  await factors(page).getByRole('cell', { name: 'Passkey', exact: true }).waitFor();

  await setAutofill(page, false);
  await signOut(page);
  await site.expectAccessiblePage(page, 'sign-in-passkey');
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await isSignedIn(page);

  await setAutofill(page, true);
  await signOut(page); // whoever touches the sensor picks the passkey that the field offers
  await isSignedIn(page);
});

async function enrolApp(page: Page): Promise<TestApp> {
  await page.getByRole('button', { name: 'Add an authenticator app' }).press('Enter');
  const key = page.locator('code').first();
  await expect.poll(() => key.innerText()).toMatch(/^([A-Z2-7]{4} ?){8}$/);
  const app = new TestApp((await key.innerText()).replaceAll(' ', ''));
  await page.getByLabel('Code that the app shows').fill(app.wrongCode());
  await page.keyboard.press('Enter');
  await page.getByText('Wrong code.').waitFor();
  await page.getByLabel('Code that the app shows').fill(app.code());
  return app;
}

test('where a second factor is required, a user adds an app at the next sign-in, on a phone with the keyboard alone', async () => {
  const user = await strict.givenUserWithPassword(null);
  const page = await openAtLocalhost(strict);
  await page.setViewportSize({ width: 390, height: 800 });
  await strict.signIn(page, user);
  await page.getByRole('heading', { name: 'Set up a second step' }).waitFor();
  await strict.expectAccessiblePage(page, 'second-factor-enrol');
  const app = await enrolApp(page);
  await page.getByRole('img', { name: 'QR code' }).waitFor();
  await strict.expectAccessiblePage(page, 'second-factor-app');
  await page.setViewportSize({ width: 390, height: 800 });
  await page.getByLabel('Code that the app shows').press('Enter');
  const codes = page.getByRole('listitem');
  await expect.poll(() => codes.count()).toBe(10);
  const [first = ''] = await codes.allInnerTexts();
  await page.getByRole('button', { name: 'I have saved them' }).press('Enter');
  await isSignedIn(page);

  await signOut(page);
  await strict.signIn(page, user);
  const code = page.getByLabel('Code', { exact: true });
  await expect.poll(() => code.evaluate((field) => field === document.activeElement)).toBe(true);
  await strict.expectAccessiblePage(page, 'second-step');
  await page.setViewportSize({ width: 390, height: 800 });
  await code.focus();
  await page.keyboard.type(app.wrongCode());
  await page.keyboard.press('Enter');
  await page.getByText('The code is wrong').waitFor();
  await page.keyboard.type(app.code(1)); // that of now has been used
  await page.keyboard.press('Enter');
  await isSignedIn(page);

  await signOut(page);
  await strict.signIn(page, user);
  await page.getByRole('button', { name: 'Use a recovery code' }).press('Enter');
  await page.getByLabel('Recovery code').fill(first.toLowerCase());
  await page.keyboard.press('Enter');
  await isSignedIn(page);
  await factors(page).getByText('9 recovery codes left.').waitFor();
});

/** Signs in through the form, with a code. */
async function signInWithCode(page: Page, user: UserWithPassword, app: TestApp): Promise<void> {
  await site.signIn(page, user);
  await page.getByLabel('Code', { exact: true }).fill(app.code());
  await page.keyboard.press('Enter');
  await isSignedIn(page);
}

async function givenUserWithApp(): Promise<UserWithPassword & { app: TestApp }> {
  const user = await site.givenUserWithPassword(null);
  const signedIn = await site.service.signIn(user.username, user.password);
  const { app } = await addApp(site.service, signedIn.json.data.accessToken);
  return { ...user, app };
}

test('a factor is renamed, and removed after another proof with the password and a code', async () => {
  const { app, ...user } = await givenUserWithApp();
  const page = await openAtLocalhost(site);
  await signInWithCode(page, user, app);
  const choose = async (verb: string) => {
    await factors(page)
      .getByRole('button', { name: /^Actions for/ })
      .click();
    await page.getByRole('menuitem', { name: verb }).click();
  };
  await choose('Rename');
  await page.getByRole('dialog').getByLabel('Name').fill('Old phone');
  await page.keyboard.press('Enter');
  await factors(page).getByRole('cell', { name: 'Old phone', exact: true }).waitFor();
  await site.expectAccessiblePage(page, 'account-factors');

  await proveLongAgo(site.service, await tokenOf(page));
  await choose('Remove');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  const proof = page.getByRole('dialog', { name: "Confirm it's you" });
  await proof.getByLabel('Password', { exact: true }).fill(user.password);
  await page.keyboard.press('Enter');
  await proof.getByLabel(/^Code from/).fill(app.code(1));
  await site.expectAccessible(page, 'prove-with-code');
  await page.keyboard.press('Enter');
  await factors(page).getByText('You have no second factor yet.').waitFor();
});

test('an administrator resets the factors of a user, who then signs in with the password alone', {
  tags: 'release',
}, async () => {
  const { app: _, ...user } = await givenUserWithApp();
  const page = await site.signedIn('administrator', `/users/${user.serial}`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Reset second factors' }).click();
  await site.expectAccessible(page, 'reset-factors');
  await page.getByRole('dialog').getByRole('button', { name: 'Reset', exact: true }).click();
  await page.getByText(/^Second factors of .* reset\.$/).waitFor();
  const other = await openAtLocalhost(site);
  await site.signIn(other, user);
  await isSignedIn(other);
});
