import { describe, expect, test } from 'vitest';
import { newId, type Reply, useService } from '../../support/service.js';

const service = useService();

/** The names that a search finds within one organization. */
async function found(organizationSerial: string, search: string): Promise<string[]> {
  const reply = await searched(organizationSerial, search);
  expect(reply.status, reply.text).toBe(200);
  return reply.json.data.items.map((user: { name: string }) => user.name);
}

function searched(organizationSerial: string, search: string): Promise<Reply> {
  return service.get(`/service/users?${new URLSearchParams({ organizationSerial, search })}`);
}

async function isFoundBy(user: Record<string, unknown>, search: string): Promise<boolean> {
  const organizationSerial = newId('ORG');
  await service.givenUser({ ...user, organizationSerial });
  return (await found(organizationSerial, search)).length === 1;
}

describe('a search finds', () => {
  test.each([
    ['the first word of the name', 'Grace'],
    ['the start of the first word', 'Gra'],
    ['the start of a later word', 'hop'],
    ['a single letter', 'g'],
    ['words in another case', 'gRACE HOPPER'],
    ['the start of several words, in any order', 'hop gra'],
    ['words with extra white space', '  gra \t hop '],
    ['a word after a hyphen', 'brew'],
    ['hyphenated words as written', 'Brewster-Murray'],
    ['the start of a hyphenated name', 'brewster-mur'],
  ])('a user by %s', async (_, search) => {
    expect(await isFoundBy({ name: 'Grace Brewster-Murray Hopper' }, search)).toBe(true);
  });

  test.each(['jane.doe@mail.example.com', 'jane.doe@mail', 'jane', 'doe', 'jane doe', 'mail.exa', 'EXAMPLE'])(
    'a user by the start of words in the email: %s',
    async (search) => {
      expect(await isFoundBy({ name: 'X', email: 'jane.doe@mail.example.com' }, search)).toBe(true);
    },
  );

  test('a user by username and by its start', async () => {
    const username = newId('signin');
    expect(await isFoundBy({ username }, username.toUpperCase())).toBe(true);
    const other = newId('signin');
    expect(await isFoundBy({ username: other }, 'signin')).toBe(true);
  });

  test('a user by words from several fields', async () => {
    const employeeID = newId('K');
    const username = newId('login');
    const search = `${employeeID} grace login mail`;
    expect(
      await isFoundBy({ employeeID, username, name: 'Grace Hopper', email: 'x@mail.example' }, search),
    ).toBe(true);
  });

  // Forms that a text search parser may read as numbers, exponents, versions, hosts or files.
  test.each(['E', '', '0', '1e5', '12e', '0x1F', 'v1', '9A8b7C', '1E'])(
    'a user by every prefix of an employee ID that starts with "%s"',
    async (prefix) => {
      const organizationSerial = newId('ORG');
      const employeeID = newId(prefix);
      await service.givenUser({
        employeeID,
        organizationSerial,
        name: '-',
        email: 'z@z.z',
      });
      const beginnings = Array.from(employeeID, (_, index) => employeeID.slice(0, index + 1));
      const missed: string[] = [];
      for (const beginning of beginnings) {
        if ((await found(organizationSerial, beginning)).length !== 1) missed.push(beginning);
      }
      expect(missed).toEqual([]);
    },
  );

  test('a user by a changed name and no longer by the old one', async () => {
    const organizationSerial = newId('ORG');
    const { serial } = await service.givenUser({ organizationSerial, name: 'Grace Murray' });
    await service.request('PATCH', `/service/users/${serial}`, { body: { name: 'Grace Hopper' } });
    expect(await found(organizationSerial, 'hopper')).toEqual(['Grace Hopper']);
    expect(await found(organizationSerial, 'murray')).toEqual([]);
  });
});

