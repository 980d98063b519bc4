import { afterAll, expect, test } from 'vitest';
import { useOwnSite } from '../support/browser.js';
import { sendsAtOnce } from '../support/deliveries.js';
import { type MailServer, openMailServer } from '../support/mail-server.js';
import { newId } from '../support/service.js';

let mail: MailServer;
const site = useOwnSite(async () => {
  mail = await openMailServer();
  return { ...sendsAtOnce, SMTP_URL: mail.url, ROLLCALL_PUBLIC_URL: '' };
});
afterAll(() => mail.stop());

test('a user who forgot the password chooses a new one with a link from a message', async () => {
  const email = `${newId('forgetful')}@example.org`;
  const { username } = await site.givenUserWithPassword('operator', { email, name: 'Ada Lovelace' });
  const page = await site.signedOut('/');
  await page.getByLabel('Username').fill(username);
  await page.getByRole('button', { name: 'Forgot your password?' }).click();
  await page.getByRole('heading', { level: 1, name: 'Forgot your password?' }).waitFor();
  await expect.poll(() => page.getByLabel('Username').inputValue()).toBe(username);
  await site.expectAccessiblePage(page, 'recovery-request');
  await page.keyboard.press('Enter');
  await page.getByText('If you can sign in with a password here, a link is on its way.').waitFor();

  const links = () =>
    mail.messages
      .filter(({ envelope }) => envelope.to.includes(email))
      .flatMap(({ text = '' }) => /http:\S+\/new-password#rcl_[\w-]{43}/.exec(text)?.[0] ?? []);
  await expect.poll(() => links().length).toBe(1);
  const [link = ''] = links();
  await page.goto('/healthz');
  await page.goto(link);
  await page.getByRole('heading', { level: 1, name: 'Choose a new password' }).waitFor();
  await expect.poll(() => page.url()).not.toContain('rcl_');
  await site.expectAccessiblePage(page, 'recovery-choose');
  const choose = async (chosen: string) => {
    await page.getByLabel('New password', { exact: true }).fill(chosen);
    await page.getByLabel('Confirm new password').fill(chosen);
    await page.keyboard.press('Enter');
  };
  await choose('password');
  await expect
    .poll(() => page.getByLabel('New password', { exact: true }).getAttribute('aria-invalid'))
    .toBe('true');
  await choose('orange bicycles at noon');
  await page.getByText('Your new password is in effect.').waitFor();
  await site.expectAccessible(page, 'recovery-done');
  await page.keyboard.press('Enter');
  await site.signIn(page, { username, password: 'orange bicycles at noon' });
  await page.getByRole('heading', { level: 1, name: 'Home' }).or(page.getByRole('main')).first().waitFor();

  await page.goto('/healthz');
  await page.goto(link);
  await page.getByRole('heading', { level: 1, name: 'This link no longer works' }).waitFor();
  expect(await page.getByLabel('New password').count()).toBe(0);
  await site.expectAccessiblePage(page, 'recovery-used');
  await page.getByLabel('Username').fill(username);
  await page.keyboard.press('Enter');
  await expect.poll(() => links().length).toBe(2);
  await page.goto(links()[1] ?? '');
  await page.getByRole('heading', { level: 1, name: 'Choose a new password' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Open the link again' }).waitFor();
});
