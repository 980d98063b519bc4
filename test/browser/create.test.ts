import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useSite } from '../support/browser.js';
import { newId } from '../support/service.js';

const site = useSite();
const createUser = /\/service\/users(?:\?|$)/;
const input = (page: Page, name: string) => page.locator(`input[name="${name}"]`);

test('the form shows errors before and after submission, and then opens the user', async () => {
  const { service } = site;
  const taken = await service.givenUser();
  const employeeID = newId();
  const page = await site.signedIn('operator');
  await page.getByRole('link', { name: 'Create user' }).click();
  await page.getByRole('heading', { level: 1, name: 'Create user' }).waitFor();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByText('This field is required.').first().waitFor();
  await expect.poll(() => page.getByText('Enter an email address or a phone number.').count()).toBe(2);
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('name');
  await site.expectAccessiblePage(page, 'create-required');

  await input(page, 'name').fill('Ada Lovelace');
  await input(page, 'employeeID').fill('E-1001');
  await page.getByText('Use only letters from a to z and digits, at most 64.').waitFor();
  await input(page, 'employeeID').fill(taken.employeeID);
  await input(page, 'email').fill('ada@example.com');
  await page.getByText(/It is sent by email to ada@example.com/).waitFor();
  await page.getByText(/ already has this email address. Users may share one./).waitFor();
  await service.request('PUT', '/service/tags/T77', { body: { displayName: 'Night shift' } });
  await service.request('PUT', '/service/organizations/FIN', { body: { displayName: 'Finance' } });
  await input(page, 'organizationSerial').fill('Finanze');
  await page.getByText('No organization has this name. It will be created. Did you mean:').waitFor();
  await page.getByRole('button', { name: 'Finance (FIN)' }).click();
  await expect.poll(() => input(page, 'organizationSerial').inputValue()).toBe('Finance');
  await page.getByRole('combobox', { name: 'Tags' }).pressSequentially('night shift');
  await page.keyboard.press('Enter'); // before the suggestions are there
  await page.keyboard.type('ORG9');
  await page.keyboard.press('Enter');
  await page.getByTitle('T77').waitFor();
  await page.getByTitle('ORG9').waitFor();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByText(/The employee ID ".*" is already taken by another user/).waitFor();
  await expect.poll(() => input(page, 'name').inputValue()).toBe('Ada Lovelace');

  await page.getByRole('link', { name: 'Users' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Keep editing' }).click();
  await input(page, 'employeeID').fill(employeeID);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByText('Ada Lovelace created. The password is on its way.').waitFor();
  await page.getByRole('heading', { level: 1, name: 'Ada Lovelace' }).waitFor();
});

test('creates several users in a row, and none twice if a response is lost', {
  tags: 'release',
}, async () => {
  const { service } = site;
  const [first, second] = [newId(), newId()];
  const page = await site.signedIn('operator', '/users/new', { width: 360, height: 720 });
  await input(page, 'name').fill('Grace Hopper');
  await input(page, 'employeeID').fill(first);
  await input(page, 'phone').fill('+1 202 555 0147');
  await input(page, 'organizationSerial').fill('ORG7');
  await page.getByRole('combobox', { name: 'Tags' }).pressSequentially('T1');
  await page.keyboard.press('Enter');
  await page.getByLabel('Active').uncheck();
  await site.expectAccessible(page, 'create-phone');
  await page.getByRole('button', { name: 'Create and add another' }).click();
  await page.getByText('Grace Hopper created. The password will be sent when they are activated.').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('name');
  await expect.poll(() => input(page, 'organizationSerial').inputValue()).toBe('ORG7');
  await page.getByText('T1', { exact: true }).waitFor();
  await expect.poll(() => input(page, 'employeeID').inputValue()).toBe('');

  await input(page, 'name').fill('Alan Turing');
  await input(page, 'employeeID').fill(second);
  await input(page, 'email').fill('alan@example.com');
  const failure = { errorCode: 10902, message: 'SERVICE_INTERNAL_ERROR', detail: 'The answer was lost.' };
  await page.route(createUser, async (route) => {
    await route.fetch(); // it succeeds, but the response is lost
    await route.fulfill({ status: 500, json: failure });
  });
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByText("Couldn't create the user").waitFor();
  await expect.poll(() => input(page, 'employeeID').inputValue()).toBe(second);
  await page.unroute(createUser);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Alan Turing' }).waitFor();
  const found = await service.get(`/service/users?employeeID=${second}`);
  expect(found.json.data.items).toMatchObject([
    { organizationSerial: 'ORG7', tagSerials: ['T1'], isActive: true },
  ]);
});

test('a user without permission to create sees a message', { tags: 'release' }, async () => {
  const page = await site.signedIn('viewer', '/users/new');
  await page.getByText("You don't have permission to do this. Ask an administrator.").waitFor();
  expect(await page.getByRole('textbox').count()).toBe(0);
});