describe('non-ASCII names are found', () => {
  test.each([
    ['Émile Zola', 'Émile'],
    ['Émile Zola', 'émi'],
    ['émile zola', 'ÉMILE'],
    ['Åsa Öberg', 'öb'],
    ['Jürgen Müller', 'jürgen mül'],
    ['Łukasz Żółć', 'żół'],
    ['Дмитрий Менделеев', 'менд'],
    ['Дмитрий Менделеев', 'МЕНД'],
    ['Ελένη Γλύκατζη', 'ελέ'],
    ['山田 太郎', '太郎'],
    ['山田太郎', '山田'],
    ['김 민준', '민'],
    ['محمد علي', 'عل'],
    ['שרה לוי', 'לו'],
    ['प्रिया शर्मा', 'शर्मा'],
    ['สมชาย ใจดี', 'ใจ'],
    ['Conan O’Brien', 'brien'],
    ['Conan O’Brien', 'O’Bri'],
    ['Marie—Claire', 'claire'],
    ['Ada 🚀 Lovelace', 'lovelace'],
  ])('%s by %s', async (name, search) => {
    expect(await isFoundBy({ name, email: 'x@y.z' }, search)).toBe(true);
  });
});

describe('an empty search', () => {
  test.each(['', '   '])('filters nothing: %j', async (search) => {
    expect(await isFoundBy({ name: 'Grace Hopper' }, search)).toBe(true);
  });
});

describe('accents in a search', () => {
  test('match in any Unicode form', async () => {
    expect(await isFoundBy({ name: 'Zoe\u0308 Kravitz', email: 'x@y.z' }, 'zo\u00eb')).toBe(true);
  });
});

describe('a search does not find', () => {
  test.each([
    ['by two characters in the middle of a word', 'ac'],
    ['by two characters at the end of a word', 'er'],
    ['when one of several words is missing', 'grace lovelace'],
    ['by two words run together', 'gracehopper'],
    ['by an organization', 'orgword'],
    ['by a tag', 'tagword'],
  ])('a user %s', async (_, search) => {
    const user = {
      name: 'Grace Hopper',
      email: 'x@y.z',
      phone: '202 555 0147',
      tagSerials: ['tagword'],
      organizationSerial: 'orgword',
    };
    expect(await isFoundBy({ ...user, employeeID: newId('K') }, search)).toBe(false);
  });

  test.each([
    '-',
    '.',
    '&',
    '|',
    '!',
    "'",
    '"',
    ':*',
    '()',
    '\\',
    '%',
    '_',
    '@',
    '***',
    "' ' '",
    '—',
    '…',
    '«»',
  ])('anyone without a letter or digit: %s', async (search) => {
    expect(await isFoundBy({ name: `Grace ${search} Hopper` }, search)).toBe(false);
  });
});

describe('search text is never an operator', () => {
  test.each([
    'grace & hopper',
    'grace | hopper',
    '!grace hopper',
    "grace' hopper",
    'grace:* hopper:A',
    "'grace' <-> 'hopper'",
    'grace <-> hopper',
    '(grace) (hopper)',
    'grace \\ hopper\\',
    'grace""hopper',
    'grace%hopper',
    'grace_hopper',
    'grace;--hopper',
    "grace'); -- hopper",
    'grace*, hopper*',
  ])('%s finds users with both words', async (search) => {
    const organizationSerial = newId('ORG');
    await service.givenUser({ organizationSerial, name: 'Grace Hopper' });
    await service.givenUser({ organizationSerial, name: 'Grace Kelly' });
    expect(await found(organizationSerial, search)).toEqual(['Grace Hopper']);
  });

  test.each([
    "'",
    "''",
    '&',
    '| |',
    '!',
    ':',
    '*',
    ':*',
    '(',
    ')',
    '<->',
    '\\',
    "\\'",
    "a' & 'b",
    "a'b:*c|!d",
    '\u200b',
    '\ufffd',
  ])('%s succeeds', async (search) => {
    expect((await searched(newId('ORG'), search)).status).toBe(200);
  });

  test('a search of maximum length with only short words succeeds', async () => {
    const organizationSerial = newId('ORG');
    await service.givenUser({ organizationSerial, name: 'Aa Bb' });
    expect(await found(organizationSerial, 'a '.repeat(100))).toEqual(['Aa Bb']);
  });
});
