import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type SearchableUser, searchDocument } from '../../src/domain/indexing/search-document.js';
import {
  likePattern,
  matchesSearch,
  parseSearch,
  type SearchQuery,
} from '../../src/domain/indexing/search-query.js';

const realNames = [
  ...['Ada Lovelace', "Siobhán O'Brien", 'Anne-Marie D’Angelo', 'Jürgen Müller-Lüdenscheidt', 'Ødegård Åse'],
  ...[
    'Strauß',
    'Þórdís Guðmundsdóttir',
    'Đoković',
    'Łukasz Żółć',
    'Işık İbrahim',
    'Nguyễn Đức Anh',
    'Ștefan',
  ],
  ...['Παπαδόπουλος Μαΐου', 'Фёдоров Андрей', 'Їжакевич', 'محمد عبد الله', 'مُحَمَّد', 'שָׁלוֹם כהן', 'किरण शर्मा'],
  ...[
    'สมชาย ใจดี',
    '山田 太郎',
    'マリー・アントワネット',
    '김민수',
    '𠮷野家',
    'Խաչատրյան',
    'გიორგი',
    'Oﬃce',
    '007 000123',
  ],
];

/** Few characters, so that random texts have much in common. */
const characters = [
  ..."aAbuUeE01 -'.@%_\\",
  ...['ä', 'Ü', 'u\u0308', 'ß', 'ø', 'å', 'ı', 'İ', 'σ', 'ς', 'й', 'ё', 'ا', 'أ', '\u064e', 'ש', '\u05c1'],
  ...[
    'क',
    'ि',
    '山',
    '田',
    'ガ',
    'カ',
    'ー',
    '김',
    '\u1100',
    '\u1161',
    '𠮷',
    '🚀',
    '\u200d',
    '\u00ad',
    '１',
    '٣',
  ],
];

const someName = fc.oneof(
  fc.constantFrom(...realNames),
  fc.string({ unit: fc.constantFrom(...characters), minLength: 1, maxLength: 12 }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }),
);

const someUser: fc.Arbitrary<SearchableUser> = fc.record({
  name: someName,
  employeeID: fc.stringMatching(/^[A-Ca0-2]{1,5}$/),
  username: fc.option(fc.stringMatching(/^[a-c0-2]{1,5}$/)),
  email: fc.option(someName.map((name) => `${name}@example.com`)),
  phone: fc.option(fc.string({ unit: fc.constantFrom(...'0123 +()-/x'), minLength: 1, maxLength: 12 })),
});

function someSearchFor({ name }: SearchableUser): fc.Arbitrary<string> {
  return fc.oneof(
    fc
      .tuple(fc.nat(10), fc.integer({ min: 1, max: 5 }))
      .map(([start, length]) => name.slice(start, start + length)),
    fc.string({ unit: fc.constantFrom(...characters), minLength: 1, maxLength: 4 }),
    fc.string({ unit: fc.constantFrom(...'0123 -'), minLength: 1, maxLength: 6 }),
  );
}

const someUserAndSearch = someUser.chain((user) => fc.tuple(fc.constant(user), someSearchFor(user)));

/** A blank search doesn't filter, so it has no words that must match. */
const queryOf = (search: string): SearchQuery => parseSearch(search) ?? { words: [] };

/** The semantics of SQL, character by character. */
function like(text: string, pattern: string): boolean {
  const [texts, patterns] = [[...text], [...pattern]];
  const matches = (at: number, from: number): boolean => {
    const token = patterns[from];
    if (token === undefined) return at === texts.length;
    if (token === '%') return matches(at, from + 1) || (at < texts.length && matches(at + 1, from));
    if (at === texts.length) return false;
    if (token === '\\') return texts[at] === patterns[from + 1] && matches(at + 1, from + 2);
    return (token === '_' || texts[at] === token) && matches(at + 1, from + 1);
  };
  return matches(0, 0);
}

describe('search', () => {
  test('in SQL finds the same users as the definition', () => {
    let found = 0;
    fc.assert(
      fc.property(someUserAndSearch, ([user, search]) => {
        const document = searchDocument(user);
        const query = queryOf(search);
        const inSql = query.words.every((words) => words.some((word) => like(document, likePattern(word))));
        expect(inSql).toBe(matchesSearch(document, query));
        if (inSql) found++;
      }),
      { numRuns: 250 },
    );
    expect(found, 'some searches match').toBeGreaterThan(25);
  });

  test('loses nothing by leaving out implied alternatives', () => {
    fc.assert(
      fc.property(someUser, fc.stringMatching(/^[0-3]{1,3}( [0-3]{1,3}){0,2}$/), (user, search) => {
        const document = searchDocument(user);
        const groups = search.split(' ');
        const joined = groups.join('').replace(/^0+(?=\d)/, '');
        const matches = (words: string[]) => matchesSearch(document, { words: words.map((word) => [word]) });
        const findsNumber = (group: string) => {
          const number = group.replace(/^0+(?=\d)/, '');
          return number !== group && matches([number.length < 3 ? `${number} ` : number]);
        };
        const expected =
          (groups.length > 1 && matches([joined])) ||
          groups.every((group) => matches([group]) || findsNumber(group));
        const query = parseSearch(search);
        expect(query && matchesSearch(document, query)).toBe(expected);
      }),
      { numRuns: 200 },
    );
  });
});

const variants: Record<string, (text: string) => string> = {
  'as is': (text) => text,
  'in upper case': (text) => text.toUpperCase(),
  'in lower case': (text) => text.toLowerCase(),
  composed: (text) => text.normalize('NFC'),
  decomposed: (text) => text.normalize('NFD'),
  'without diacritics': (text) => text.normalize('NFD').replace(/[\u0300-\u036f]/g, ''),
};

function isFoundBy(user: SearchableUser, search: string): boolean {
  const query = parseSearch(search);
  return query === undefined || matchesSearch(searchDocument(user), query);
}

test.each(Object.entries(variants))('every user is found by their name, %s', (_, variant) => {
  const others = { employeeID: 'E1', username: 'ada', email: 'a@example.com', phone: '+49 30 1' };
  for (const name of realNames)
    for (const search of [name, ...name.split(/[ ・-]/)])
      expect(isFoundBy({ ...others, name }, variant(search)), search).toBe(true);
});

test('a document has distinct words, and each of its fields finds the user', () => {
  fc.assert(
    fc.property(someUser, (user) => {
      const document = searchDocument(user);
      const words = document.slice(1, -1).split(' ');
      expect(document).toBe(` ${[...new Set(words)].join(' ')} `);
      expect(words).not.toContain('');
      expect(words.join('')).not.toMatch(/[\0\s%_\\]/);

      const { employeeID, username, email, phone } = user;
      const hasNumber = /\d/.test(phone?.replaceAll('(0)', '') ?? '');
      for (const search of [employeeID, username, email, hasNumber ? phone : null])
        if (search !== null) expect(isFoundBy(user, search), search).toBe(true);

      const composed = parseSearch(user.name.normalize('NFC'));
      expect(parseSearch(user.name.normalize('NFD'))).toEqual(composed);
      // A name without letters and digits is not found by it.
      if (composed?.words[0]?.length) expect(matchesSearch(document, composed)).toBe(true);
    }),
    { numRuns: 200 },
  );
});
