import { describe, expect, test } from 'vitest';
import { foldedWords } from '../../src/domain/indexing/fold.js';
import { type SearchableUser, searchDocument } from '../../src/domain/indexing/search-document.js';
import {
  likePattern,
  matchesSearch,
  parseSearch,
  searchWordsMax,
} from '../../src/domain/indexing/search-query.js';

const nobody: SearchableUser = { name: '?', employeeID: 'X', username: null, email: null, phone: null };

function finds(search: string, user: Partial<SearchableUser>): boolean {
  const query = parseSearch(search);
  return query === undefined || matchesSearch(searchDocument({ ...nobody, ...user }), query);
}

describe('a name is found', () => {
  test.each([
    ['Ada Lovelace', 'ada lovelace'],
    ['Ada Lovelace', 'LOVELACE, Ada'],
    ['Ada Lovelace', 'lace'],
    ['Ada Lovelace', 'l'],
    ['Ada Lovelace', 'lo ad'],
    ['Müller', 'muller'],
    ['Müller', 'Mueller'],
    ['Müller', 'MUELLER'],
    ['Müller', 'MÜLLER'],
    ['Müller', 'mu\u0308ller'],
    ['Mu\u0308ller', 'Mueller'],
    ['Mueller', 'Müller'],
    ['Muller', 'Müller'],
    ['Jäger', 'jaeger'],
    ['Jaeger', 'jäger'],
    ['Jäger', 'jager'],
    ['Björn Ångström', 'bjorn angstrom'],
    ['Björn Ångström', 'bjoern aangstroem'],
    ['Björn Ångström', 'angstroem'],
    ['Aase', 'Åse'],
    ['Åse', 'aase'],
    ['Ødegaard', 'odegaard'],
    ['Ødegaard', 'oedegaard'],
    ['Ødegård', 'Ødegaard'],
    ['Ødegård', 'odegaard'],
    ['Odegaard', 'Ødegård'],
    ['Strauß', 'strauss'],
    ['Strauss', 'STRAUẞ'],
    ['Sæther', 'saether'],
    ['Sœur', 'soeur'],
    ['Þórdís Guðmundsdóttir', 'thordis gudmundsdottir'],
    ['Đoković', 'dokovic'],
    ['Đoković', 'djokovic'],
    ['Djokovic', 'Đoković'],
    ['Łukasz Żółć', 'lukasz zolc'],
    ['Għawdex Ħal', 'ghawdex hal'],
    ['Işık', 'isik'],
    ['Işık', 'IŞIK'],
    ['Işık', 'ışık'],
    ['İbrahim', 'ibrahim'],
    ['İbrahim', 'IBRAHIM'],
    ['Ibrahim', 'İBRAHİM'],
    ['Dvořák Šťastná', 'dvorak stastna'],
    ['Ștefan Țîrlea', 'stefan tirlea'],
    ['Ştefan', 'Ștefan'],
    ['Nguyễn Đức', 'nguyen duc'],
    ['Nguyễn Đức', 'NGUYỄN'.normalize('NFD')],
    ["O'Brien", 'obrien'],
    ['O’Brien', "o'brien"],
    ["O'Brien", 'o’brien'],
    ["O'Brien", 'oʼbrien'],
    ["O'Brien", 'o`brien'],
    ["O'Brien", 'o´brien'],
    ['O´Brien', 'brien'],
    ["D'Angelo", "d'angelo"],
    ["D'Angelo", 'angelo'],
    ['OBrien', "O'Brien"],
    ['Anne-Marie', 'anne marie'],
    ['Anne-Marie', 'anne-marie'],
    ['Anne-Marie', 'annemarie'],
    ['Anne‑Marie', 'annemarie'],
    ['Annemarie', 'Anne-Marie'],
    ['Anne-Marie', 'ma'],
    ['Müller-Lüdenscheidt', 'muellerluedenscheidt'],
    ['Gal·la', 'galla'],
    ['Παπαδόπουλος', 'παπαδοπουλος'],
    ['Παπαδόπουλος', 'ΠΑΠΑΔΟΠΟΥΛΟΣ'],
    ['ΠΑΠΑΔΟΠΟΥΛΟΣ', 'Παπαδόπουλος'],
    ['Μαΐου', 'μαιου'],
    ['Фёдоров', 'федоров'],
    ['Федоров', 'ФЁДОРОВ'],
    ['Андрей', 'андреи\u0306'],
    ['Андрей', 'андреи'],
    ['Київська', 'киівська'],
    ['مُحَمَّد', 'محمد'],
    ['محمد', 'مـحـمـد'],
    ['أحمد', 'احمد'],
    ['علی', 'علي'],
    ['שָׁלוֹם', 'שלום'],
    ['ג׳ורג׳', 'גורג'],
    ['किरण', 'किरण'],
    ['สมชาย ใจดี', 'สมชาย'],
    ['山田 太郎', '山田太郎'],
    ['山田 太郎', '太'],
    ['山田太郎', '山田 太郎'],
    ['山田太郎', '田太'],
    ['マリー・アントワネット', 'マリーアントワネット'],
    ['ガ', '\uff76\uff9e'],
    ['김민수', '민'],
    ['김민수', '김민수'.normalize('NFD')],
    ['김 민수', '김민수'],
    ['𠮷野家', '𠮷'],
    ['Oﬃce', 'office'],
    ['Ａｄａ', 'ada'],
    ['Sil\u00advia', 'silvia'],
    ['Sil\u200bvia', 'silvia'],
    ['Silvia', 'sil\u200dvia\ufeff'],
    ['Ada "Countess" Lovelace', '"countess"'],
    ['Ada', 'ada!!!'],
  ])('%s by %s', (name, search) => {
    expect(finds(search, { name })).toBe(true);
  });
});

