import { employees } from './company.mjs';

/** The name of each picture, and how to get there. They are taken in this order, by one user in one tab. */
export function pagesOf({ subject, hired }) {
  const heading = (page) => page.getByRole('heading', { level: 1 }).first().waitFor();
  const at = (path) => async (page) => {
    await page.goto(path);
    await heading(page);
  };
  return [
    ['sign-in', (page) => page.goto('/')],
    [
      'home',
      async (page, { username, password }) => {
        await page.getByLabel('Username').fill(username);
        await page.getByLabel('Password', { exact: true }).fill(password);
        await page.getByRole('button', { name: 'Sign in' }).click();
        await page.getByRole('heading', { name: 'Users over time' }).waitFor();
        await page.getByRole('button', { name: 'Hide' }).click(); // the first steps, which are gone later
      },
    ],
    ['users', at('/users?columns=name,employeeID,isActive,organizationSerial,tagSerials,email')],
    [
      'users-selection',
      async (page) => {
        await page.goto(
          '/users?organization=MF-KRK&columns=name,employeeID,isActive,organizationSerial,tagSerials',
        );
        for (const row of [1, 2, 4]) await page.getByRole('row').nth(row).getByRole('checkbox').click();
      },
    ],
    ['user', at(`/users/${subject}`)],
    ['user-history', at(`/users/${subject}?tab=history`)],
    ['create-user', at('/users/new')],
    ['import-file', at('/import')],
    [
      'import-columns',
      async (page) => {
        await page
          .getByLabel('Choose file')
          .setInputFiles({ name: 'staff-november.csv', mimeType: 'text/csv', buffer: staffFile(hired) });
        await page.getByRole('heading', { name: 'Match columns' }).waitFor();
      },
    ],
    [
      'import-check',
      async (page) => {
        await page.getByRole('button', { name: 'Next' }).click();
        await page.getByText('All rows checked').waitFor();
      },
    ],
    [
      'import-result',
      async (page) => {
        await page.getByRole('button', { name: /^Import \d+ users/ }).click();
        await page.getByRole('button', { name: 'Start import' }).click();
        await page.getByRole('heading', { name: 'Result' }).waitFor();
        await page.getByRole('button', { name: /All$/ }).click();
      },
    ],
    ['feeds', at('/feeds')],
    [
      'feed',
      async (page) => {
        await page.goto('/feeds/workday');
        await page.getByRole('heading', { name: 'What is usual' }).waitFor();
      },
    ],
    [
      'feed-run',
      async (page) => {
        await page
          .getByRole('table')
          .getByRole('link', { name: /20\d\d/ })
          .nth(1)
          .click();
        await page.getByRole('table', { name: 'Rows of this run' }).waitFor();
      },
    ],
    ['activity', at('/activity/story')],
    ['calls', at('/activity/calls')],
    [
      'call',
      async (page) => {
        await page.goto('/activity/calls?kind=update-bulk');
        await page
          .getByRole('table')
          .getByRole('link', { name: /20\d\d/ })
          .nth(1)
          .click();
        await page.getByRole('table').first().waitFor();
      },
    ],
    ['sign-ins', at('/activity/sign-ins')],
    ['messages', at('/activity/deliveries?state=parked')],
    ['organizations', at('/organizations')],
    ['tags', at('/tags')],
    ['clients', at('/settings/clients')],
    ['webhooks', at('/settings/webhooks')],
    ['account', at('/account')],
    ['sessions', at('/activity/sessions')],
    ['status', at('/system/status')],
    ['limits', at('/system/limits')],
    [
      'search',
      async (page) => {
        await page.goto('/');
        await page.getByRole('heading', { name: 'Users over time' }).waitFor();
        await page.keyboard.press('Control+k');
        await page.getByRole('dialog').getByRole('option').first().waitFor();
        await page.keyboard.type('elif');
        await page.getByRole('option', { name: /^Elif/ }).first().waitFor();
      },
    ],
  ];
}

/** What HR sends once a month: joiners, movers, leavers, a new employee ID and two mistakes. */
function staffFile(hired) {
  const heads = 'Staff no.;New staff no.;First name;Last name;E-mail;Department;Active';
  const lines = hired.slice(120, 150).map(({ employeeID, name, email, organizationSerial }, at) => {
    const [first, ...last] = name.split(' ');
    const moved = at % 5 === 1 ? 'MF-EMEA' : organizationSerial;
    const renamed = at === 3 ? `2${employeeID.slice(1)}` : '';
    const status = at === 6 ? 'no' : at === 9 ? 'maybe' : 'yes';
    return [employeeID, renamed, first, last.join(' '), email, moved, status].join(';');
  });
  const joiners = employees(440)
    .slice(432)
    .map(({ employeeID, name, email, organizationSerial }, at) => {
      const [first, ...last] = name.split(' ');
      return [employeeID, '', first, last.join(' '), at === 2 ? '' : email, organizationSerial, 'yes'].join(
        ';',
      );
    });
  const rows = [...lines.slice(0, 4), ...joiners.slice(0, 3), ...lines.slice(4), ...joiners.slice(3)];
  return Buffer.from([heads, ...rows].join('\r\n'));
}
