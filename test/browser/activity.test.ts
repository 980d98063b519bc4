import { expect, onTestFinished, test } from 'vitest';
import { askForToken } from '../support/api-clients.js';
import { expectToFit, useOwnSite } from '../support/browser.js';
import { callIdOf, readCall } from '../support/calls.js';
import { aUser, newId } from '../support/service.js';
import { openWebhookReceiver } from '../support/webhook-receiver.js';
import { eagerEvents, sequencesOf } from '../support/webhooks.js';

const site = useOwnSite({ ...eagerEvents, ROLLCALL_SAFETY_LIMIT_PERCENT: '20' });

test('finds, shows and undoes a bulk call that exceeds the safety limit', async () => {
  const { service } = site;
  const users = Array.from({ length: 130 }, (_, index) => aUser({ name: `Worker ${index}` }));
  const created = await service.createBulk(users);
  const renamed = users.slice(0, 40).map(({ employeeID }) => ({
    employeeID,
    newEmployeeID: newId('R'),
    name: 'Renamed',
    isActive: true,
  }));
  const updated = await service.post(`/service/users/update-bulk?confirm=${renamed.length}`, {
    items: renamed,
  });
  const [first] = renamed as [(typeof renamed)[0]];
  await service.updateBulk([
    { employeeID: first.newEmployeeID, name: 'Changed since', isActive: true },
    { employeeID: newId('Nobody'), name: 'Nobody', isActive: true },
  ]);
  const callId = callIdOf(updated);

  const page = await site.signedIn('administrator', '/');
  await page.getByRole('link', { name: 'Activity' }).click();
  await page.getByRole('link', { name: 'Bulk changes' }).click();
  await expect.poll(() => page.title()).toBe('Bulk changes · Activity · Rollcall');
  const rows = page.getByRole('table').getByRole('row');
  await expect.poll(() => rows.count()).toBe(4);
  await site.expectAccessiblePage(page, 'activity-calls');
  await page.getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: 'Create', exact: true }).click();
  await expect.poll(() => rows.count()).toBe(2);
  await expect.poll(() => new URL(page.url()).searchParams.get('type')).toBe('create-bulk');
  await page.getByRole('table').getByRole('link', { name: 'Create 130 users' }).click();
  await page.getByRole('heading', { level: 1, name: /^Create 130 users, / }).waitFor();
  await expect.poll(() => page.url()).toContain(callIdOf(created));
  await page.getByText('Showing 100').scrollIntoViewIfNeeded();
  await page.getByText('All 130 entries').waitFor();

  await site.visit(page, `/activity/calls/${callId}`);
  const changed = page.getByRole('table', { name: 'Rows of this change and their outcomes' });
  await page.getByText('40 with another employee ID.').waitFor();
  await changed.getByText('Employee ID and Name changed').first().waitFor();
  await changed
    .getByRole('button', { name: /^Show / })
    .first()
    .click();
  await changed.getByText('Renamed').first().waitFor();
  await site.expectAccessiblePage(page, 'activity-call');

  await page.getByRole('button', { name: 'Undo…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Undo these changes?' });
  await dialog.getByText('39 users will be restored to the previous state.').waitFor();
  await dialog.getByText("1 user can't be restored and will stay unchanged.").waitFor();
  await dialog.getByText('Left as is, because this has been changed since then: Name.').waitFor();
  const confirm = dialog.getByRole('button', { name: 'Undo', exact: true });
  await expect.poll(() => confirm.isDisabled()).toBe(true);
  await dialog.getByLabel('Type 39 to confirm').fill('12');
  await expect.poll(() => confirm.isDisabled()).toBe(true);
  await site.expectAccessible(page, 'activity-undo-preview');
  expect((await readCall(service, callId)).undoneBy).toBeNull();
  await dialog.getByLabel('Type 39 to confirm').fill('39');
  await confirm.click();
  const done = page.getByRole('dialog', { name: 'Changes undone' });
  await done.getByText('39 users restored.').waitFor();
  await done.getByRole('link', { name: 'View this undo in Activity' }).click();
  await page.getByRole('heading', { level: 1, name: /^Undone: Change 40 users, / }).waitFor();
  await page.getByRole('link', { name: 'View what was undone' }).click();
  await page.getByRole('link', { name: 'View the undo' }).waitFor();
  expect((await readCall(service, callId)).undoneBy).not.toBeNull();

  await site.signedIn('operator', `/activity/calls/${callId}`, { width: 360, height: 740 });
  await page.getByText('Employee ID and Name changed').first().waitFor();
  expect(await page.getByRole('button', { name: 'Undo…' }).count(), 'it was undone').toBe(0);
  await expectToFit(page);
  await site.visit(page, '/activity/calls/no-such-call');
  await page.getByRole('heading', { name: 'Bulk change not found' }).waitFor();
});

