import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useSite } from '../support/browser.js';
import { givenEntry, readEntry } from '../support/directories.js';
import { newId } from '../support/service.js';

const site = useSite();

async function givenFile(page: Page, name: string, buffer: Buffer): Promise<void> {
  await page.getByLabel('Choose file').setInputFiles({ name, mimeType: '', buffer });
  await page.getByRole('heading', { name: 'Match columns' }).waitFor();
}

const next = (page: Page) => page.getByRole('button', { name: 'Next' }).click();
const meaningOf = (page: Page, name: string) => page.getByLabel(`Meaning of "${name}"`);

test('what the console exports by name or by ID, an import finds unchanged', {
  tags: 'release',
}, async () => {
  const id = newId('Roundtrip');
  const [sales, twin, other, aid] = [newId('O'), newId('O'), newId('O'), newId('T')];
  await givenEntry(site.service, 'organizations', sales, { displayName: `Sales, ${id}` });
  await givenEntry(site.service, 'organizations', twin, { displayName: `Twin ${id}` });
  await givenEntry(site.service, 'organizations', other, { displayName: `twin  ${id}` });
  await givenEntry(site.service, 'tags', aid, { displayName: `First aid, ${id}` });
  for (const fields of [
    { organizationSerial: sales, tagSerials: [aid, newId('Plain')], phone: '+49 40 1' },
    { organizationSerial: twin, tagSerials: [], isActive: false },
    { organizationSerial: other, tagSerials: [aid] },
  ]) {
    await site.service.givenUser({ name: `${id} ${newId()}`, ...fields });
  }
  const listed = `/users?search=${id}&columns=name,employeeID,isActive,email,phone,organizationSerial,tagSerials`;
  for (const [format, isByName] of [
    ['Excel', true],
    ['CSV', false],
  ] as const) {
    const page = await site.signedIn('administrator', listed);
    await page.getByText('3 users').first().waitFor();
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Export users' });
    await dialog.getByRole('radio', { name: format }).check();
    await dialog.getByLabel('Write organizations and tags by name').setChecked(isByName);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Export' }).click(),
    ]);
    await site.visit(page, '/import');
    await givenFile(page, download.suggestedFilename(), readFileSync(await download.path()));
    await next(page);
    await page.getByRole('button', { name: '3 Unchanged' }).waitFor();
    await page.getByRole('button', { name: 'Nothing to change' }).waitFor();
  }
});

test('names that are unknown or ambiguous are decided about, summed up, remembered and undone', async () => {
  const id = newId('Reorg');
  const [sales, one, two] = [newId('S'), newId('S'), newId('S')];
  await givenEntry(site.service, 'organizations', sales, { displayName: `Vertrieb Nord ${id}` });
  await givenEntry(site.service, 'organizations', one, { displayName: `Lager ${id}` });
  await givenEntry(site.service, 'organizations', two, { displayName: `Lager ${id}` });
  const users = [];
  for (let at = 0; at < 5; at++) users.push(await site.service.givenUser({ name: `Ada ${at} ${id}` }));
  const organizations = [`Vertreib Nord ${id}`, `Lager ${id}`, `Neu ${id}`, `NEU  ${id}`, `k. A. ${id}`];
  const rows = users.map(({ employeeID }, at) => `${employeeID};${organizations[at]};Ersthelfer ${id};x`);
  const file = Buffer.from(['Personalnummer;Abteilung;Schlagworte;Bemerkung', ...rows].join('\r\n'));

  const page = await site.signedIn('operator', '/import');
  await givenFile(page, 'reorg.csv', file);
  await page.getByText('Columns without a field can become attributes').waitFor();
  expect(await page.getByRole('button', { name: /^Add as attribute/ }).count()).toBe(0);
  await next(page);
  await page.getByRole('heading', { name: 'Match names' }).waitFor();
  await page.getByText('5 names left to match.').waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);
  await meaningOf(page, organizations[0] ?? '').selectOption(`Use Vertrieb Nord ${id} (${sales})`);
  await meaningOf(page, organizations[1] ?? '').selectOption('Use another one…');
  await page.getByRole('combobox', { name: 'Existing organization' }).fill(`Lager ${id}`);
  await page.getByRole('option', { name: `Lager ${id} ${two}` }).click();
  await site.expectAccessiblePage(page, 'import-3-names');
  await page.getByRole('button', { name: 'Create all 2' }).click();
  await meaningOf(page, organizations[4] ?? '').selectOption('Leave out');
  await meaningOf(page, `Ersthelfer ${id}`).selectOption('Create a new tag');
  await page.getByText('All names are matched.').waitFor();
  await next(page);

  const summary = page.getByRole('list', { name: 'What changes' });
  const expected = [
    `Organization: 4 users, 1 new organization (Neu ${id})`,
    `Tags: 5 users, 1 new tag (Ersthelfer ${id})`,
  ];
  await expect.poll(() => summary.getByRole('listitem').allInnerTexts()).toEqual(expected);
  await page.getByRole('button', { name: 'Import 5 users…' }).click();
  const dialog = page.getByRole('dialog');
  await expect
    .poll(() => dialog.getByRole('list', { name: 'What changes' }).getByRole('listitem').allInnerTexts())
    .toEqual(expected);
  await site.expectAccessible(page, 'import-4-confirm-fields');
  await page.getByRole('button', { name: 'Start import' }).click();
  await page.getByRole('heading', { name: 'Result' }).waitFor();
  const stored = await Promise.all(users.map(({ serial }) => site.service.readUser(serial)));
  expect(stored.map(({ organizationSerial }) => organizationSerial)).toEqual([
    sales,
    two,
    `Neu ${id}`,
    `Neu ${id}`,
    null,
  ]);

  // What only the import brought disappears with it.
  await page.getByRole('button', { name: 'Undo this import' }).click();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await page.getByText('5 users restored').waitFor();
  expect(await readEntry(site.service, 'organizations', `Neu ${id}`)).toBe(404);

  // The next file, of somebody else: only what was created is unknown again.
  const later = await site.signedIn('administrator', '/import');
  await givenFile(later, 'reorg.csv', file);
  await next(later);
  await later.getByText('2 names left to match.').waitFor();
  await expect
    .poll(() =>
      meaningOf(later, organizations[1] ?? '')
        .locator('option:checked')
        .innerText(),
    )
    .toBe(`Lager ${id} (${two}), as chosen before`);
});
