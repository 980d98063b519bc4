import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { useSite, zoomed } from '../support/browser.js';
import { newId } from '../support/service.js';

const site = useSite();

test('an administrator exports the data of a user, and erases it after typing the employee ID', async () => {
  const { service } = site;
  const user = await service.givenUser({ name: 'Grace Hopper', phone: '+1 202 555 0100' });
  const page = await site.signedIn('administrator', `/users/${user.serial}`);
  const choose = async (action: string) => {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: action }).click();
  };
  const downloading = page.waitForEvent('download');
  await choose('Export data');
  const file = await downloading;
  expect(file.suggestedFilename()).toBe(`personal-data-${user.employeeID}.json`);
  const data = JSON.parse(readFileSync(await file.path(), 'utf8'));
  expect(data.user).toMatchObject({ name: 'Grace Hopper', phone: '+1 202 555 0100' });

  const reporting = page.waitForEvent('download');
  await choose('Readable report');
  const report = await reporting;
  expect(report.suggestedFilename()).toBe(`personal-data-${user.employeeID}.html`);
  const shown = await page.context().newPage();
  await shown.setContent(readFileSync(await report.path(), 'utf8'));
  await shown.getByRole('heading', { level: 1, name: 'Personal data of Grace Hopper' }).waitFor();
  await shown.getByRole('row', { name: 'Phone +1 202 555 0100' }).first().waitFor();
  await shown.getByRole('heading', { name: 'Sign-ins and access' }).waitFor();
  await site.expectAccessibleFile(shown);
  await shown.close();

  await page.setViewportSize(zoomed); // the menu is higher than the window
  await choose('Erase…');
  const dialog = page.getByRole('dialog', { name: 'Erase Grace Hopper?' });
  const confirm = dialog.getByRole('button', { name: 'Erase for good' });
  await dialog.getByText("This can't be undone").waitFor();
  await expect.poll(() => confirm.isDisabled()).toBe(true);
  await dialog.getByRole('textbox').fill(user.employeeID);
  await site.expectAccessible(page, 'user-erase');
  await confirm.click();
  await page.getByText(`User ${user.employeeID} erased.`).waitFor();
  await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor();
  expect((await service.get(`/service/users/${user.serial}`)).status).toBe(410);
  await site.visit(page, `/users/${user.serial}`);
  await page.getByRole('heading', { name: 'This user was erased' }).waitFor();
  await page.getByRole('region', { name: 'History' }).getByText('Erased', { exact: true }).first().waitFor();
});

test('operators see neither, but can rehire an inactive user while creating one', {
  tags: 'release',
}, async () => {
  const { service } = site;
  const former = await service.givenUser({ employeeID: newId().replace(/\W/g, ''), isActive: false });
  const page = await site.signedIn('operator', `/users/${former.serial}`);
  await page.getByRole('region', { name: 'Access' }).waitFor();
  expect(await page.getByRole('button', { name: 'More actions' }).count()).toBe(0);

  await site.visit(page, '/users/new');
  const input = (name: string) => page.locator(`input[name="${name}"]`);
  await input('employeeID').fill(former.employeeID);
  await input('name').fill('Ada Returns');
  await input('email').fill('ada.returns@example.com');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const offer = page.getByRole('status').filter({ hasText: 'An inactive user has this employee ID' });
  await offer.waitFor();
  await site.expectAccessible(page, 'user-rehire');
  await offer.getByRole('button', { name: 'Rehire' }).click();
  await page.getByText('Ada Returns rehired.').waitFor();
  expect(await service.readUser(former.serial)).toMatchObject({
    name: 'Ada Returns',
    email: 'ada.returns@example.com',
    isActive: true,
  });
});