describe('a name is not found', () => {
  test.each([
    ['Ada Lovelace', 'ada byron'],
    ['Ada Lovelace', 'ce'],
    ['Ada Lovelace', 'v'],
    ['Ada Lovelace', 'adalovelace'],
    ['Müller', 'mller'],
    ['Muller', 'mueller'],
    ['किरण', 'करण'],
    ['かとう', 'がとう'],
    ['임', '이'],
    ['𠮷野家', '吉'],
    ['Ada', '!!!'],
    ['Ada', '\u0301'],
    ['Ada', '%'],
    ['Ada', '%da'],
    ['Ada', '_da'],
    ['Ada', '🚀'],
    ['Ada', 'ada or'],
    ['Ada', 'ada -lovelace'],
  ])('%s by %s', (name, search) => {
    expect(finds(search, { name })).toBe(false);
  });
});

describe('another field is found', () => {
  test.each<[Partial<SearchableUser>, string]>([
    [{ employeeID: 'E1001' }, 'e1001'],
    [{ employeeID: 'E1001' }, '001'],
    [{ employeeID: 'E1001' }, 'e1'],
    [{ employeeID: '000123' }, '123'],
    [{ employeeID: '000123' }, '0123'],
    [{ employeeID: '000123' }, '00000123'],
    [{ employeeID: '000123' }, '１２３'],
    [{ employeeID: '000123' }, '١٢٣'],
    [{ employeeID: '000042' }, '42'],
    [{ employeeID: '123' }, '000123'],
    [{ employeeID: '0123' }, '000123'],
    [{ employeeID: '7' }, '007'],
    [{ employeeID: '0' }, '000'],
    [{ username: 'AdaLovelace' }, 'adalove'],
    [{ email: 'ada.lovelace@example.com' }, 'ada@example'],
    [{ email: 'ada.lovelace@example.com' }, 'ada.lovelace@example.com'],
    [{ email: 'ada.lovelace@example.com' }, 'lovelace@'],
    [{ email: 'ada.lovelace@example.com' }, 'example.com'],
    [{ email: 'ada_lovelace+hr@example.com' }, 'ada_lovelace'],
    [{ email: 'müller@example.com' }, 'mueller@example.com'],
    [{ phone: '+49 (30) 123-456' }, '030 123-456'],
    [{ phone: '+49 (30) 123-456' }, '+49 30 123456'],
    [{ phone: '+49 (30) 123-456' }, '0049 30 123456'],
    [{ phone: '+49 (30) 123-456' }, '(0)30/123456'],
    [{ phone: '+49 (30) 123-456' }, '+49 (0)30 123456'],
    [{ phone: '+49 (30) 123-456' }, '+493012'],
    [{ phone: '+49 (30) 123-456' }, '123 456'],
    [{ phone: '+49 (30) 123-456' }, '23.45'],
    [{ phone: '+49 (0)30 123456' }, '+49 30 123456'],
    [{ phone: '+49 (0)30 123456' }, '030 123456'],
    [{ phone: '０３０ １２３４５６' }, '030-123456'],
    [{ phone: '030/12345 ext 5' }, '030/12345 ext 5'],
    [{ phone: '030/12345 ext 5' }, '030 12345'],
    [{ phone: '030/12345 ext 5' }, 'ext'],
    [{ phone: '1-800-FLOWERS' }, 'flowers'],
    [{ name: 'Ada', employeeID: 'E7', email: 'a@example.com', phone: '5550100' }, 'ada e7 example 5550100'],
  ])('%j by %s', (user, search) => {
    expect(finds(search, user)).toBe(true);
  });
});

