import { expect, onTestFinished, test } from 'vitest';
import { useOwnSite } from '../support/browser.js';
import { deactivate } from '../support/providers.js';
import { receiverToken, startScimReceiver } from '../support/scim-receiver.js';
import { newId } from '../support/service.js';
import { eagerEvents } from '../support/webhooks.js';

const site = useOwnSite(eagerEvents);

test('an identity provider is connected, watched, allowed more deactivations, and cut off', async () => {
  const { service } = site;
  await service.post('/service/attributes', { key: 'department', type: 'text' });
  const page = await site.signedIn('administrator', '/settings/provisioning');
  await page.getByText('No identity provider connected').waitFor();
  await page.getByRole('link', { name: 'Connect provider' }).click();
  await page.getByLabel('Microsoft Entra ID').check();
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Microsoft Entra ID');
  await page.getByLabel('Name').fill('Entra');
  await page.getByLabel('New users without an employee number').selectOption('Get a generated employee ID');
  await site.expectAccessiblePage(page, 'provisioning-connect');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.getByText('Entra can now sign in to Rollcall').waitFor();
  const values = page.getByRole('region', { name: 'Values to copy' });
  await expect
    .poll(() => values.getByLabel('Base URL', { exact: true }).inputValue())
    .toBe(`${service.url}/scim/v2`);
  const token = await values.getByLabel('Token', { exact: true }).inputValue();
  const me = (await service.get('/service/auth/me', { token })).json.data;
  expect(me.scopes).toEqual(['scim']);
  const offered = page.getByRole('region', { name: 'Attributes that providers send' });
  await offered.getByLabel('Cost center').waitFor();
  expect(await offered.getByLabel('Department').count(), 'which is defined').toBe(0);
  await offered.getByLabel('Division').uncheck();
  await site.expectAccessiblePage(page, 'provisioning-connected');
  await offered.getByRole('button', { name: 'Define attributes' }).click();
  await page.getByText('2 attributes defined.').waitFor();
  await offered.getByLabel('Cost center').waitFor({ state: 'detached' });
  const defined = (await service.get('/service/attributes')).json.data.items;
  expect(defined.map(({ key }: { key: string }) => key).sort()).toEqual([
    'costCenter',
    'department',
    'title',
  ]);

  const user = await service.givenUser({ name: 'Ada Lovelace' });
  const entry = { clientId: me.id, resourceType: 'User', scimType: null, durationMs: 4 } as const;
  service.context.scimRequests.record({
    ...entry,
    ...{ operation: 'create', status: 201, resourceId: user.serial, error: null },
    ignoredAttributes: ['nickName'],
  });
  service.context.scimRequests.record({
    ...{ ...entry, operation: 'patch', status: 403, resourceId: user.serial, ignoredAttributes: [] },
    error: 'SCIM_DEACTIVATION_LIMIT',
  });
  expect(await deactivate(service, me.id, 10)).toBeUndefined();
  await page.getByRole('link', { name: 'Done' }).click();
  await page.getByRole('heading', { name: 'Entra', level: 1 }).waitFor();
  await page.getByText('10 of at most 10').waitFor();
  const requests = page.getByRole('region', { name: 'Recent requests' });
  await requests.getByText('Ignored: nickName').waitFor();
  await requests.getByText('The provider has deactivated too many users.').waitFor();
  await expect.poll(() => requests.getByRole('link', { name: 'Ada Lovelace' }).count()).toBe(2);
  await page.getByText('Get a generated employee ID').waitFor();
  await site.expectAccessiblePage(page, 'provisioning-provider');

  await page.getByRole('status').getByRole('button', { name: 'Allow more' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Number of users').fill('5');
  await site.expectAccessible(page, 'provisioning-allow');
  await dialog.getByRole('button', { name: 'Allow', exact: true }).click();
  await page.getByText('10 of at most 15').waitFor();
  expect(await deactivate(service, me.id, 5)).toBeUndefined();

  await page.getByRole('button', { name: 'Edit settings' }).click();
  await dialog
    .getByLabel('When the provider deletes a user')
    .selectOption('Erase the personal data for good');
  await dialog.getByLabel('Limit of deactivations in percent').fill('0');
  await site.expectAccessible(page, 'provisioning-settings');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('15, without a limit').waitFor();
  const { settings } = (await service.get(`/service/clients/${me.id}/scim`)).json.data;
  expect(settings).toMatchObject({
    ...{ kind: 'entra', employeeId: 'generate', onDelete: 'erase', deactivationPercent: 0 },
  });

  await page.getByRole('button', { name: 'Create token' }).click();
  await dialog.getByLabel('Name').fill('Second');
  await dialog.getByLabel('Expires after').selectOption('90 days');
  await dialog.getByRole('button', { name: 'Create token' }).click();
  await expect.poll(() => dialog.getByRole('textbox', { name: 'Token' }).inputValue()).toMatch(/^rct_/);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Revoke token: Entra' }).click();
  await dialog.getByRole('button', { name: 'Revoke', exact: true }).click();
  await page.getByText('Revoked', { exact: true }).waitFor();
  await expect.poll(async () => (await service.get('/service/auth/me', { token })).status).toBe(401);
  await page.getByRole('link', { name: 'All identity providers' }).click();
  await page.getByRole('link', { name: 'Entra', exact: true }).waitFor();
  await site.expectAccessiblePage(page, 'provisioning');
});

test('a SCIM target is created, pushes users, shows what differs there, and is repaired and deleted', async () => {
  const { service } = site;
  const tag = newId('wiki');
  const user = await service.givenUser({ name: 'Grace Hopper', tagSerials: [tag] });
  const receiver = await startScimReceiver(onTestFinished);
  const page = await site.signedIn('administrator', '/settings/targets');
  await page.getByRole('button', { name: 'Connect service' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Wiki');
  await dialog.getByLabel('Base URL').fill(receiver.url);
  await dialog.getByLabel(/^Token/).fill('mistyped');
  await dialog.getByRole('combobox', { name: 'Tags' }).fill(tag);
  await page.getByRole('option', { name: tag }).click();
  await site.expectAccessible(page, 'targets-create');
  await dialog.getByRole('button', { name: 'Connect service' }).click();
  const card = page.getByRole('article', { name: 'Wiki' });
  await card.getByText('The token is not accepted.').waitFor();
  const choose = async (action: string) => {
    await card.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: action }).click();
  };
  const act = async (action: string) => {
    await choose(action);
    await dialog.getByRole('button', { name: action, exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  };

  await card.getByRole('button', { name: 'Edit' }).click();
  await dialog.getByLabel(/^Token/).fill(receiverToken);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => receiver.user(user.serial)?.displayName).toBe('Grace Hopper');
  await card.getByText('Up to date').waitFor();
  const [pushed] = receiver.store.users.values();
  receiver.store.users.set(pushed?.id, { ...pushed, displayName: 'Somebody Else' });
  await act('Find differences');
  await card.getByText('0 missing there, 0 extra there, 1 different').waitFor();
  await site.expectAccessiblePage(page, 'targets');
  await choose('Show differences');
  await dialog.getByRole('link', { name: 'Grace Hopper' }).waitFor();
  await site.expectAccessible(page, 'targets-differences');
  await page.keyboard.press('Escape');
  await act('Repair differences');
  await expect.poll(() => receiver.user(user.serial)?.displayName).toBe('Grace Hopper');

  await act('Pause');
  await card.getByText('Paused', { exact: true }).waitFor();
  await act('Delete');
  await page.getByText('No services connected yet').waitFor();
});
