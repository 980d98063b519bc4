import { beforeAll, describe, expect, test } from 'vitest';
import { useFront } from '../../http/client/front.js';
import { asFirstClient, rollcall } from '../../support/command.js';
import { aUser, newId, useService } from '../../support/service.js';

const service = useService();
const front = useFront(service);
const users = '/service/users';

const list = (...args: string[]) =>
  rollcall(['users', 'list', ...args], { ...asFirstClient(service), ROLLCALL_URL: front.url });

/** The parameters of each request for users. */
function sent(): [name: string, value: string][][] {
  return front.requests(users).map(({ url }) => [...new URL(url, front.url).searchParams]);
}

describe('filters', () => {
  test('are sent under the names of the API, with a parameter for each value', async () => {
    const { code, stderr } = await list(
      ...[
        '--search',
        'müller ber',
        '--active',
        'yes',
        '--must-change-password',
        '--never-signed-in',
        'false',
        '--has-organization',
        '--has-tags',
        'false',
      ],
      ...['--employee-id', 'E1', '--employee-id', 'E2', '--username', 'ada', '--username', 'grace'],
      ...[
        '--organization',
        'O1',
        '--organization',
        'O2',
        '--not-organization',
        'O3',
        '--not-organization',
        'O4',
      ],
      ...['--tag', 'T1', '--tag', 'T2', '--not-tag', 'T3', '--not-tag', 'a, b'],
      ...['--manager', 'E9', '--has-manager', '--manager-active', 'false'],
      ...['--role', 'viewer', '--role', 'none', '--not-role', 'operator', '--not-role', 'administrator'],
      ...['--created-since', '2026-11-01', '--created-until', '2026-11-15T08:00:00+01:00'],
      ...['--updated-since', '2026-11-02', '--updated-until', '2026-11-03T00:00Z', '--sort', '-name'],
    );
    expect(code, stderr).toBe(0);
    expect(sent()).toEqual([
      [
        ['search', 'müller ber'],
        ['employeeID', 'E1'],
        ['employeeID', 'E2'],
        ['username', 'ada'],
        ['username', 'grace'],
        ['isActive', 'true'],
        ['organizationSerial', 'O1'],
        ['organizationSerial', 'O2'],
        ['notOrganizationSerial', 'O3'],
        ['notOrganizationSerial', 'O4'],
        ['hasOrganization', 'true'],
        ['tagSerial', 'T1'],
        ['tagSerial', 'T2'],
        ['notTagSerial', 'T3'],
        ['notTagSerial', 'a, b'],
        ['hasTags', 'false'],
        ['manager', 'E9'],
        ['hasManager', 'true'],
        ['managerIsActive', 'false'],
        ['role', 'viewer'],
        ['role', 'none'],
        ['notRole', 'operator'],
        ['notRole', 'administrator'],
        ['mustChangePassword', 'true'],
        ['neverSignedIn', 'false'],
        ['createdSince', '2026-11-01T00:00:00.000Z'],
        ['createdUntil', '2026-11-15T07:00:00.000Z'],
        ['updatedSince', '2026-11-02T00:00:00.000Z'],
        ['updatedUntil', '2026-11-03T00:00:00.000Z'],
        ['sort', '-name'],
        ['suggest', 'true'],
        ['limit', '51'],
        ['total', 'approximate'],
      ],
    ]);
  });

  test.each<[args: string[], problem: string]>([
    [
      ['--role', 'boss'],
      "'--role <role>' argument 'boss' is invalid. Allowed choices are viewer, operator, administrator, none.",
    ],
    [['--tag', ''], "'--tag <serial>' argument '' is invalid. Must not be empty."],
    [['--tag', 'T1', 'T2'], 'too many arguments'],
    [['--never-signed-in', 'perhaps'], 'Must be true or false.'],
    [['--created-since', '2026-02-30'], "'2026-02-30' is invalid. Must be a date such as 2026-11-15, a time"],
    [Array.from({ length: 101 }, () => ['--not-tag', 'T1']).flat(), 'Use this option at most 100 times.'],
    [['--approximate'], '--approximate requires --count.'],
    [['--count', '--limit', '5'], "'--count' cannot be used with option '--limit <count>'"],
  ])('are rejected in one line: %j', async (args, problem) => {
    const { code, stdout, stderr } = await list(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(problem);
    expect(stderr.match(/\n/g)).toHaveLength(1);
    expect(sent()).toEqual([]);
  });

  test('that match nobody are repeated, with what to try next', async () => {
    const organization = newId('ORG');
    const filters = [
      '--tag',
      'T1',
      '--tag',
      'T2',
      '--search',
      "zoë o'nobody",
      '--organization',
      organization,
    ];
    expect(await list(...filters, '--never-signed-in', '--created-since', '2026-11-01')).toEqual({
      code: 0,
      stdout: '',
      stderr: `No users match --search 'zoë o'\\''nobody' --organization ${organization} --tag T1 --tag T2 --never-signed-in --created-since 2026-11-01T00:00:00Z.\nTry fewer or shorter words. All filters must match, so try removing one.\n`,
    });
    expect(await list(...filters, '--json')).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
  });
});

describe('totals', () => {
  const organization = newId('ORG');
  const ofOrganization = ['--organization', organization];

  beforeAll(async () => {
    const items = Array.from({ length: 205 }, (_, at) =>
      aUser({ employeeID: newId(), organizationSerial: organization, tagSerials: at < 3 ? ['few'] : [] }),
    );
    expect((await service.createBulk(items)).json.data.failedItems).toEqual([]);
  });

  test('are shown below the table, and requested once', async () => {
    const { stdout, stderr } = await list(...ofOrganization, '--limit', '203');
    expect(stdout.trimEnd().split('\n')).toHaveLength(1 + 203);
    expect(stderr).toBe('203 of 205 users. For more, use --limit 406 or --all.\n');
    const totals = sent().map((query) => query.find(([name]) => name === 'total')?.[1]);
    expect(totals).toEqual(['approximate', undefined]);
  });

  test('are shown for complete lists too, except in JSON', async () => {
    const few = [...ofOrganization, '--tag', 'few'];
    expect((await list(...few)).stderr).toBe('3 users.\n');
    expect((await list(...few, '--json')).stderr).toBe('');
    expect((await list(...few, '--json', '--limit', '2')).stderr).toMatch(/^2 of 3 users\. For more/);
    expect((await list(...ofOrganization, '--all')).stderr).toBe('205 users.\n');
    const withAll = sent().slice(-2);
    expect(
      withAll.flat().filter(([name]) => name === 'total'),
      '--all counts what it prints',
    ).toEqual([]);
  });

  test('are all that --count prints', async () => {
    expect(await list(...ofOrganization, '--count')).toEqual({ code: 0, stdout: '205\n', stderr: '' });
    const approximate = await list(...ofOrganization, '--count', '--approximate', '--json');
    expect(approximate).toEqual({ code: 0, stdout: '{"count":205,"isExact":true}\n', stderr: '' });
    expect((await list('--count', '--tag', newId('none'))).stdout).toBe('0\n');
    const [exact, estimated] = sent().map((query) => Object.fromEntries(query));
    expect(exact).toEqual({ organizationSerial: organization, limit: '1', total: 'exact' });
    expect(estimated).toEqual({ organizationSerial: organization, limit: '1', total: 'approximate' });
  });
});