test('filters sign-ins, resends failed messages and releases held ones', async () => {
  const { service } = site;
  const requestId = newId('held');
  const failing = await service.givenUser({ name: 'Mary Failing' });
  const parked = `UPDATE deliveries SET state = 'parked', attempts = 12, last_problem = 'mailRecipientRefused',
    last_problem_code = '550', last_error = 'In English.', to_email = 'former@example.com' WHERE user_serial = $1`;
  await service.database.pool.query(parked, [failing.serial]);
  await service.post(
    '/service/users/create-bulk?deliver=hold',
    { items: [aUser({ name: 'Held One' }), aUser({ name: 'Held Two' })] },
    { headers: { 'x-request-id': requestId } },
  );
  const stranger = await site.givenUserWithPassword('viewer', { name: 'Vera Viewer' });
  await service.signIn(stranger.username, 'wrong');

  const page = await site.signedIn('administrator', '/activity/sign-ins');
  await page.getByRole('combobox', { name: 'Event' }).click();
  await page.getByRole('option', { name: 'Sign-in failed' }).click();
  const events = page.getByRole('table').getByRole('row');
  await expect.poll(() => events.count()).toBe(2);
  await events.nth(1).getByRole('link', { name: 'Vera Viewer' }).waitFor();
  await site.expectAccessiblePage(page, 'activity-sign-ins');
  await page.getByLabel('From').fill('2001-01-01T08:30');
  await page.getByLabel('To', { exact: true }).fill('2001-01-31T08:30');
  await page.getByText('No matches').waitFor();
  await page.reload();
  await expect.poll(() => page.getByLabel('To', { exact: true }).inputValue()).toBe('2001-01-31T08:30');
  await page.getByRole('button', { name: 'Clear filters' }).first().click();
  await page.getByText('Role changed').first().waitFor();

  await page.getByRole('link', { name: 'Messages', exact: true }).click();
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Failed (1)' }).click();
  const messages = page.getByRole('table').getByRole('row');
  await expect.poll(() => messages.count()).toBe(2);
  const { email } = await service.readUser(failing.serial);
  await messages
    .getByText(`former@example.com was refused. The address has since been changed to ${email}.`)
    .waitFor();
  await site.expectAccessiblePage(page, 'activity-deliveries');
  await page.getByRole('button', { name: `Send again to ${email}: Mary Failing` }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: `Send again to ${email}` })
    .click();
  await page.getByText('Message sent again.').waitFor();
  await page.getByText('No failed messages').waitFor();

  await site.visit(page, `/activity/deliveries?state=held&requestId=${requestId}`);
  await expect.poll(() => messages.count()).toBe(3);
  await page.getByRole('button', { name: 'Release held messages of this bulk change…' }).click();
  await page.getByRole('dialog').getByText('2 messages will be sent.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Release' }).click();
  await page.getByText('2 messages released.').waitFor();
  const { json } = await service.get(`/service/deliveries?requestId=${requestId}&state=held`);
  expect(json.data.items).toEqual([]);
});

