/** Values that a field accepts or rejects in every operation, each with the reason. */
export interface Sample {
  readonly field: string;
  readonly why: string;
  readonly value: unknown;
  /** What a read returns, if different from the value. */
  readonly stored?: unknown;
}

type Values = readonly (readonly [why: string, value: unknown, stored?: unknown])[];

function samples(field: string, values: Values): Sample[] {
  return values.map(([why, value, stored = value]) => ({ field, why, value, stored }));
}

const emoji = '\u{1f600}';

/** Nothing is coerced to a string. */
const noStrings: Values = [
  ['a number', 7],
  ['a boolean', true],
  ['an array', ['x1']],
  ['an object', { x1: 'x1' }],
];

const notStorable: Values = [
  ['a NUL', 'a\u0000b'],
  ['a lone high surrogate', 'a\ud83d'],
  ['a lone low surrogate', '\ude00a'],
];

const notAlphanumeric: Values = [
  ...noStrings,
  ...notStorable,
  ['a leading space', ' E1'],
  ['a trailing space', 'E1 '],
  ['a space within', 'E 1'],
  ['blank', ' '],
  ['a trailing line break', 'E1\n'],
  ['a hyphen', 'E-1'],
  ['an underscore', 'E_1'],
  ['a tilde', '~E1'],
  ['a non-ASCII letter', 'É1'],
  ['a full-width digit', 'E１'],
  ['65 characters', 'x'.repeat(65)],
];

/** Characters that nobody means: they are replaced or removed, so that no change to a user fails because of one. */
const onOneLine: Values = [
  ['an escape becomes a space', 'Ada\u001b[31m', 'Ada [31m'],
  ['a tab becomes a space', 'Ada\tKing', 'Ada King'],
  ['a line break becomes a space', 'Ada\r\nKing', 'Ada King'],
  ['the separator of packed users becomes a space', 'a\u001fb', 'a b'],
  ['DEL becomes a space, together with the white space around it', 'Ada \u007f King', 'Ada King'],
  ['a C1 control character becomes a space', 'Ada\u0085King', 'Ada King'],
  ['control characters around the text are removed', '\u0001Ada\u0085', 'Ada'],
  ['a right-to-left override is removed', 'Ada \u202egniK', 'Ada gniK'],
  ['an embedding is removed', '\u202aAda\u202c', 'Ada'],
  ['an isolate is removed', 'Ada \u2067King\u2069', 'Ada King'],
];

const collapsed: Values = [
  ['white space around the text is removed', ' \t\u00a0Ada King\u2003\n', 'Ada King'],
  ['runs of white space become one space', 'Ada  King \u00a0of\n\nLovelace', 'Ada King of Lovelace'],
  ['a single space of another kind is kept', '山田\u3000太郎'],
];

const nameRefused: Values = [
  ...noStrings,
  ...notStorable,
  ['31 combining marks in a row', `A${'\u0323\u0301'.repeat(16)}`],
  ['201 characters', 'x'.repeat(201)],
  ['201 emoji', emoji.repeat(201)],
  ['201 characters once white space is collapsed', `${'x'.repeat(100)}  ${'x'.repeat(100)}`],
];

const nameAccepted: Values = [
  ['1 character', 'x'],
  ['200 characters', 'x'.repeat(200)],
  ['200 emoji: lengths are counted in code points', emoji.repeat(200)],
  ...onOneLine,
  ...collapsed,
  ['200 characters, padded with white space', 'x'.repeat(200).padEnd(500), 'x'.repeat(200)],
  ['quotes, backslashes and braces', `O'Hara "the\\best" {x}, NULL`],
  ['any script', 'Łukasz 山田 Ünal'],
  ['30 combining marks in a row', `A${'\u0334'.repeat(30)}`],
  ['joiners and direction marks', 'می\u200cنا क्\u200dष \u200fAda\u200e \u061cعلي'],
  ['fillers among letters', '\u3164Ada\u2800King\u115f'],
  ['decomposed characters are composed', 'ệ'.normalize('NFD').repeat(200), 'ệ'.repeat(200)],
];