describe('another field is not found', () => {
  test.each<[Partial<SearchableUser>, string]>([
    [{ employeeID: 'E1001' }, '01'],
    [{ employeeID: '1230' }, '0001230001'],
    [{ email: 'ada@example.com' }, 'ada@example.org'],
    [{ phone: '+49 (30) 123-456' }, '+49 30 123457'],
    [{ phone: '+49 (30) 123-456' }, '+43 30 123456'],
    [{ phone: '---' }, '-'],
  ])('%j by %s', (user, search) => {
    expect(finds(search, user)).toBe(false);
  });
});

describe('foldedWords', () => {
  test.each([
    ['Jürgen  MÜLLER-Straße', ['jurgen', 'muller', 'strasse']],
    ["D'Angelo, Ødegård", ['dangelo', 'odegard']],
    ['100% \\_/ <b>', ['100', 'b']],
    ['\u0301 \ud800 \0', []],
    ['', []],
  ])('of %j', (text, words) => {
    expect(foldedWords(text)).toEqual(words);
  });
});

describe('document', () => {
  const user = {
    name: 'Anne-Marie Müller',
    employeeID: '001001',
    username: 'Anne',
    email: 'anne@example.com',
    phone: '+49 (30) 123-456',
  };

  test('contains every word once', () => {
    expect(searchDocument(user)).toBe(
      ' anne marie muller mueller annemarie 001001 1001 example com 4930123456 ',
    );
  });

  test('stays small for a long name in a script without spaces', () => {
    const name = '山 '.repeat(100).trim();
    expect(searchDocument({ ...nobody, name })).toBe(` 山 ${'山'.repeat(100)} 山山 x `);
  });
});

describe('query', () => {
  test.each(['', ' ', '\t\n', '\u00a0\u3000', '\u200b\u00ad'])(
    'of blank text does not filter: %j',
    (text) => {
      expect(parseSearch(text)).toBeUndefined();
    },
  );

  test.each(['!!!', '%', '_', '\\', '"', '\u0301', '🚀', "'"])('of %j matches nobody', (text) => {
    expect(parseSearch(text)).toEqual({ words: [[]] });
  });

  test.each([
    ['ada ADA Ada', [['ada']]],
    ['müller', [['muller', 'mueller']]],
    ['Ödegård', [['odegard', 'oedegard', 'odegaard', 'oedegaard']]],
    ['äöüå', [['aoua', 'aeoeueaa']]],
    ['ü', [['u']]],
    ['000123', [['123']]],
    ['007', [['7 ', '007']]],
    ['030 123-456', [['30 ', '030', '30123456'], ['123'], ['456']]],
    ['ada 12 34', [['ada'], ['12'], ['34']]],
  ])('of %s has as few alternatives as possible', (text, words) => {
    expect(parseSearch(text)).toEqual({ words });
  });

  test('uses the first distinct words', () => {
    const words = Array.from({ length: 20 }, (_, index) => `word${index}`);
    const query = parseSearch(`word0 ${words.join(' ')}`);
    expect(query?.words).toEqual(words.slice(0, searchWordsMax).map((word) => [word]));
  });

  test.each([
    ['ada', '%ada%'],
    ['ad', '% ad%'],
    ['山', '% 山%'],
    ['𠮷a', '% 𠮷a%'],
    ['a%_\\', '%a\\%\\_\\\\%'],
  ])('compares %s with LIKE %s', (word, pattern) => {
    expect(likePattern(word)).toBe(pattern);
  });
});