test('creates, updates, rotates and disables a client and a webhook', async () => {
  const { service } = site;
  const receiver = await openWebhookReceiver();
  onTestFinished(() => receiver.stop());
  receiver.behaviour = 500;
  const page = await site.signedIn('administrator', '/settings/clients');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const dialog = page.getByRole('dialog');
  const expectFocusOn = (name: string) =>
    expect.poll(() => button(name).evaluate((element) => element === document.activeElement)).toBe(true);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const choose = async (action: string, name: string) => {
    await button(`More actions: ${name}`).click();
    await page.getByRole('menuitem', { name: action }).click();
  };

  await button('Create client').click();
  await page.locator('[role="dialog"] input:focus').waitFor(); // the dialog focuses the first field
  await page.keyboard.type('Nightly sync');
  await page.getByLabel('Create and update users').check();
  await site.expectAccessible(page, 'settings-client-form');
  await page.keyboard.press('Enter');
  await dialog.getByText("You won't be able to see it again").waitFor();
  await site.expectAccessible(page, 'settings-client-secret');
  await button('Copy: Secret').click();
  await dialog.getByText('Copied').waitFor();
  const clientId = await dialog.getByRole('textbox', { name: 'Client ID' }).inputValue();
  const clientSecret = await page.evaluate(() => navigator.clipboard.readText());
  expect((await askForToken(service, { clientId, clientSecret })).status).toBe(200);
  await page.keyboard.press('Escape');
  await button('Done').click();
  await dialog.waitFor({ state: 'hidden' });
  await expectFocusOn('Create client');

  await button('Edit: Nightly sync').click();
  await dialog.getByLabel('Name').fill('   ');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('alert').waitFor();
  await page.getByLabel('Name').fill('Weekly sync');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await choose('Rotate secret', 'Weekly sync');
  await page.getByLabel('Immediately').check();
  await dialog.getByRole('button', { name: 'Rotate secret' }).click();
  const rotated = await dialog.getByRole('textbox', { name: 'Secret' }).inputValue();
  await button('Done').click();
  expect((await askForToken(service, { clientId, clientSecret })).status).toBe(401);
  expect((await askForToken(service, { clientId, clientSecret: rotated })).status).toBe(200);
  await choose('Disable', 'Weekly sync');
  await dialog.getByRole('button', { name: 'Disable' }).click();
  await expectFocusOn('More actions: Weekly sync');
  expect((await askForToken(service, { clientId, clientSecret: rotated })).status).toBe(401);
  await site.expectAccessiblePage(page, 'settings-clients');

  await page.getByRole('link', { name: 'Webhooks' }).click();
  await page.getByText('No webhooks yet').waitFor();
  await button('Create webhook').click();
  await page.getByLabel('URL').fill('ftp://nowhere');
  await page.getByLabel('Description').fill('Door badges');
  await page.getByLabel('Bulk change finished').uncheck();
  await dialog.getByRole('button', { name: 'Create webhook' }).click();
  await dialog.getByText(/Enter a complete URL that starts with https/).waitFor();
  const rejected = page.getByLabel('URL').and(page.locator('[aria-invalid=true]:focus'));
  await rejected.waitFor(); // the error is at its field
  await page.getByLabel('URL').fill(receiver.url);
  await dialog.getByRole('button', { name: 'Create webhook' }).click();
  await expect.poll(() => dialog.getByRole('textbox', { name: 'Secret' }).inputValue()).toMatch(/^whsec_/);
  await button('Done').click();
  await service.givenUser();
  const health = async () => (await service.get('/service/webhooks')).json.data.items[0].failingSince;
  await expect.poll(health).not.toBeNull();
  await page.reload();
  await page.getByText('Failing since').waitFor();
  await button('Try now: Door badges').waitFor();
  await site.expectAccessiblePage(page, 'settings-webhooks');
  await button('Try now: Door badges').click(); // the link goes once it works
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Door badges');
  receiver.behaviour = 200;
  await page.getByText('Healthy').waitFor();

  await button('Deliveries: Door badges').click();
  const deliveries = dialog.getByRole('table', { name: 'Deliveries' });
  await deliveries.getByText('Delivered').first().waitFor();
  await site.expectAccessible(page, 'settings-webhook-deliveries');
  const failed = deliveries.getByRole('row').filter({ hasText: 'The receiver responded with 500.' });
  await failed.last().getByRole('button').click();
  await dialog.getByRole('region', { name: 'Sent' }).getByText('"type": "user.created"').waitFor();
  await site.expectAccessible(page, 'settings-webhook-delivery');
  await dialog.getByRole('button', { name: 'Send again' }).click();
  await page.getByText('Sent again. The receiver responded with 200.').waitFor();
  await deliveries.waitFor();
  await page.keyboard.press('Escape');

  const sequences = () => sequencesOf(receiver.requests);
  await expect.poll(() => sequences().length).toBeGreaterThan(0);
  const last = Math.max(...sequences());
  receiver.requests.length = 0;
  await page.getByRole('article', { name: 'Door badges' }).getByText('Advanced').click();
  await button('Resend events: Door badges').click();
  await page.getByLabel('Since').waitFor();
  await dialog.getByText('Advanced').click();
  await page.getByLabel('First event number').fill(String(last));
  await dialog.getByRole('button', { name: 'Resend' }).click();
  await page.getByText('Resending events.').waitFor();
  await expect.poll(sequences).toContain(last);
  receiver.requests.length = 0;
  await choose('Send test event', 'Door badges');
  await page.getByText(/Door badges received the test event and responded with 200/).waitFor();
  expect(receiver.requests.map(({ json }) => json.type)).toContain('webhook.test');
  receiver.behaviour = 500;
  await choose('Send test event', 'Door badges');
  await page.getByText('The receiver responded with 500.').waitFor();
  receiver.behaviour = 200;
  await choose('Disable', 'Door badges');
  await dialog.getByRole('button', { name: 'Disable' }).click();
  await page.getByRole('article', { name: 'Door badges' }).getByText('Disabled').first().waitFor();
  await choose('Delete', 'Door badges');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No webhooks yet').waitFor();
});

