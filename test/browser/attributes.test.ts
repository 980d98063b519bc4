import { expect, test } from 'vitest';
import { useOwnSite } from '../support/browser.js';
import { erased } from '../support/erasure.js';
import { editCell } from '../support/import-grid.js';

const site = useOwnSite();

test('attributes are defined, entered, imported with managers, and used as a filter', async () => {
  const ada = await site.service.givenUser({ name: 'Ada Lovelace' });
  const grace = await site.service.givenUser({ name: 'Grace Hopper' });
  const page = await site.signedIn('administrator', '/settings/attributes');
  await page.getByText('No attributes yet').waitFor();
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
  await expect
    .poll(() => row.getByRole('cell').allTextContents())
    .toEqual(expect.arrayContaining(['Hours per week', 'hoursPerWeek', 'Number', 'Filterable']));
  await site.expectAccessiblePage(page, 'attributes');

  await site.visit(page, `/users/${ada.serial}`);
  const details = page.getByRole('region', { name: 'Details' });
  const hours = details.getByRole('group', { name: 'Attributes' }).getByLabel('Hours per week');
  await hours.fill('41');
  await details.getByRole('button', { name: 'Save' }).click();
  await details.getByText('Enter 40 or less.').waitFor();
  await hours.fill('37.5');
  await details.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Ada Lovelace saved.').waitFor();
  expect(await site.service.readUser(ada.serial)).toMatchObject({ attributes: { hoursPerWeek: 37.5 } });
  await page.getByRole('link', { name: 'History' }).click();
  await page.getByText('Hours per week: from (empty) → to 37.5').waitFor();

  await site.visit(page, '/import');
  const file = [
    'Employee ID,Name,Email,Manager,Hours per week,Standort',
    `${ada.employeeID},,,${grace.employeeID},38.5,Lyon`,
    `${ada.employeeID}J,Joan Clarke,joan@example.com,${ada.employeeID}E,,Berlin`,
    `${ada.employeeID}E,Eve Moneypenny,eve@example.com,,half,Lyon`,
  ];
  const buffer = Buffer.from(file.join('\n'));
  await page.getByLabel('Choose file').setInputFiles({ name: 'staff.csv', mimeType: 'text/csv', buffer });
  const field = (heading: string) => page.getByLabel(`Field for "${heading}"`);
  await expect.poll(() => field('Manager').inputValue()).toBe('managerEmployeeID');
  await expect.poll(() => field('Hours per week').inputValue()).toBe('attributes.hoursPerWeek');
  await page.getByRole('button', { name: 'Add as attribute: "Standort"' }).click();
  await form.getByLabel('Type').selectOption('Choice');
  await form.getByLabel('Label').fill('Site');
  await expect.poll(() => form.getByLabel('Key').inputValue()).toBe('site');
  await site.expectAccessible(page, 'import-2-attribute');
  await form.getByRole('button', { name: 'Add attribute' }).click();
  await expect.poll(() => field('Standort').inputValue()).toBe('attributes.site');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('All rows checked').waitFor();
  await page.getByText('Hours per week: Enter 40 or less.').waitFor();
  const changed = page.getByRole('row').filter({ hasText: '38.5' });
  await expect
    .poll(() => changed.getByRole('gridcell').allTextContents())
    .toEqual(
      expect.arrayContaining([
        expect.stringMatching(new RegExp(`empty.*${grace.employeeID}`)),
        expect.stringMatching(/37\.5.*38\.5/),
        expect.stringMatching(/empty.*Lyon/),
      ]),
    );
  await editCell(page, 'Hours per week', 4, '20');
  await page.getByRole('button', { name: 'Import 3 users…' }).click();
  await page.getByRole('button', { name: 'Start import' }).click();
  await page.getByRole('heading', { name: 'Result' }).waitFor();
  expect(await site.service.readUser(ada.serial)).toMatchObject({
    attributes: { hoursPerWeek: 38.5, site: 'Lyon' },
    manager: { employeeID: grace.employeeID },
  });
  const joan = await site.service.get(`/service/users?employeeID=${ada.employeeID}J`);
  expect(joan.json.data.items).toMatchObject([
    { attributes: { site: 'Berlin' }, manager: { name: 'Eve Moneypenny' } },
  ]);

  await site.visit(page, '/users?columns=name,attributes.hoursPerWeek');
  const listed = (name: string) => page.getByRole('row').filter({ hasText: name });
  await listed('Grace Hopper').waitFor();
  await page.getByRole('button', { name: 'Add filter' }).click();
  const filter = page.getByRole('dialog', { name: 'Add filter' });
  await filter.getByRole('button', { name: 'Hours per week' }).click();
  await filter.getByLabel('From').fill('30');
  const list = page.waitForRequest(/service\/users\?.*attributes\.hoursPerWeek\.from=30/);
  await filter.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('button', { name: 'Hours per week from 30', exact: true }).waitFor();
  await list;
  await listed('Grace Hopper').waitFor({ state: 'detached' });
  await listed('Ada Lovelace').waitFor();
  expect(await listed('Joan Clarke').count()).toBe(0);
});

