import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useOwnSite } from '../support/browser.js';
import { sendsAtOnce } from '../support/deliveries.js';
import { newId } from '../support/service.js';
import { proveLongAgo } from '../support/sessions.js';

const site = useOwnSite({ ...sendsAtOnce, ROLLCALL_USER_EDITABLE_FIELDS: 'name,email' });

/** The codes in the messages to an address, oldest first. */
function codesSentTo(address: string): string[] {
  const outbox = join(site.service.dataDir, 'outbox');
  return readdirSync(outbox)
    .filter((file) => !file.startsWith('.'))
    .sort()
    .map((file) => readFileSync(join(outbox, file), 'utf8'))
    .filter((text) => text.includes(`To: ${address}`))
    .flatMap((text) => /^\d{8}\r?$/m.exec(text)?.[0].trim() ?? []);
}

test('a user without a role corrects their data with the keyboard, and confirms a new email', async () => {
  const key = newId('a');
  await site.service.post('/service/attributes', {
    ...{ key, type: 'text', labels: { en: `Shirt size ${key}` }, isEditableByUser: true },
  });
  const manager = await site.service.givenUser({ name: 'Grace Hopper' });
  const user = await site.givenUserWithPassword(null, {
    name: 'Ada Lovelace',
    managerEmployeeID: manager.employeeID,
  });
  const email = `${newId('new')}@example.org`;
  const page = await site.signedOut('/settings');
  await site.signIn(page, user);
  await page.getByRole('heading', { level: 2, name: 'Your data' }).waitFor();
  await page.getByRole('region', { name: 'Your team' }).getByText('Grace Hopper').waitFor();

  const reporting = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download as a report' }).click();
  const report = readFileSync(await (await reporting).path(), 'utf8');
  expect(report).toContain('<h1>Personal data of Ada Lovelace</h1>');
  expect(report).toContain('<h2>Sessions</h2><table>');

  await page.getByRole('button', { name: 'Edit' }).focus();
  await page.keyboard.press('Enter');
  await expect
    .poll(() => page.getByLabel('Name', { exact: true }).evaluate((el) => el === document.activeElement))
    .toBe(true);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('Ada King');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(email);
  await page.keyboard.press('Tab');
  await page.keyboard.type('M');
  await site.expectAccessible(page, 'account-edit');
  await page.keyboard.press('Enter');

  const data = page.getByRole('region', { name: 'Your data' });
  await data.getByText('Ada King').waitFor();
  await data.getByText(`Confirm ${email}`).waitFor();
  await expect.poll(() => codesSentTo(email).length).toBe(1);
  const [code = ''] = codesSentTo(email);
  await page.getByLabel('Code').fill(code === '12345678' ? '87654321' : '12345678');
  await page.keyboard.press('Enter');
  await page.getByText('Wrong code. 4 attempts left.').waitFor();
  await site.expectAccessible(page, 'account-confirm');
  await page.getByLabel('Code').fill(code);
  await page.keyboard.press('Enter');
  await expect.poll(() => page.getByLabel('Code').count()).toBe(0);
  await data.getByText(email, { exact: true }).waitFor();
  const history = page.getByRole('region', { name: 'What has changed' });
  await history.getByText(`Name: Ada Lovelace → Ada King`).waitFor();
  await history.getByText('Changed by you').first().waitFor();
});

test('a change asks for the password again if it was given long ago, and loses nothing; on a phone', {
  tags: 'release',
}, async () => {
  const user = await site.givenUserWithPassword(null, { name: 'Ada Lovelace' });
  const page = await site.signedOut('/');
  await page.setViewportSize({ width: 390, height: 800 });
  await site.signIn(page, user);
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Ada King');
  const cookies = await page.context().cookies();
  await proveLongAgo(site.service, cookies.find(({ name }) => name.startsWith('rollcall'))?.value ?? '');
  await page.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog', { name: "Confirm it's you" });
  await dialog.getByLabel('Password', { exact: true }).fill(user.password);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('region', { name: 'Your data' }).getByText('Ada King').waitFor();
  await site.expectAccessible(page, 'account-phone');
});