const emailRefused: Values = [
  ...noStrings,
  ...notStorable,
  ['no @', 'ada.example.com'],
  ['nothing before the @', '@example.com'],
  ['nothing after the @', 'ada@'],
  ['two @', 'ada@king@example.com'],
  ['@@', 'ada@@example.com'],
  ['a space within', 'ada king@example.com'],
  ['a space in the domain', 'ada@exam ple.com'],
  ['a tab', 'a\tda@example.com'],
  ['an appended header', 'ada@example.com\r\nBcc: eve@example.com'],
  ['a NUL in the address', 'ada\u0000@example.com'],
  ['DEL', 'ada\u007f@example.com'],
  ['a lone surrogate in the address', 'ada\ud800@example.com'],
  ['a display name', 'Ada <ada@example.com>'],
  ['two addresses', 'ada@example.com,eve@example.com'],
  ['a non-breaking space', 'ada\u00a0king@example.com'],
  ['nothing visible before the @', '\u200b@example.com'],
  ['nothing visible after the @', 'ada@\u200b'],
  ['a C1 control character', 'ada\u0085@example.com'],
  ['255 characters', addressOfLength(255)],
];

const emailAccepted: Values = [
  ['a plain address', 'ada@example.com'],
  ['case is kept', 'Ada.King@Example.COM'],
  ['a plus', 'ada+work@example.com'],
  ['an apostrophe', "o'hara@example.com"],
  ['a domain with many labels', 'ada@mail.dept.example.co.uk'],
  ['a domain with one label', 'ada@localhost'],
  ['a digit at the start of a label', 'ada@3com.example'],
  ['a domain in punycode', 'ada@xn--bcher-kva.example'],
  ['non-ASCII letters', 'jörg@bücher.example'],
  ['surrounding white space is removed', ' ada@example.com\r\n', 'ada@example.com'],
  [
    'characters around it that nobody sees are removed',
    '\u202aada@example.com\u202c\u0085',
    'ada@example.com',
  ],
  ['an underscore in the domain', 'ada@mail_1.example.com'],
  ['a quoted local part', '"ada.king"@example.com'],
  ['an unusual local part', '.ada..king.@example.com'],
  ['an unusual domain', 'ada@-example-..com'],
  ['an address in another script', '用户@例子.广告'],
  ['brackets', 'ada@[192.0.2.1]'],
  ['65 characters before the @', `${'x'.repeat(65)}@example.com`],
  ['254 characters', addressOfLength(254)],
];

function addressOfLength(length: number): string {
  const domain = `@${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.example`;
  return `${'x'.repeat(length - domain.length - 7)}${domain}.museum`;
}

const phoneRefused: Values = [
  ...noStrings,
  ...notStorable,
  ['nothing visible', '\u200b\u2060'],
  ['256 characters', '1'.repeat(256)],
];

const phoneAccepted: Values = [
  ['3 digits', '911'],
  ['1 character', '7'],
  ['255 characters', '1'.repeat(255)],
  ['255 characters, padded with white space', '1'.repeat(255).padStart(300), '1'.repeat(255)],
  ...onOneLine,
  ...collapsed,
  ['a leading plus and spaces', '+44 20 7946 0958'],
  ['hyphens and parentheses', '(020) 7946-0958'],
  ['dots', '020.7946.0958'],
  ['a slash and an extension', '030/12345 ext 5'],
  ['a note', 'reception, ask for Ada'],
  ['non-ASCII digits', '１２３４'],
];

const serialRefused: Values = [
  ...noStrings,
  ...notStorable,
  ['65 characters', 'x'.repeat(65)],
  ['65 emoji', emoji.repeat(65)],
];

const organizationAccepted: Values = [
  ['1 character', 'x'],
  ['64 characters', 'x'.repeat(64)],
  ['64 emoji: lengths are counted in code points', emoji.repeat(64)],
  ['spaces and punctuation', ' org/7,  "north" \\ {x} '],
  ...onOneLine,
  ['the word NULL', 'NULL'],
];

/** Characters that have a meaning in JSON, SQL arrays or separated lists. */
export const oddTags = [
  '"',
  '\\',
  '\\"',
  ',',
  '{}',
  '{a,b}',
  'NULL',
  'null',
  ' ',
  ' a ',
  "'",
  "'; DROP TABLE users; --",
  '$11',
  '%',
  '\u00a0',
  '\u200d',
  '\u2028',
  'é',
  'e\u0301',
  emoji,
];