test("shows who is signed in, and ends a session, those of a user, and everybody's", async () => {
  const { service } = site;
  const [grace, alan] = [
    await site.givenUserWithPassword('viewer', { name: 'Grace Hopper' }),
    await site.givenUserWithPassword(null, { name: 'Alan Turing' }),
  ];
  const signIn = async ({ username, password }: typeof grace) =>
    (await service.signIn(username, password)).json.data.accessToken as string;
  const isOpen = async (token: string) => (await service.get('/service/auth/me', { token })).status === 200;
  await service.request('DELETE', `/service/users/${grace.serial}/sessions`);
  const [first, second, other] = [await signIn(grace), await signIn(grace), await signIn(alan)];

  const page = await site.signedIn('administrator', `/users/${grace.serial}`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Sessions' }).click();
  const table = page.getByRole('table', { name: 'Sessions, newest first' });
  const ends = table.getByRole('button', { name: /^End the session of / });
  await expect.poll(() => ends.count()).toBe(2);
  await site.expectAccessiblePage(page, 'activity-sessions');
  await ends.first().click();
  await expect.poll(() => ends.count()).toBe(1);
  await expect.poll(() => isOpen(second)).toBe(false);
  await page.getByRole('button', { name: 'End all sessions of this user' }).click();
  await page.getByText('This user is not signed in').waitFor();
  expect(await isOpen(first)).toBe(false);

  await page.getByRole('button', { name: 'Clear filters' }).click();
  await table.getByRole('link', { name: 'Alan Turing' }).first().waitFor();
  await page.getByRole('button', { name: 'Sign everybody out' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign everybody out' }).click();
  await expect.poll(() => ends.count()).toBe(0);
  await table.getByText('This session').waitFor();
  expect(await isOpen(other)).toBe(false);
});
