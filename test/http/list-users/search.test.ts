import { expect, test } from 'vitest';
import { newId, useService } from '../../support/service.js';

const service = useService();

/** The names that a search finds within one organization. */
async function found(organizationSerial: string, search: string): Promise<string[]> {
  const reply = await service.get(`/service/users?${new URLSearchParams({ organizationSerial, search })}`);
  expect(reply.status, reply.text).toBe(200);
  return reply.json.data.items.map((user: { name: string }) => user.name);
}

// What a search finds is tested in test/unit/search-words.test.ts, and how in test/storage/indexed-reads.test.ts.
test('a search finds users by all their names, whatever characters it contains', async () => {
  const organizationSerial = newId('ORG');
  const [id, username] = [newId('1e5'), newId('signin')];
  for (const user of [
    { name: 'Grace Brewster-Murray Hopper', email: 'x@mail.example.com', employeeID: id, username },
    { name: 'Zoe\u0308 Müller 100% under_score', email: 'x@y.z', phone: '+1 (202) 555-0147' },
    { name: 'Дмитрий O’Brien "quoted" & | ! <->', email: 'x@y.z', tagSerials: ['tagword'] },
  ])
    await service.givenUser({ organizationSerial, ...user });
  const [grace, zoe, brien] = ['Grace', 'Zo', 'Дмитрий'];
  const hostile = [
    "'",
    "''",
    '| |',
    ':*',
    '(',
    '<->',
    '\\',
    "\\'",
    "a' & 'b",
    "a'b:*c|!d",
    '\ufffd',
    '%',
    '_',
    '…',
  ];
  for (const [search, names] of [
    ['  hop \t gra ', [grace]],
    ['brewster-mur', [grace]],
    ['gRACE mail.exa', [grace]],
    [id.slice(0, 4), [grace]],
    [`${id} ${username.toUpperCase()}`, [grace]],
    ['zo\u00eb mueller', [zoe]],
    ['2025550147', [zoe]],
    ['100% under_score', [zoe]],
    ['дмит brien', [brien]],
    ['"quoted"', [brien]],
    ['grace | дмитрий', []],
    ["grace'); -- hopper", [grace]],
    ['!grace <-> hopper:A', []],
    ['ac', []],
    ['gracehopper', []],
    ['tagword', []],
    [organizationSerial, []],
    ...hostile.map((text) => [text, []] as const),
    ['a '.repeat(100), []],
    ['', [grace, zoe, brien]],
    [' \u200b', [grace, zoe, brien]],
  ] as const) {
    const starts = (await found(organizationSerial, search)).map((name) =>
      names.find((start) => name.startsWith(start)),
    );
    expect([search, starts]).toEqual([search, [...names]]);
  }
});

test('a search finds a user by a changed name at once, and no longer by the old one', async () => {
  const organizationSerial = newId('ORG');
  const { serial } = await service.givenUser({ organizationSerial, name: 'Grace Murray' });
  await service.request('PATCH', `/service/users/${serial}`, { body: { name: 'Grace Hopper' } });
  expect(await found(organizationSerial, 'hopper')).toEqual(['Grace Hopper']);
  expect(await found(organizationSerial, 'murray')).toEqual([]);
});
