import { employees, organizations, tags } from './company.mjs';
import { createFeeds, runNight, runTruncated } from './feeds.mjs';

const initialPassword = 'Sent by mail 27';
export const password = 'A long tram ride 27';
const dayMs = 86_400_000;

/** A month in the life of a company, with the service and its API. */
export async function makeHistory(service, request) {
  const users = employees(420);
  for (const [serial, displayName, parentSerial] of organizations) {
    await request('PUT', `/service/organizations/${serial}`, { displayName, parentSerial });
  }
  for (const [serial, displayName] of tags) await request('PUT', `/service/tags/${serial}`, { displayName });

  const asExport = { token: await clientToken(service, request) };
  const onDay = (daysAgo, work) => movedBack(service, daysAgo, work);
  const hired = users.slice(0, 360);
  const signingIn = [hired[3], hired[11]];
  const others = hired.filter((one) => !signingIn.includes(one));
  await onDay(40, async () => {
    // Whoever gets a role needs a password that only an administrator has set.
    const items = signingIn.map((one) => ({ ...one, password: initialPassword }));
    await request('POST', '/service/users/create-bulk', { items });
    await request('POST', '/service/users/create-bulk?source=hr-export.xlsx', { items: others }, asExport);
  });
  const administrator = await employ(request, hired[3], 'administrator');
  const operator = await employ(request, hired[11], 'operator');
  const asOperator = { token: await tokenOf(request, hired[11].username, password) };

  await onDay(30, () => createFeeds(request));
  for (let day = 29; day >= 0; day--) {
    if (day % 7 === 2 || day % 7 === 3) continue; // a weekend
    const joining = users.slice(360 + Math.floor((29 - day) * 1.8), 360 + Math.floor((30 - day) * 1.8));
    const moving = hired.filter((_, at) => at % 29 === day).slice(0, 3 + (day % 9));
    const leaving = day % 3 === 0 ? hired.filter((_, at) => at % 61 === day + 12).slice(0, 2) : [];
    const items = [
      ...joining,
      ...moving.map(({ employeeID, name }, at) => ({
        ...{ employeeID, name, isActive: true },
        organizationSerial: organizations[2 + ((day + at) % 4)][0],
        phone: `+33 4 55 ${10 + day} ${20 + at} 00`,
      })),
      ...leaving.map(({ employeeID }) => ({ employeeID, isActive: false })),
    ];
    await onDay(day, async () => {
      const call = '/service/users/upsert-bulk?source=hr-export.xlsx&note=Nightly';
      await request('POST', call, { items }, asExport);
      if (day > 0) await runNight(request, service, asOperator.token, day);
    });
  }
  await onDay(6, async () => {
    const items = hired
      .slice(40, 52)
      .map(({ employeeID, name }) => ({ employeeID, name, isActive: true, tagSerials: ['FIRST-AID'] }));
    const nobody = { employeeID: '999001', name: 'Nobody', isActive: true };
    await request(
      'POST',
      '/service/users/update-bulk?source=first-aid-course.csv',
      { items: [...items, nobody] },
      asOperator,
    );
  });
  const subject = hired[52];
  const [{ serial }] = (await request('GET', `/service/users?employeeID=${subject.employeeID}`)).items;
  const patch = (daysAgo, body, options) =>
    onDay(daysAgo, () => request('PATCH', `/service/users/${serial}`, body, options));
  await patch(21, { phone: '+48 12 555 0147' });
  await patch(12, { organizationSerial: 'MF-KRK', tagSerials: ['FIRST-AID', 'NIGHT'] }, asOperator);
  await patch(2, { employeeID: '204417' }, asOperator);
  await request(
    ...['POST', '/service/users/update-bulk?approval=required&effectiveAt=2099-12-31&note=End+of+contracts'],
    { items: hired.slice(70, 76).map(({ employeeID, name }) => ({ employeeID, name, isActive: false })) },
    asOperator,
  );
  await runTruncated(request, service, asOperator.token);
  await signIns(request, hired);
  await messages(service);
  await settings(request, service);
  await messagesSent(request);
  await service.context.database.pool.query('UPDATE index_state SET counts_position = -1');
  return { administrator, operator, subject: serial, users, hired };
}

/** Does something and dates it back. */
async function movedBack({ context }, daysAgo, work) {
  const { pool } = context.database;
  const since = new Date(Date.now() - 1);
  await work();
  if (daysAgo === 0) return;
  const back = `interval '${daysAgo * dayMs} milliseconds'`;
  for (const [table, columns, when] of [
    ['feeds', ['created_at'], 'created_at'],
    ['feed_versions', ['created_at'], 'created_at'],
    ['feed_runs', ['created_at', 'started_at', 'finished_at', 'approved_at'], 'created_at'],
    ['changes', ['at'], 'at'],
    ['calls', ['started_at', 'finished_at'], 'started_at'],
    ['users', ['created_at'], 'created_at'],
    ['users', ['updated_at'], 'updated_at'],
    ['former_names', ['held_until'], 'held_until'],
  ]) {
    const moved = columns.map((column) => `${column} = ${column} - ${back}`).join(', ');
    await pool.query(`UPDATE ${table} SET ${moved} WHERE ${when} >= $1`, [since]);
  }
}

/** Gives someone a role and a password of their own. */
async function employ(request, { employeeID, username, name }, role) {
  const [{ serial }] = (await request('GET', `/service/users?employeeID=${employeeID}`)).items;
  await request('PUT', `/service/users/${serial}/role`, { role });
  const token = await tokenOf(request, username, initialPassword);
  const passwords = { currentPassword: initialPassword, newPassword: password };
  await request('POST', '/service/auth/change-password', passwords, { token });
  return { serial, username, name };
}

/** A token of the program that sends users every night. */
async function clientToken({ url }, request) {
  const client = await request('POST', '/service/clients', {
    ...{ name: 'HR export', scopes: ['users:read', 'users:write'] },
  });
  const response = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      ...{ grant_type: 'client_credentials', client_id: client.id, client_secret: client.secret },
    }),
  });
  return (await response.json()).access_token;
}

async function tokenOf(request, username, typed) {
  const credentials = { username, password: typed };
  return (await request('POST', '/service/auth/sign-in', credentials, { token: null })).accessToken;
}

async function signIns(request, users) {
  for (const { username } of users.slice(80, 86)) {
    await request(
      'POST',
      '/service/auth/sign-in',
      { username, password: 'forgotten' },
      { token: null, fails: true },
    );
  }
}

async function messages({ context }) {
  await context.database.pool.query(
    `UPDATE deliveries SET state = 'parked', attempts = 12, sent_at = NULL, last_error = 'In English.',
       last_problem = 'mailRecipientRefused', last_problem_code = '550',
       to_email = CASE WHEN place = 1 THEN 'former-' || to_email ELSE to_email END
     FROM (SELECT id AS failed, row_number() OVER (ORDER BY id DESC) AS place FROM deliveries ORDER BY id DESC LIMIT 3)
     WHERE id = failed`,
  );
}

async function settings(request, { context }) {
  await request('POST', '/service/clients', { name: 'Reporting', scopes: ['users:read', 'audit:read'] });
  // A host is looked up, so it is filled in afterwards.
  await request('POST', '/service/webhooks', { url: 'https://93.184.215.14/', description: 'Door badges' });
  await context.database.pool.query(`UPDATE webhooks SET url = 'https://badges.example.com/rollcall'`);
}

async function messagesSent(request) {
  while ((await request('GET', '/service/deliveries?state=waiting&limit=1')).items.length > 0) {
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