const tagsRefused: Values = [
  ['a string', 'T1'],
  ['an empty string', ''],
  ['a number', 7],
  ['a boolean', false],
  ['an object', { 0: 'T1' }],
  ['a number among the tags', ['T1', 7]],
  ['an array among the tags', [['T1']]],
  ['a tag with a NUL', ['T\u0000']],
  ['a tag with a lone surrogate', ['T\ud800']],
  ['a tag with 65 characters', ['x'.repeat(65)]],
  ['101 tags', Array.from({ length: 101 }, (_, index) => `T${index}`)],
];

const hundredTags = Array.from({ length: 100 }, (_, index) => `T${index}`);

const tagsAccepted: Values = [
  ['none', []],
  ['the order sent is kept', ['b', 'a', 'C', 'B']],
  ['duplicates are removed, the first stays', ['b', 'a', 'b', 'c', 'a'], ['b', 'a', 'c']],
  ['100 tags', hundredTags],
  ['100 tags, some of them twice', [...hundredTags, 'T1', 'T2'], hundredTags],
  ['empty tags are removed', ['', 'T1', null, '', 'T2', '\t'], ['T1', 'T2']],
  ['only empty tags', [null, ''], []],
  ['control characters in tags become spaces', ['T\u001f1', 'T2\r\n', '\u202aT2'], ['T 1', 'T2']],
  ['a tag with 64 characters', ['x'.repeat(64)]],
  ['a tag with 64 emoji', [emoji.repeat(64)]],
  ['characters that have a meaning elsewhere', oddTags],
];

const alphanumericAccepted: Values = [
  ['1 character', 'x'],
  ['64 characters, with their case preserved', 'aZ09'.padEnd(64, 'xY')],
  ['only digits, kept as a string with leading zeros', '007'],
];

const passwordAccepted: Values = [
  ['1 character', 'x'],
  ['128 characters', 'x'.repeat(128)],
  ['128 emoji: lengths are counted in code points', emoji.repeat(128)],
  ['leading and trailing spaces, which are kept', ' secret '],
];

/** For each field, whichever operations have it. */
export const refused: readonly Sample[] = [
  ...samples('employeeID', notAlphanumeric),
  ...samples('name', nameRefused),
  ...samples('newEmployeeID', notAlphanumeric),
  ...samples('username', notAlphanumeric),
  ...samples('email', emailRefused),
  ...samples('phone', phoneRefused),
  ...samples('password', [
    ...noStrings,
    ...notStorable,
    ['129 characters', 'x'.repeat(129)],
    ['129 emoji', emoji.repeat(129)],
  ]),
  ...samples('isActive', [
    ['the string "true"', 'true'],
    ['the string "false"', 'false'],
    ['an empty string', ''],
    ['1', 1],
    ['0', 0],
    ['an array', []],
    ['an object', {}],
  ]),
  ...samples('tagSerials', tagsRefused),
  ...samples('organizationSerial', serialRefused),
];

/** Fields that may be equal for many users. */
export const acceptedByCreate: readonly Sample[] = [
  ...samples('name', nameAccepted),
  ...samples('email', emailAccepted),
  ...samples('phone', phoneAccepted),
  ...samples('isActive', [
    ['true', true],
    ['false', false],
  ]),
  ...samples('tagSerials', tagsAccepted),
  ...samples('organizationSerial', organizationAccepted),
];

export const accepted: readonly Sample[] = [
  ...acceptedByCreate,
  ...samples('employeeID', alphanumericAccepted),
  ...samples('newEmployeeID', alphanumericAccepted),
  ...samples('username', alphanumericAccepted),
  ...samples('password', passwordAccepted),
];

/** Texts that a required field treats as missing. */
export const emptyTexts: readonly Sample[] = [
  ...samples('employeeID', [['an empty string', '']]),
  ...samples('name', [
    ['an empty string', ''],
    ['blank', ' \t\n'],
    ['non-ASCII blanks', '\u00a0\u2003\u3000'],
    ['fillers and other characters that cannot be seen', '\u2800\u3164 \u115f\uffa0\u200b'],
  ]),
];

/** Fields that no operation knows. The last ones exist on every JavaScript object. */
export const unknownFields = [
  'nickname',
  'employeeId',
  'EmployeeID',
  'serial',
  '',
  '__proto__',
  'constructor',
  'toString',
];

/** The object as JSON text with an additional field. An object literal could not contain `__proto__`. */
export function withField(object: object, field: string, value: unknown = 'x'): string {
  const start = JSON.stringify(object).slice(0, -1);
  return `${start}${start === '{' ? '' : ','}${JSON.stringify(field)}:${JSON.stringify(value)}}`;
}
