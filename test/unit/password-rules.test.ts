import { describe, expect, test, vi } from 'vitest';
import { isCommonPassword } from '../../src/domain/passwords/common-passwords.js';
import {
  chosenPasswordProblem,
  normalized,
  passwordProblem,
} from '../../src/domain/passwords/password-rules.js';

const names = { employeeID: 'Employee1001', username: 'AdaLovelace' };

const problemOf = (password: string, of: Parameters<typeof passwordProblem>[1] = names) =>
  passwordProblem(password, of, isCommonPassword)?.text;

const tooShortOrLong = (length: number) => `must have 8 to 128 characters, but has ${length}.`;
const own = 'must not be the username or the employee ID.';
const common = 'is one of the most common passwords. Choose another.';

describe('chosen password', () => {
  test.each([
    ['has 8 characters', 'tz8.kwpu'],
    ['has 128 characters', 'ab'.repeat(64)],
    ['has 8 characters of two UTF-16 units each', '🐙🦑🦐🦞🦀🐡🐠🐟'],
    ['has 128 characters of two UTF-16 units each', '🙈'.repeat(128)],
    ['has no capitals, digits or symbols', 'abstrakteschönheit'],
    ['consists mostly of spaces', '        x'],
    ['contains the username', 'AdaLovelace was first'],
    ['contains a common password', 'password123456789!?'],
  ])('is accepted if it %s', (_, password) => {
    expect(problemOf(password)).toBeUndefined();
  });

  test.each([
    ['', 0],
    ['x', 1],
    ['tz8.kwp', 7],
    ['🐙🦑🦐🦞🦀🐡🐠', 7],
    ['x'.repeat(129), 129],
    ['🙈'.repeat(129), 129],
    ['x'.repeat(100_000), 100_000],
  ])('is rejected for its length, counted in characters: %#', (password, length) => {
    expect(problemOf(password)).toBe(tooShortOrLong(length));
  });

  test.each([
    'AdaLovelace',
    'adalovelace',
    'ADALOVELACE',
    'Employee1001',
    'employee1001',
    '\uff21daLovelace', // a full-width A
  ])('is rejected if it is the username or the employee ID, in any case: %s', (password) => {
    expect(problemOf(password)).toBe(own);
  });

  test('is not compared with a missing username', () => {
    expect(problemOf('null and void', { employeeID: 'E1', username: null })).toBeUndefined();
  });

  test.each([
    'password1',
    'PASSWORD1',
    'PassWord1',
    '12345678',
    'iloveyou1',
    'qwertyuiop',
    '\uff11\uff12345678',
  ])('is rejected if it is common, in any case and width: %s', (password) => {
    expect(problemOf(password)).toBe(common);
  });

  test('is reported as too short before it is reported as common or as a name', () => {
    expect(problemOf('ada', { employeeID: 'E1', username: 'ada' })).toBe(tooShortOrLong(3));
    expect(passwordProblem('qwerty', names, () => true)?.text).toBe(tooShortOrLong(6));
  });

  test('is looked up in lowercase and NFKC', () => {
    const asked: string[] = [];
    passwordProblem('\uff30assWÖRT'.normalize('NFD'), names, (password) => {
      asked.push(password);
      return false;
    });
    expect(asked).toEqual(['passwört'.normalize('NFC')]);
  });
});

