import { expect, test } from 'vitest';
import { createdClient } from '../../support/api-clients.js';
import { rollcall } from '../../support/command.js';
import { newId, useService } from '../../support/service.js';
import { givenFile, sync, told, userOf } from './sync-command.js';

const service = useService();

/** An attribute with a key and a heading of its own: other tests use the same service. */
async function givenAttribute(settings: object): Promise<{ key: string; heading: string }> {
  const key = newId('a').replace(/[^A-Za-z0-9]/g, '');
  const heading = `Spalte ${key}`;
  const reply = await service.post('/service/attributes', { key, labels: { de: heading }, ...settings });
  expect(reply.status, JSON.stringify(reply.json)).toBe(201);
  return { key, heading };
}

test('a sync sets, compares and counts attributes, and names the column of an invalid value', async () => {
  const floor = await givenAttribute({ type: 'number' });
  const site = await givenAttribute({ type: 'choice', choices: ['Berlin', 'Lyon'] });
  const values = { [floor.key]: 2, [site.key]: 'Lyon' };
  const [ada, grace, alan] = await Promise.all(
    [1, 2, 3].map(() => service.givenUser({ attributes: values })),
  );
  const joan = newId();
  const file = givenFile(
    [
      `employeeID;name;email;${floor.heading.toUpperCase()};${site.heading}`,
      `${ada?.employeeID};;;2,5;berlin`,
      `${grace?.employeeID};;;2;Lyon`,
      `${alan?.employeeID};;;;Paris`,
      `${joan};Joan;joan@example.com;7;`,
    ].join('\n'),
  );
  const synced = await sync(service, file);
  expect(told(synced.report)).toEqual([
    [2, 'updated'],
    [3, 'unchanged'],
    [4, 'failed: FIELD_INVALID'],
    [5, 'created'],
  ]);
  expect(synced.report[2]?.error?.detail).toBe(`"${site.heading}" must be one of Berlin, Lyon, not "Paris".`);
  const changedFields = { [`attributes.${floor.key}`]: 1, [`attributes.${site.key}`]: 1 };
  expect(synced.summary).toMatchObject({ updated: 1, unchanged: 1, created: 1, failed: 1, changedFields });
  const attributesOf = async (employeeID = '') => (await userOf(service, employeeID)).attributes;
  expect(await attributesOf(ada?.employeeID)).toEqual({ [floor.key]: 2.5, [site.key]: 'Berlin' });
  expect(await attributesOf(joan)).toEqual({ [floor.key]: 7 });

  const ignored = ['--map', 'email=', '--map', `attributes.${site.key}=`];
  const cleared = await sync(service, file, '--empty', 'clears', ...ignored);
  expect(told(cleared.report).slice(2)).toEqual([
    [4, 'updated'],
    [5, 'unchanged'],
  ]);
  expect(await attributesOf(alan?.employeeID)).toEqual({ [site.key]: 'Lyon' });
});

test('a sync says which columns it does not use for the attribute that they name', async () => {
  const salary = await givenAttribute({ type: 'number', isSensitive: true });
  const team = await givenAttribute({ type: 'text', synonyms: ['Abteilung'] });
  const { employeeID } = await service.givenUser();
  const file = givenFile(`employeeID;Abteilung;${salary.heading}\n${employeeID};IT;5\n`);
  const { clientId, clientSecret } = await createdClient(service, ['users:read', 'users:write']);
  const environment = {
    ...{ ROLLCALL_URL: service.url, ROLLCALL_CLIENT_ID: clientId, ROLLCALL_CLIENT_SECRET: clientSecret },
  };
  const run = (...options: string[]) =>
    rollcall(['sync', file.name, '--dry-run', ...options], environment, { cwd: file.home });
  const field = await run('--unknown', 'leave-out');
  expect(field.stderr).toContain(
    `"Abteilung" is read as organizationSerial. For the attribute ${team.key}, use --map 'attributes.${team.key}=Abteilung'.`,
  );
  expect(field.stderr).toContain(
    `"${salary.heading}" is ignored: the attribute ${salary.key} is sensitive, and you lack attributes:sensitive.`,
  );
  const attribute = await run('--map', `attributes.${team.key}=Abteilung`);
  expect(attribute.stdout).toContain(`${team.key}: 1 user`);
});