test('managers are chosen by name, shown in a chart, and replaced when they leave', async () => {
  const { service } = site;
  const top = await service.givenUser({ name: 'Top' });
  const second = await service.givenUser({ name: 'Second', managerEmployeeID: top.employeeID });
  const third = await service.givenUser({ name: 'Third', managerEmployeeID: second.employeeID });
  const mary = await service.givenUser({ name: 'Mary Jackson', managerEmployeeID: third.employeeID });
  const dorothy = await service.givenUser({ name: 'Dorothy Vaughan', managerEmployeeID: mary.employeeID });
  const team = ['Annie Easley', 'Christine Darden', 'Kathryn Peddrew'];
  for (const name of team) await service.givenUser({ name, managerEmployeeID: dorothy.employeeID });
  const katherine = await service.givenUser({ name: 'Katherine Johnson' });
  const page = await site.signedIn('administrator', `/users/${katherine.serial}`);
  const details = page.getByRole('region', { name: 'Details' });
  await details.getByLabel('Manager').fill('vaughan');
  await page.getByRole('option', { name: 'Dorothy Vaughan' }).click();
  await details.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Katherine Johnson saved.').waitFor();
  await page.getByText('Reports to Dorothy Vaughan').waitFor();
  await page.getByRole('link', { name: 'History' }).click();
  await page.getByText('Manager: from (empty) → to Dorothy Vaughan').waitFor();
  await page.getByRole('link', { name: 'Organization chart' }).click();
  const above = page.getByRole('list', { name: 'Managers, from the top' });
  await above.getByRole('link', { name: 'Mary Jackson' }).waitFor();
  await expect
    .poll(() => above.getByRole('link').allTextContents())
    .toEqual([
      expect.stringContaining('Second'),
      expect.stringContaining('Third'),
      expect.stringContaining('Mary Jackson'),
      expect.stringContaining('Dorothy Vaughan'),
      expect.stringContaining('Katherine Johnson'),
    ]);
  await page.getByRole('button', { name: '… 1 more above' }).click();
  await above.getByRole('link', { name: 'Top' }).waitFor();
  await above.getByRole('link', { name: 'Dorothy Vaughan' }).click();
  await page.getByRole('list', { name: '4 reports' }).getByRole('link').nth(3).waitFor();

  await site.visit(page, `/users/${top.serial}?tab=chart`);
  const unfold = (name: string) => page.getByRole('button', { name });
  for (const name of ['Second', 'Third', 'Mary Jackson']) await unfold(`${name}: 1 report`).click();
  await unfold('Dorothy Vaughan: 4 reports').press('Enter');
  const dorothysTeam = page.getByRole('list', { name: 'Dorothy Vaughan: 4 reports' });
  await expect.poll(() => dorothysTeam.getByRole('link').count()).toBe(4);
  await site.expectAccessiblePage(page, 'organization-chart');
  await unfold('Second: 1 report').click();
  await dorothysTeam.waitFor({ state: 'detached' });

  const left = { employeeID: dorothy.employeeID, name: dorothy.name, isActive: false };
  await service.updateBulk([left]);
  await site.visit(page, '/');
  await page.getByRole('link', { name: /People without an active manager.*4/ }).click();
  await page.getByRole('button', { name: 'Manager inactive or removed', exact: true }).waitFor();
  await page.getByRole('checkbox', { name: 'Select all users in this list' }).click();
  await page.getByRole('button', { name: 'More actions', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Set manager…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set the manager' });
  await dialog.getByLabel('Manager').fill(mary.employeeID);
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByText('4 users will change').waitFor();
  await site.expectAccessible(page, 'set-manager-preview');

  await erased(service, dorothy.serial);
  await site.visit(page, `/users/${katherine.serial}`);
  await page.reload();
  await expect.poll(() => details.getByLabel('Manager').inputValue()).toBe('Removed user');
  await details.getByLabel('Manager').fill('');
  await details.getByText('Was: Removed user').waitFor();
  await details.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Katherine Johnson saved.').waitFor();
  await page.getByText('Reports to').waitFor({ state: 'detached' });
});
