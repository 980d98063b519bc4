import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { expectToFit, useOwnSite } from '../support/browser.js';
import { patchUser } from '../support/deliveries.js';
import { csvOf, eagerFeeds, givenFeed, mappingOf } from '../support/feeds.js';
import { anItem, newId } from '../support/service.js';

const site = useOwnSite(eagerFeeds);

const first = ['Ada', 'Grace', 'Alan', 'Mary', 'Edsger', 'Barbara', 'Linus', 'Radia'];
const last = ['Lovelace', 'Hopper', 'Turing', 'Jackson', 'Dijkstra', 'Liskov', 'Perlman'];

/** A file of a nightly sync: a few join, move, leave and change every night, and some rows fail. */
function nightlyFile(ids: readonly string[], night: number): string {
  return csvOf(
    ids.slice(night * 7).map((employeeID, index) => ({
      ...{ employeeID, name: `${first[index % 8]} ${last[index % 7]}`, phone: `+49 40 ${1000 + index}` },
      email: index % 60 === 59 ? 'no address' : `${employeeID}@example.com`,
      organizationSerial: (index + night) % 20 === 0 ? 'ORG-SALES' : 'ORG-LOG',
      isActive: 'true',
    })),
  );
}

async function givenNights() {
  const { service } = site;
  for (const [serial, displayName] of [
    ['ORG-LOG', 'Hamburg – Logistics'],
    ['ORG-SALES', 'Berlin – Sales'],
  ]) {
    await service.request('PUT', `/service/organizations/${serial}`, { body: { displayName } });
  }
  const fields = ['employeeID', 'name', 'email', 'phone', 'isActive', 'organizationSerial'];
  const feed = await givenFeed(service, {
    ...{ name: 'Nightly sync', rules: { deactivateMissing: true }, mapping: mappingOf(fields) },
  });
  const ids = Array.from({ length: 240 }, () => newId('E'));
  for (const night of [0, 1, 2]) {
    await feed.synced(nightlyFile(ids.slice(0, 220 + night * 10), night));
  }
}

test('tells what syncs, bulk changes and people did, live, filtered and as a file', async () => {
  const { service } = site;
  await givenNights();
  const ada = await service.givenUser({ name: 'Ada Live' });
  await service.post('/service/users/update-bulk?source=phones.xlsx', {
    items: [anItem(ada, { phone: '777' }), anItem({ employeeID: newId(), name: 'Nobody' })],
  });
  await patchUser(service, ada.serial, { name: 'Ada Renamed' });
  const renamed = { displayName: 'Berlin – Sales EMEA' };
  await service.request('PUT', '/service/organizations/ORG-SALES', { body: renamed });
  const page = await site.signedIn('administrator', '/activity');
  await expect.poll(() => page.title()).toBe('What happened · Activity · Rollcall');
  const story = page.getByRole('region', { name: 'What happened, newest first' });
  await story.getByRole('link', { name: 'Ada Renamed' }).first().waitFor();
  const phones = story
    .getByRole('listitem')
    .filter({ hasText: 'Import of phones.xlsx: 1 changed, 1 failed' });
  await phones.getByRole('button', { name: /^Show people/ }).click();
  await phones
    .getByRole('list', { name: 'Rows that failed' })
    .getByText(/No user has/)
    .waitFor();
  const nights = story
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: 'Nightly sync' }) });
  await expect.poll(() => nights.count()).toBe(3);
  await story.getByText('2 organizations added').waitFor();
  const named = story.getByRole('listitem').filter({ hasText: 'Organization Berlin – Sales EMEA changed' });
  expect(await named.first().innerText()).toMatch(/Name:.*Berlin – Sales.*→.*Berlin – Sales EMEA/s);
  expect(await nights.first().innerText()).toMatch(/10 new, 213 changed and 7 deactivated, 3 failed/);
  await site.expectAccessiblePage(page, 'activity-story');

  await nights
    .first()
    .getByRole('button', { name: /people.* of "Nightly sync"/i })
    .click();
  await nights.first().getByRole('link', { name: 'View the rows that failed' }).waitFor();
  const people = nights.first().getByRole('list', { name: 'People who were changed' });
  await expect.poll(() => people.getByRole('listitem').count()).toBeGreaterThan(20);
  await site.expectAccessiblePage(page, 'activity-story-open');
  await nights
    .first()
    .getByRole('button', { name: /people.* of "Nightly sync"/i })
    .click();

  const before = await story.getByRole('listitem').count();
  await patchUser(service, ada.serial, { name: 'Ada Changed' });
  await page.getByRole('button', { name: '1 new change' }).waitFor();
  await expect.poll(() => story.getByRole('listitem').count()).toBe(before);
  await patchUser(service, ada.serial, { phone: '12345' });
  await page.getByRole('button', { name: '2 new changes' }).click();
  await story.getByText('12345').waitFor();
  await page.getByLabel('Show employee IDs').check({ force: true });
  await story.getByText(ada.employeeID).first().waitFor();

  await page.getByRole('combobox', { name: 'Field' }).click();
  await page.getByRole('option', { name: 'Name', exact: true }).click();
  await expect.poll(() => story.getByText('Ada Changed').count()).toBeGreaterThan(0);
  await page.getByRole('combobox', { name: 'Organization' }).pressSequentially('berlin');
  await page.getByRole('option', { name: /Berlin/ }).click();
  await expect.poll(() => story.getByText('Ada Changed').count()).toBe(0);
  await nights.first().waitFor();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  const file = readFileSync(await (await downloading).path(), 'utf8');
  expect(file).toMatch(/^\ufeff"?Time"?,"?Bulk change/);
  expect(file).toMatch(/Nightly sync.*Name/);

  await page.getByRole('link', { name: 'Bulk changes' }).click();
  await page.getByRole('combobox', { name: 'State' }).waitFor();
  await site.visit(page, '/changes?kind=created&from=2001-01-01&until=2001-01-31');
  await expect.poll(() => page.url()).toContain('/activity/story?kind=created&from=2001-01-01');
  await expect.poll(() => page.getByLabel('To', { exact: true }).inputValue()).toBe('2001-01-31T23:59');
  await page.getByText('No matches').waitFor();

  const operator = await site.signedIn('operator', '/activity/story', { width: 390, height: 800 });
  await nights.first().waitFor();
  expect(await story.getByText('Ada Renamed').count(), 'single changes').toBe(0);
  expect(await operator.getByRole('combobox', { name: 'Field' }).count()).toBe(0);
  await nights
    .first()
    .getByRole('button', { name: /^Show people/ })
    .click();
  await people.getByRole('link').first().waitFor();
  await expectToFit(operator);
});

test('a page follows what happens to its users', { tags: 'release' }, async () => {
  const { service } = site;
  const ada = await service.givenUser({ name: 'Ada Followed' });
  const page = await site.signedIn('administrator', `/users/${ada.serial}`);
  await page.getByRole('heading', { level: 1, name: 'Ada Followed' }).waitFor();
  await patchUser(service, ada.serial, { name: 'Ada Renamed' });
  await page.getByRole('heading', { level: 1, name: 'Ada Renamed' }).waitFor();
  await page.getByRole('link', { name: 'Users', exact: true }).click();
  await page.getByRole('searchbox').fill('Ada Later');
  await page.getByText('No users match').first().waitFor();
  await service.givenUser({ name: 'Ada Later' });
  await page.getByRole('link', { name: 'Ada Later' }).waitFor();
});
