import { expect, test } from 'vitest';
import { useSite } from '../support/browser.js';
import { CuttableProxy } from '../support/cuttable-proxy.js';

const site = useSite();

test('a page waits for a service that is down, and continues by itself', { tags: 'release' }, async () => {
  const ada = await site.service.givenUser({ name: 'Ada Lovelace' });
  const user = await site.givenUserWithPassword('administrator');
  const proxy = new CuttableProxy(site.service.url);
  await proxy.open();
  const page = await site.signedOut(`${proxy.url}/users/${ada.serial}`);
  await site.signIn(page, user);
  await page.getByRole('heading', { level: 1, name: 'Ada Lovelace' }).waitFor();

  await proxy.cut();
  // Its data has not been loaded yet, and its script neither.
  await page.getByRole('link', { name: 'History' }).click();
  const notice = page.getByRole('status').filter({ hasText: "Can't reach the service. Reconnecting…" });
  await notice.waitFor();
  await site.expectAccessible(page, 'recovery-waiting');
  expect(await page.getByRole('alert').count()).toBe(0);
  await proxy.open();
  await page.getByRole('listitem').filter({ hasText: 'Initial password' }).first().waitFor();
  await notice.waitFor({ state: 'hidden' });

  await proxy.cut();
  await page.getByRole('link', { name: 'Activity' }).click();
  await notice.waitFor();
  await proxy.open();
  await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor();
  await notice.waitFor({ state: 'hidden' });
  await proxy.cut();
});

test('an address without a page says so, also for a user who does not exist', {
  tags: 'release',
}, async () => {
  const page = await site.signedIn('administrator');
  const history = page.waitForResponse((response) => response.url().includes('/service/changes?'));
  await site.visit(page, '/users/0198c0de-7a11-7000-8000-5f1e2d3c4b5a');
  await page.getByRole('heading', { name: 'User not found' }).waitFor();
  expect((await history).status()).toBe(200);
  expect(await page.getByRole('alert').count()).toBe(0);
  expect(await page.getByRole('heading', { name: 'History' }).count()).toBe(0);
  await site.expectAccessible(page, 'user-not-found');

  const reply = await page.goto('/no/such/page');
  expect(reply?.status()).toBe(404);
  await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
  await site.expectAccessible(page, 'page-not-found');
});
