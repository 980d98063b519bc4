import { employees } from './company.mjs';

const key = 'workday';

const feed = {
  ...{ key, name: 'Staff from Workday' },
  source: { type: 'sftp', host: 'sftp.example.com', username: 'rollcall', path: '/out/staff-*.csv' },
  secret: 'correct horse battery staple',
  schedule: { cron: '30 4 * * 1-5', timeZone: 'Europe/Amsterdam', until: '07:00' },
  mapping: {
    columns: [
      { field: 'employeeID', columns: ['Staff no.'] },
      { field: 'name', columns: ['First name', 'Last name'] },
      { field: 'email', columns: ['E-mail'] },
      { field: 'phone', columns: ['Phone'] },
      { field: 'organizationSerial', columns: ['Department'] },
      { field: 'isActive', columns: ['Status'], values: { A: 'true', I: 'false' } },
    ],
  },
  rules: { deactivateMissing: true, rehire: true },
};

const payroll = {
  ...{ key: 'payroll-lyon', name: 'Payroll Lyon' },
  ...{ source: { type: 'upload' }, mapping: { columns: feed.mapping.columns.slice(0, 3) } },
};

export async function createFeeds(request) {
  for (const each of [feed, payroll]) await request('POST', '/service/feeds', each);
}

/** A night in which a few people join, move and leave. */
export async function runNight(request, { url }, token, day) {
  const staff = await activeStaff(request);
  const moving = staff.filter((_, at) => at % 53 === day).slice(0, 2 + (day % 6));
  const leaving = day % 2 === 0 ? staff.filter((_, at) => at % 71 === day + 3).slice(0, 1) : [];
  const joining = employees(520).slice(440 + 2 * day, 440 + 2 * day + (day % 3));
  const rows = [
    ...staff
      .filter((one) => !leaving.includes(one))
      .map((one, at) =>
        moving.includes(one) ? { ...one, phone: `+31 20 555 ${1_000 + 20 * day + (at % 20)}` } : one,
      ),
    ...joining,
  ];
  await sync(request, url, token, rows, `staff-night-${String(30 - day).padStart(2, '0')}.csv`);
}

/** A file that was cut off. Its run waits for approval. */
export async function runTruncated(request, { url }, token) {
  const staff = await activeStaff(request);
  await sync(request, url, token, staff.slice(0, Math.round(staff.length * 0.6)), 'staff-tonight.csv', false);
}

async function sync(request, url, token, rows, fileName, approves = true) {
  const response = await fetch(`${url}/service/feeds/${key}/file?fileName=${fileName}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
    body: fileOf(rows),
  });
  const { data } = await response.json();
  const path = `/service/feeds/${key}/runs/${data.id}`;
  const { state } = await settled(request, path);
  if (state !== 'waiting' || !approves) return;
  await request('POST', `${path}/approve`);
  await settled(request, path);
}

async function settled(request, path) {
  for (;;) {
    const run = await request('GET', path);
    if (run.state !== 'queued' && run.state !== 'running') return run;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function activeStaff(request) {
  const found = [];
  for (let cursor = ''; cursor !== null; ) {
    const page = await request(
      'GET',
      `/service/users?isActive=true&limit=200${cursor && `&cursor=${cursor}`}`,
    );
    found.push(...page.items.filter(({ employeeID }) => employeeID !== null));
    cursor = page.nextCursor;
  }
  return found;
}

function fileOf(rows) {
  const lines = rows.map(({ employeeID, name, email, phone, organizationSerial }) => {
    const [first, ...last] = name.split(' ');
    return [employeeID, first, last.join(' '), email, phone ?? '', organizationSerial ?? '', 'A'].join(';');
  });
  return ['Staff no.;First name;Last name;E-mail;Phone;Department;Status', ...lines].join('\r\n');
}
