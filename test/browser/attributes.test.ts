import { expect, test } from 'vitest';
import { useOwnSite } from '../support/browser.js';

const site = useOwnSite();

test('an attribute is defined, entered for a user, and used as a filter', async () => {
  const ada = await site.service.givenUser({ name: 'Ada Lovelace' });
  const page = await site.signedIn('administrator', '/settings/attributes');
  await page.getByText('No attributes yet').waitFor();
  await site.expectAccessiblePage(page, 'attributes-empty');
  await page.getByRole('button', { name: 'Add attribute' }).click();
  const form = page.getByRole('dialog', { name: 'Add attribute' });
  await form.getByLabel('English').fill('Hours per week');
  await form.getByLabel('Type').selectOption('Number');
  await form.getByLabel('Largest number').fill('40');
  await site.expectAccessible(page, 'attribute-form');
  await form.getByRole('button', { name: 'Add attribute' }).click();
  const row = page.getByRole('row').filter({ hasText: 'hoursPerWeek' });
  await row.waitFor();
  await form.waitFor({ state: 'detached' });
  expect(await row.getByRole('cell').allTextContents()).toEqual(
    expect.arrayContaining(['Hours per week', 'hoursPerWeek', 'Number', 'Filterable']),
  );
  await site.expectAccessiblePage(page, 'attributes');

  await site.visit(page, `/users/${ada.serial}`);
  const details = page.getByRole('region', { name: 'Details' });
  const hours = details.getByRole('group', { name: 'Attributes' }).getByLabel('Hours per week');
  await hours.fill('41');
  await details.getByRole('button', { name: 'Save' }).click();
  await details.getByText('Enter 40 or less.').waitFor();
  await site.expectAccessible(page, 'user-attributes');
  await hours.fill('37.5');
  await details.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Ada Lovelace saved.').waitFor();
  expect(await site.service.readUser(ada.serial)).toMatchObject({ attributes: { hoursPerWeek: 37.5 } });
  await page.getByRole('link', { name: 'History' }).click();
  await page.getByText('Hours per week: from (empty) → to 37.5').waitFor();

  await site.visit(page, '/users?columns=name,attributes.hoursPerWeek');
  await page.getByRole('button', { name: 'Add filter' }).click();
  const filter = page.getByRole('dialog', { name: 'Add filter' });
  await filter.getByRole('button', { name: 'Hours per week' }).click();
  await filter.getByLabel('From').fill('30');
  await site.expectAccessible(page, 'attribute-filter');
  const list = page.waitForRequest(/service\/users\?.*attributes\.hoursPerWeek\.from=30/);
  await filter.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('button', { name: 'Hours per week from 30', exact: true }).waitFor();
  await list;
});
