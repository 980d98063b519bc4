import type { Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { useOwnSite } from '../support/browser.js';

// Calls of four items, so that a few rows make several calls, and a safety limit that two users exceed.
const site = useOwnSite({ ROLLCALL_BULK_ITEMS_MAX: '4', ROLLCALL_SAFETY_LIMIT_PERCENT: '5' });
/** Upserts without their previews. */
const bulkUpsert = /upsert-bulk(?!.*dryRun)/;

interface Given {
  readonly serial: string;
  readonly employeeID: string;
}

function givenUsers(count: number): Promise<Given[]> {
  return Promise.all(Array.from({ length: count }, () => site.service.givenUser({ name: 'Ada Lovelace' })));
}

/** Uploads a file and waits until it is checked. */
async function checked(page: Page, users: readonly Given[], row: (id: string) => string): Promise<void> {
  const csv = [
    'Employee ID,New employee ID,Name,Active',
    ...users.map(({ employeeID }) => row(employeeID)),
  ].join('\n');
  await page.getByRole('link', { name: 'Users', exact: true }).click();
  await page.getByRole('link', { name: 'Import users' }).click();
  await page
    .getByLabel('Choose file')
    .setInputFiles({ name: 'users.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('All rows checked').waitFor();
}

/** How often each user has been changed since creation. */
const timesChanged = (users: readonly Given[]) =>
  Promise.all(
    users.map(async ({ serial }) => {
      const { json } = await site.service.get(`/service/users/${serial}/history`);
      return json.data.items.length - 1;
    }),
  );

test('a run survives a lost connection, a stop and an expired session, and repeats nothing', {
  tags: 'release',
}, async () => {
  const users = await givenUsers(14);
  const user = await site.givenUserWithPassword('operator');
  const page = await site.signedIn(user);
  await checked(page, users, (id) => `${id},,Ada King,yes`);

  // The second call succeeds, but its response is lost on every attempt.
  const keys: string[] = [];
  const loseSecond = async (route: Route) => {
    keys.push((await route.request().headerValue('idempotency-key')) ?? '');
    if (new Set(keys).size < 2) return route.continue();
    await route.fetch();
    return route.abort('connectionreset');
  };
  await page.route(bulkUpsert, loseSecond);
  await page.clock.install(); // the client waits between attempts, half a minute in all
  await page.getByRole('button', { name: 'Import 14 users…' }).click();
  await page.getByRole('button', { name: 'Start import' }).click();
  const isPaused = async () => {
    // Not before: the first call would be taken for one without a response.
    if (new Set(keys).size === 2) await page.clock.fastForward(8_000);
    return page.getByText("Couldn't continue").isVisible();
  };
  await expect.poll(isPaused).toBe(true);
  await page.getByText('4 of 14 rows').waitFor();
  expect(new Set(keys).size).toBe(2);
  await site.expectAccessible(page, 'import-4-paused');

  // Leaving the page asks for confirmation.
  await page.getByRole('link', { name: 'Users' }).click();
  await page.getByRole('button', { name: 'Stay', exact: true }).click();

  // The third call is held back until the user asks to stop.
  await page.unroute(bulkUpsert);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let calls = 0;
  await page.route(bulkUpsert, async (route) => {
    if (++calls === 2) await held;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('8 of 14 rows').waitFor();

  // A run in another tab is warned about.
  const other = await page.context().newPage();
  await other.goto('/users');
  await checked(other, users.slice(0, 1), (id) => `${id},,Ada Byron,yes`);
  await other.getByRole('button', { name: 'Import 1 user…' }).click();
  await other.getByRole('dialog').getByText('A run is in progress in another tab').waitFor();
  await other.close();

  await page.getByRole('button', { name: 'Stop after this part' }).click();
  release();
  await page.getByText('Run stopped').waitFor();
  await page.getByText('2 rows have not been sent.').waitFor();

  // The session ends. After signing in again the run continues by itself.
  const token = await site.tokenOf(page);
  await site.service.post('/service/auth/sign-out', undefined, { token });
  // The page may notice before the click, and cover the button.
  await page
    .getByRole('button', { name: 'Continue', includeHidden: true })
    .evaluate((button: HTMLElement) => button.click());
  await page.getByRole('dialog').getByText('Your session has ended').waitFor();
  await page.getByLabel('Password', { exact: true }).fill(user.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Import complete: 14 users.').waitFor();
  await expect.poll(() => page.title()).toBe('✓ Done · Import users · Rollcall');

  // Whoever comes back finds the result.
  await page.getByRole('link', { name: 'Users', exact: true }).click();
  await page.getByRole('link', { name: 'Import users' }).click();
  await page.getByText('Import complete: 14 users.').waitFor();
  expect(await timesChanged(users)).toEqual(users.map(() => 1));

  // The page of any part undoes all of them, with one preview.
  await page.getByRole('link', { name: 'View in Activity' }).first().click();
  await page.getByRole('button', { name: 'Undo this part…' }).waitFor();
  await page.getByRole('button', { name: 'Undo the whole import (4 parts)…' }).click();
  const undo = page.getByRole('dialog');
  await undo.getByText('14 users will be restored to the previous state.').waitFor();
  await undo.getByRole('button', { name: 'Undo', exact: true }).click();
  await undo.getByText('14 users restored.').waitFor();
  expect(await timesChanged(users)).toEqual(users.map(() => 2));
});

test('asks for confirmation above the safety limit, for the run and for the undo', {
  tags: 'release',
}, async () => {
  const users = await givenUsers(8);
  const page = await site.signedIn('operator');
  await checked(page, users, (id) => `${id},${id}x,Ada Lovelace,yes`);
  await page.getByText('You will be asked to confirm').waitFor();
  await page.getByRole('button', { name: '8 New employee ID' }).waitFor();
  await page.getByRole('button', { name: 'Import 8 users…' }).click();
  await page.getByRole('button', { name: 'Start import' }).click();
  await page
    .getByRole('alert')
    .getByText(/This would change the employee ID of 4 of \d+ users/)
    .waitFor();
  await site.expectAccessible(page, 'import-4-safety-limit');
  await page.getByRole('button', { name: 'Change 4 users' }).click();
  await page.getByText('4 of 8 rows').waitFor();
  await page.getByRole('button', { name: 'Change 4 users' }).click();
  await page.getByText('Import complete: 8 users.').waitFor();
  await page.getByRole('button', { name: 'Undo this import' }).click();
  await page.getByText('8 users will be restored to the previous state.').waitFor();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/change the employee ID of 8 users/).waitFor();
  const undo = dialog.getByRole('button', { name: 'Undo', exact: true });
  await expect.poll(() => undo.isDisabled()).toBe(true);
  await dialog.getByLabel('Type 8 to confirm').fill('8');
  await undo.click();
  await page.getByText('8 users restored.').waitFor();
  expect(await timesChanged(users)).toEqual(users.map(() => 2));
});