describe('a chosen password is not based on a context word', () => {
  const ada = {
    companyNames: ['Acme Rocket Corporation', 'ACMÉ', '株式会社エース'],
    employeeID: 'E1001',
    username: 'adalove',
    email: 'ada.lovelace@mail.rocketworks.co.uk',
  };
  const kindOf = (password: string, context: Parameters<typeof chosenPasswordProblem>[1] = ada) =>
    /based on (.*)\. Add/.exec(chosenPasswordProblem(password, context, isCommonPassword)?.text ?? '')?.[1];

  const product = 'the name of this product or a role';
  const company = 'the company name';
  const username = 'your username';
  const employeeID = 'your employee ID';
  const email = 'your email address';

  test.each([
    ['rollcall', product],
    ['rollcall2026', product],
    ['Rollcall2026!', product],
    ['R0llc@ll!!', product],
    ['r-o-l-l-c-a-l-l', product],
    ['roll@call 1', product],
    ['rollcallrollcall', product],
    ['2026-11-15 rollcall', product],
    ['rollcall98127634509', product],
    ['ｒｏｌｌｃａｌｌ１', product],
    ['administrator1', product],
    ['Admin!Admin!', product],
    ['rollcallpassword', product], // the rest is a common password
    ['acme-acme-1', company],
    ['ACM3$2026', company],
    ['Ácmé 12345', company],
    ['Acme Rocket Corporation', company],
    ['corporation1', company],
    ['AcmeWinter2026', company],
    ['Acme-Summer-2026!', company],
    ['acme2025march2026', company],
    ['rollcallaaaaaaaa', product],
    ['rollcall2026x2026', product],
    ['株式会社エース!', company],
    ['株式会社エース12', company],
    ['adalove1815', username],
    ['Ad@L0ve!!', username],
    ['e1001e1001', employeeID],
    ['E-1001-2026', employeeID],
    ['lovelace99', email],
    ['ada.lovelace1', `${username} and ${email}`],
    ['RocketWorks1', `${company} and ${email}`],
    ['rollcall4acme', `${product} and ${company}`],
  ])('%s', (password, kinds) => {
    expect(kindOf(password)).toBe(kinds);
  });

  test.each([
    ['a passphrase that contains a context word', 'rollcall beats lunch on Fridays'],
    ['a passphrase that contains several', 'acme pays ada 1001 rockets'],
    ['a context word and 8 other characters', 'rollcall-tz8kwpux'],
    ['a context word and 8 emoji', 'rollcall🐙🦑🦐🦞🦀🐡🐠🐟'],
    ['a password without context words', 'tz8.kwpu'],
    ['generic labels and top-level domains', 'mail uk co com'],
    ['part of a context word', 'roll the dice'],
  ])('accepts %s', (_, password) => {
    expect(chosenPasswordProblem(password, ada, isCommonPassword)).toBeUndefined();
  });

  test('words with fewer than four characters do not count', () => {
    const short = { companyNames: ['3M'], employeeID: '123', username: 'ana', email: 'ana@gmail.com' };
    expect(kindOf('banana-Split7', short)).toBeUndefined();
    expect(kindOf('x7Kq123pLm', short)).toBeUndefined();
    expect(kindOf('my-gmail-Qz71', short)).toBeUndefined();
    expect(kindOf('null and', { ...short, username: null, email: null })).toBeUndefined();
  });

  test('the message says what to do, and does not contain the password', () => {
    expect(chosenPasswordProblem('R0llc@ll!!', ada, isCommonPassword)?.text).toBe(
      `must not be based on ${product}. Add at least 8 characters that are hard to guess, or choose another password.`,
    );
  });

  test('length is checked first, and initial passwords are exempt', () => {
    expect(chosenPasswordProblem('acme', ada, isCommonPassword)?.text).toBe(tooShortOrLong(4));
    expect(passwordProblem('rollcall2026', ada, isCommonPassword)).toBeUndefined();
  });

  test('length is checked before normalization', () => {
    const normalize = vi.spyOn(String.prototype, 'normalize');
    try {
      expect(chosenPasswordProblem('a\u0301'.repeat(30_000), ada, isCommonPassword)?.text).toBe(
        tooShortOrLong(60_000),
      );
      expect(normalize).not.toHaveBeenCalled();
    } finally {
      normalize.mockRestore();
    }
  });
});

describe('list of common passwords', () => {
  test('contains the most common passwords', () => {
    for (const password of ['password', '123456789', 'qwertyuiop', 'baseball', 'sunshine', 'trustno1']) {
      expect(isCommonPassword(password), password).toBe(true);
    }
  });

  test('contains words with a few digits', () => {
    for (const password of ['password1', 'qwerty123', 'iloveyou2', 'welcome1', '1q2w3e4r', '00000001']) {
      expect(isCommonPassword(password), password).toBe(true);
    }
  });

  test('contains neither the empty password nor uncommon ones', () => {
    for (const password of ['', 'correct horse battery staple', 'tz8.kwpu']) {
      expect(isCommonPassword(password), password).toBe(false);
    }
  });
});

describe('password normalization', () => {
  test.each([
    ['accents', 'e\u0301', '\u00e9'],
    ['Hangul', '\u1112\u1161\u11ab', '\ud55c'],
    ['ligatures', '\ufb01', 'fi'],
    ['full-width letters', '\uff21', 'A'],
    ['non-breaking spaces', 'a\u00a0b', 'a b'],
  ])('normalizes %s', (_, typed, kept) => {
    expect(normalized(typed)).toBe(kept);
  });

  test('keeps case and spaces', () => {
    expect(normalized('  A a  ')).toBe('  A a  ');
  });
});
