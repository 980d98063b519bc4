import { expect, test } from 'vitest';
import { signInNameOfUserName } from '../../../src/contract/user-names.js';
import { signInNamesOf } from '../../../src/scim/user-names.js';

test.each([
  ['a zero-width space', '\u200b'],
  ['a zero-width joiner', '\u200d'],
  ['a soft hyphen', '\u00ad'],
  ['a variation selector', '\ufe0f'],
  ['a supplementary variation selector', '\u{e0100}'],
  ['a Hangul filler', '\u3164'],
  ['a half-width Hangul filler', '\uffa0'],
  ['a bidirectional override', '\u202e'],
  ['a combining grapheme joiner', '\u034f'],
  ['a blank braille pattern', '\u2800'],
  ['a line separator', '\u2028'],
])('a sign-in name must not contain %s', (_, character) => {
  for (const name of [`ada${character}@example.com`, `${character}ada@example.com`, character]) {
    expect(signInNamesOf(name)).toMatchObject({ ok: false, scimType: 'invalidValue' });
    expect(signInNameOfUserName(name)).toBeUndefined();
  }
});

test.each([
  'zoë@example.com',
  'ада@пример.рф',
  '李雷@例子.中国',
  'عائشة',
  'अनीता शर्मा',
  '김민수',
  'ada+work@example.com',
])('a sign-in name has letters of any script: %s', (name) => {
  expect(signInNamesOf(name)).toMatchObject({ value: { signInName: name.normalize('NFKC') } });
});
