import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { expectToFit, useOwnSite } from '../support/browser.js';
import { callIdOf, readCall } from '../support/calls.js';
import { eager, runNow } from '../support/planned-calls.js';
import { anItem, newId } from '../support/service.js';

const site = useOwnSite({
  ...eager,
  ROLLCALL_SAFETY_LIMIT_PERCENT: '20',
  ROLLCALL_SAFETY_APPROVAL: 'required',
});

/** A call that awaits approval, with an item that will fail. */
async function givenPlannedCall(query: string) {
  const user = await site.service.givenUser({ name: 'Ada Lovelace' });
  const items = [anItem(user, { name: 'Ada King' }), anItem({ employeeID: newId('Nobody'), name: 'Nobody' })];
  const reply = await site.service.updateBulk(items, query);
  return { id: callIdOf(reply), user };
}

test('approves a planned call, shows what became of its items, and downloads the failures', async () => {
  const page = await site.signedIn('administrator', '/activity/calls');
  await page.getByText('No bulk changes yet').waitFor();
  const { id, user } = await givenPlannedCall('?approval=required');
  const counted = page.getByRole('link', { name: 'Activity 1 change awaits your approval.' });
  await counted.waitFor();
  await page.getByRole('main').getByText('1 change awaits your approval.').waitFor();
  await page.getByRole('button', { name: 'View' }).click();
  await page.getByRole('table').getByRole('link', { name: 'Change 2 users' }).first().click();

  await page.getByText('This change awaits approval. Nothing has changed yet.').waitFor();
  const preview = page.getByRole('table', { name: 'What this change will do' });
  await preview.getByText('Ada King').first().waitFor();
  await preview.getByText('Will fail', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Reject…' }).waitFor();
  await site.expectAccessiblePage(page, 'planned-call');
  await page.getByRole('button', { name: 'Approve…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Approve this change?' });
  await dialog.getByText('It runs now, as shown in the preview.').waitFor();
  await dialog.getByText('Changes data of 1 user.').waitFor();
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('Change approved.').waitFor();
  await counted.waitFor({ state: 'detached' });

  const items = page.getByRole('table', { name: 'Rows of this change and their outcomes' });
  await items.getByText(/No user has the employee ID/i).waitFor();
  await page.getByText('1 changed. 1 row failed.').waitFor();
  expect(await service().readUser(user.serial)).toMatchObject({ name: 'Ada King' });
  await site.expectAccessible(page, 'planned-done');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download failures' }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toBe(`failures-${id}.csv`);
  const lines = readFileSync(await file.path(), 'utf8')
    .trimEnd()
    .split('\r\n');
  expect(lines[0]).toBe('\uFEFFPosition,Employee ID,Error,Reason');
  expect(lines[1]).toMatch(/^2,Nobody\w+,USER_NOT_FOUND,/);
});

test('cancels a planned call on a phone, and does not offer its author to approve it', {
  tags: 'release',
}, async () => {
  const { id } = await givenPlannedCall('?approval=required&effectiveAt=2099-12-31');
  const page = await site.signedIn('operator', `/activity/calls/${id}`, { width: 360, height: 740 });
  await page.getByText(/This change awaits approval, and runs on 31 Dec 2099/).waitFor();
  await page.getByText('Advanced', { exact: true }).click();
  await page.getByRole('button', { name: 'Take over…' }).click();
  const takeOver = page.getByRole('dialog', { name: 'Take over this change?' });
  await takeOver.getByText('After that, someone else has to approve it.').waitFor();
  await takeOver.getByRole('button', { name: 'Take over' }).click();
  await page
    .getByText('You scheduled or took over this change, so someone else has to approve it.')
    .waitFor();
  expect(await page.getByRole('button', { name: 'Approve…' }).count()).toBe(0);
  await expectToFit(page);

  await page.getByRole('button', { name: 'Cancel change…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cancel this change?' });
  await dialog.getByRole('button', { name: 'Cancel change' }).click();
  await page.getByText('This change was cancelled. It has changed nothing.').waitFor();
  expect(await readCall(service(), id)).toMatchObject({ state: 'cancelled' });
});

test('deactivates a user on a date, and shows it until it is cancelled', { tags: 'release' }, async () => {
  // Enough others that one user is within the safety limit.
  await Promise.all(Array.from({ length: 6 }, () => service().givenUser()));
  const user = await service().givenUser({ name: 'Grace Hopper' });
  const page = await site.signedIn('operator', `/users/${user.serial}`);
  await page.getByRole('button', { name: 'Deactivate' }).click();
  const dialog = page.getByRole('dialog', { name: 'Deactivate Grace Hopper?' });
  await dialog.getByRole('radio', { name: 'After the last working day' }).check();
  const confirm = dialog.getByRole('button', { name: 'Plan deactivation' });
  await expect.poll(() => confirm.isDisabled()).toBe(true);
  await dialog.getByLabel('Last working day', { exact: true }).fill('2099-12-30');
  await dialog.getByText('Inactive from 31 December 2099, 00:00 (UTC).').waitFor();
  await site.expectAccessible(page, 'user-deactivate-later');
  await confirm.click();
  await page.getByText('Grace Hopper: Last working day 30 Dec 2099, inactive from 31 Dec 2099.').waitFor();
  const upcoming = page.getByRole('region', { name: 'Upcoming changes' });
  await upcoming.getByText('Last working day 30 Dec 2099, inactive from 31 Dec 2099.').waitFor();
  await site.expectAccessiblePage(page, 'user-upcoming');
  expect(await service().readUser(user.serial)).toMatchObject({ isActive: true });

  await upcoming.getByRole('link', { name: 'View the scheduled change' }).click();
  await page.getByText(/Last working day 30 Dec 2099, inactive from 31 Dec 2099. Nothing/).waitFor();
  await page.getByRole('button', { name: 'Cancel change…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel change' }).click();
  await page.getByText('This change was cancelled. It has changed nothing.').waitFor();
  await site.visit(page, `/users/${user.serial}`);
  await page.getByRole('heading', { level: 1, name: 'Grace Hopper' }).waitFor();
  await upcoming.waitFor({ state: 'detached' });
});

test('a file beyond the safety limit awaits approval instead of being reported as done', {
  tags: 'release',
}, async () => {
  const users = await Promise.all(Array.from({ length: 6 }, () => service().givenUser()));
  const page = await site.signedIn('operator', '/import');
  const rows = users.map(({ employeeID, name }) => `${employeeID},${name},no`);
  await page.getByLabel('Choose file').setInputFiles({
    name: 'leavers.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['Employee ID,Name,Active', ...rows].join('\n')),
  });
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: /^Import 6 users/ }).click();
  await page.getByRole('button', { name: 'Start import' }).click();
  await page.getByText(/6 rows exceed the safety limit, so someone else has to approve them/).waitFor();
  await page.getByText('Planned', { exact: true }).first().waitFor();
  await site.expectAccessible(page, 'import-awaits-approval');
  expect(await service().readUser(String(users[0]?.serial))).toMatchObject({ isActive: true });
  await page.getByRole('link', { name: 'View in Activity' }).click();
  await page.getByText('This change awaits approval. Nothing has changed yet.').waitFor();
});

