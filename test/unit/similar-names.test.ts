import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { editDistance } from '../../src/contract/edit-distance.js';
import { closestWords, isNameWord, nameWords, oneMistakeAway } from '../../src/domain/indexing/name-words.js';
import { parseSearch } from '../../src/domain/indexing/search-query.js';
import { similarSearches, tolerantQuery } from '../../src/domain/indexing/similar-searches.js';

test('the words of a name are those that a search could misspell, in every spelling', () => {
  expect([...nameWords('Dr. Anne-Marie Müller-Ö 3rd, 李小龙')]).toEqual([
    'anne',
    'marie',
    'muller',
    'mueller',
    'annemarie',
    'mullero',
    'muellero',
    'mulleroe',
    'muelleroe',
  ]);
});

test('a word one mistake away is always found', () => {
  const letters = (alphabet: string) =>
    fc.string({ unit: fc.constantFrom(...alphabet), minLength: 3, maxLength: 5 });
  for (const alphabet of ['abcmz', 'аяжщ', 'אבת']) {
    fc.assert(
      fc.property(letters(alphabet), letters(alphabet), (word, other) => {
        const isNear = editDistance(word, other) === 1;
        expect(oneMistakeAway(word).includes(other)).toBe(isNear);
      }),
    );
    fc.assert(
      fc.property(letters(alphabet), (word) => {
        for (const near of oneMistakeAway(word)) expect(editDistance(word, near)).toBe(1);
      }),
      { numRuns: 20 },
    );
  }
});

test('close words come first, then frequent ones; short words have one mistake at most', () => {
  const known = [
    { word: 'schmitt', users: 90 },
    { word: 'schmid', users: 7 },
    { word: 'schmidt', users: 5 },
    { word: 'schmdit', users: 1 },
    { word: 'schneider', users: 100 },
  ];
  expect(closestWords('schmdit', known, 3)).toEqual([
    { word: 'schmidt', mistakes: 1 },
    { word: 'schmitt', mistakes: 2 },
    { word: 'schmid', mistakes: 2 },
  ]);
  const short = [
    { word: 'jon', users: 1 },
    { word: 'joan', users: 1 },
    { word: 'jana', users: 1 },
  ];
  expect(closestWords('jonh', short, 3)).toEqual([{ word: 'jon', mistakes: 1 }]);
});

test.each(['E1001', 'ab', '+49', '王小明', ''])('%o is no word of a name', (text) => {
  expect(isNameWord(text)).toBe(false);
});

test('similar words are looked for as whole words, unless they are found anyway', () => {
  const muller = { word: 'muller', alternatives: ['muller', 'mueller'] };
  const similar = ['mueller', 'moller'].map((word) => ({ word, mistakes: 1 }));
  const marai = { word: 'marai', alternatives: ['marai'], similar: [{ word: 'maria', mistakes: 1 }] };
  expect(tolerantQuery([marai, { ...muller, similar }])).toEqual({
    words: [
      ['marai', 'maria '],
      ['muller', 'mueller', 'moller '],
    ],
  });
  expect(tolerantQuery([{ ...muller, similar }])).toEqual({ words: [['mueller ', 'moller ']] });
});

describe('a suggested search is spelled like the name', () => {
  const user = { employeeID: 'E1', username: 'cbrandt', email: 'c@example.com', phone: null };
  const suggested = (search: string, similar: Record<string, Record<string, number>>, ...names: string[]) =>
    similarSearches(
      search,
      (parseSearch(search)?.words ?? []).map((alternatives) => ({
        word: alternatives[0] ?? '',
        alternatives,
        similar: Object.entries(similar[alternatives[0] ?? ''] ?? {}).map(([word, mistakes]) => ({
          word,
          mistakes,
        })),
      })),
      names.map((name) => ({ ...user, name })),
    );

  test.each([
    ['claudia brant', { brant: { brandt: 1 } }, 'Claudia Brandt', 'Claudia Brandt'],
    ['brant, claudia', { brant: { brandt: 1 } }, 'Brandt, Claudia', 'Brandt Claudia'],
    ['muler', { muler: { muller: 1 } }, 'Zoë Müller', 'Müller'],
    ['annmarie', { annmarie: { annemarie: 1 } }, 'Anne-Marie Ott', 'Anne-Marie'],
    ['Zoë E1 brant', { brant: { brandt: 1 } }, 'Dr. (Brandt)', 'Zoë E1 Brandt'],
  ])('%s for %s: %s', (search, similar, name, expected) => {
    expect(suggested(search, similar, name)).toEqual([expected]);
  });

  test('the fewest mistakes first, then what finds most users, each once', () => {
    const similar = { schmdit: { schmidt: 1, schmid: 2, schmitt: 2 } };
    const names = ['A Schmid', 'B Schmitt', 'C Schmitt', 'D SCHMITT', 'E Schmidt', 'Schmdit himself'];
    expect(suggested('schmdit', similar, ...names)).toEqual(['Schmidt', 'Schmitt', 'Schmid']);
  });
});
