import type { Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { useSite } from '../support/browser.js';

// Calls of four, so that a few rows make several, and a brake that any of them meets with two people.
const site = useSite({ ROLLCALL_BULK_ITEMS_MAX: '4', ROLLCALL_SAFETY_LIMIT_PERCENT: '5' });
const bulkUpdate = /update-bulk$/;

interface Given {
  readonly serial: string;
  readonly employeeID: string;
}

function givenPeople(count: number): Promise<Given[]> {
  return Promise.all(Array.from({ length: count }, () => site.service.givenUser({ name: 'Ada Lovelace' })));
}

/** Goes as far as the check of a file. */
async function checked(page: Page, people: readonly Given[], row: (id: string) => string): Promise<void> {
  const csv = [
    'Employee ID,New employee ID,Name,Active',
    ...people.map(({ employeeID }) => row(employeeID)),
  ].join('\n');
  await page.getByRole('link', { name: 'Update from a file' }).click();
  await page
    .getByLabel('Choose a file')
    .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('Every row was checked').waitFor();
}

/** How often each of them was changed since they were created. */
const timesChanged = (people: readonly Given[]) =>
  Promise.all(
    people.map(async ({ serial }) => {
      const { json } = await site.service.get(`/service/users/${serial}/history`);
      return json.data.items.length - 1;
    }),
  );

test('a lost connection, a stop and the end of a session hold a run up, and nothing is done twice', async () => {
  const people = await givenPeople(14);
  const person = await site.givenPerson('operator');
  const page = await site.newPage();
  await page.goto('/people');
  await site.signIn(page, person);
  await checked(page, people, (id) => `${id},,Ada King,yes`);

  // The second call is done, but its answer is lost, however often it is sent.
  const keys: string[] = [];
  const loseSecond = async (route: Route) => {
    keys.push((await route.request().headerValue('idempotency-key')) ?? '');
    if (new Set(keys).size < 2) return route.continue();
    await route.fetch();
    return route.abort('connectionreset');
  };
  await page.route(bulkUpdate, loseSecond);
  await page.clock.install(); // between its attempts the client waits, for half a minute in all
  await page.getByRole('button', { name: 'Update 14 people' }).click();
  const isPaused = async () => {
    await page.clock.fastForward(8_000);
    return page.getByText('Something got in the way').isVisible();
  };
  await expect.poll(isPaused).toBe(true);
  await page.getByText('4 of 14 rows').waitFor();
  expect(new Set(keys).size).toBe(2);
  await site.expectAccessible(page);
  await site.screenshot(page, 'bulk-4-paused');

  // Leaving asks first.
  await page.getByRole('link', { name: 'People' }).click();
  await page.getByRole('button', { name: 'Stay here' }).click();

  // Then the third call is held back until somebody has asked to stop.
  await page.unroute(bulkUpdate);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let calls = 0;
  await page.route(bulkUpdate, async (route) => {
    if (++calls === 2) await held;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByText('8 of 14 rows').waitFor();

  // Another tab is told of it.
  const other = await page.context().newPage();
  await other.goto('/people');
  await checked(other, people.slice(0, 1), (id) => `${id},,Ada Byron,yes`);
  await other.getByRole('button', { name: 'Update 1 person' }).click();
  await other.getByRole('dialog').getByText('Another tab is at work').waitFor();
  await other.close();

  await page.getByRole('button', { name: 'Stop after this part' }).click();
  await site.screenshot(page, 'bulk-4-running');
  release();
  await page.getByText('You stopped the run').waitFor();
  await page.getByText('2 rows have not been sent.').waitFor();

  // The session ends; with the next one the run goes on by itself.
  const { token } = await page.evaluate(() => JSON.parse(localStorage.getItem('rollcall.session') ?? '{}'));
  await site.service.post('/service/auth/sign-out', undefined, { token });
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByRole('dialog').getByText('Your session has ended').waitFor();
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('All 14 rows are done.').waitFor();
  expect(await timesChanged(people)).toEqual(people.map(() => 1));
});

test('what the brake holds up is confirmed, in the run and in the undo', async () => {
  const people = await givenPeople(8);
  const page = await site.signedIn('operator');
  await checked(page, people, (id) => `${id},${id}x,Ada Lovelace,yes`);
  await page.getByText('This will need your confirmation').waitFor();
  await page.getByText('8 to rename').waitFor();
  await page.getByRole('button', { name: 'Update 8 people' }).click();
  await page.getByRole('alert').getByText('This would rename 4 of').waitFor();
  await site.expectAccessible(page);
  await site.screenshot(page, 'bulk-4-braked');
  await page.getByRole('button', { name: 'Yes, do this to 4 people' }).click();
  await page.getByText('4 of 8 rows').waitFor();
  await page.getByRole('button', { name: 'Yes, do this to 4 people' }).click();
  await page.getByText('All 8 rows are done.').waitFor();
  await page.getByRole('button', { name: 'Undo everything' }).click();
  await page.getByText('8 people will be put back as they were.').waitFor();
  await page
    .getByRole('dialog')
    .getByText(/rename 4 of/)
    .waitFor();
  await site.screenshot(page, 'bulk-6-undo-braked');
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await page.getByText('8 people were put back as they were.').waitFor();
  expect(await timesChanged(people)).toEqual(people.map(() => 2));
});