test('a file waits for approval and for its date, and then does what its check showed', {
  tags: 'release',
}, async () => {
  const user = await service().givenUser({ name: 'Ada Lovelace' });
  const page = await site.signedIn('operator', '/import');
  const buffer = Buffer.from(`Employee ID,Name\n${user.employeeID},Ada King`);
  await page.getByLabel('Choose file').setInputFiles({ name: 'names.csv', mimeType: 'text/csv', buffer });
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('radio', { name: 'Ask for approval' }).check();
  await page.getByLabel('Not before (optional)').fill('2099-12-31');
  await page.getByRole('button', { name: /^Ask for approval of 1 user/ }).click();
  await page.getByText(/once someone else has approved it, but not before 31 December 2099/).waitFor();
  await page.getByRole('button', { name: 'Request approval' }).click();
  await page.getByText('Awaiting approval, then on 31 Dec 2099').waitFor();
  await page.getByRole('link', { name: 'View the scheduled change' }).click();
  await page.getByRole('heading', { name: 'Import of names.csv, 31 Dec 2099' }).waitFor();
  await page.getByText(/someone else has to approve it/).waitFor();
  const path = new URL(page.url()).pathname;

  const approver = await site.signedIn('administrator', path);
  await approver.getByText('asks you to approve this change.').waitFor();
  await approver.getByText(/If nobody decides by .*, it expires, and nothing changes/).waitFor();
  await approver.getByRole('button', { name: 'Approve…' }).click();
  await approver.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await approver.getByText(/This change runs on 31 Dec 2099/).waitFor();
  expect(await service().readUser(user.serial)).toMatchObject({ name: 'Ada Lovelace' });
  await runNow(service(), path.split('/').at(-1) ?? '');
  expect(await service().readUser(user.serial)).toMatchObject({ name: 'Ada King' });
});

function service() {
  return site.service;
}

test('whoever approves a call sees its filter, the organizations, and some users before and after', async () => {
  const tag = newId('T');
  await service().request('PUT', '/service/organizations/LOG', {
    body: { displayName: 'Hamburg – Logistics' },
  });
  const [ada] = await Promise.all([
    service().givenUser({ name: 'Ada Lovelace', organizationSerial: 'LOG', tagSerials: [tag] }),
    service().givenUser({ name: 'Grace Hopper', tagSerials: [tag] }),
  ]);
  const body = { filter: { isActive: true, tagSerial: [tag] }, patch: { isActive: false } };
  const planned = await service().post('/service/users/update-matching?approval=required', body);
  const page = await site.signedIn('administrator', `/activity/calls/${callIdOf(planned)}`);
  const scope = page.getByRole('region', { name: 'Who it is about' });
  await scope.getByText('Active', { exact: true }).waitFor();
  await scope.getByText(`Tag is ${tag}`).waitFor();
  await scope.getByText('Hamburg – Logistics: 1 user').waitFor();
  await scope.getByText('No organization: 1 user').waitFor();
  await site.expectAccessiblePage(page, 'planned-scope');
  await page.getByRole('button', { name: 'Approve…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Approve this change?' });
  await dialog.getByText('Ada Lovelace').waitFor();
  await dialog.getByText(ada.employeeID).waitFor();
  await page.setViewportSize({ width: 390, height: 800 });
  await expectToFit(page);
  await site.expectAccessible(page, 'planned-approve');
});
