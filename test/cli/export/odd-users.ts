import fc from 'fast-check';
import { type Field, nameField, serialReferenceField } from '../../../src/contract/fields.js';
import { acceptedByCreate, oddTags } from '../../support/field-samples.js';
import { newId } from '../../support/service.js';
import { storedText } from '../../unit/sheets/texts.js';

/** Values that spreadsheets, CSV, JSON and XML tend to convert or misread. */
const traps = [
  ...[
    '007',
    '00',
    '1E5',
    '-1',
    '1,5',
    '0x1F',
    '١٢٣',
    'TRUE',
    'false',
    'wahr',
    'null',
    'NULL',
    'undefined',
    'NaN',
  ],
  ...[
    '2024-02-29',
    '29.2.2024',
    '1/2',
    'MARCH1',
    '12:30',
    '#N/A',
    "'#N/A",
    "''#N/A",
    '#REF!',
    '#nv',
    '#DIV/0!',
    '1E+02',
    "'1E+02",
  ],
  ...[
    '=1+1',
    '+49',
    '-x',
    '@SUM(A1)',
    "'=1",
    "''+x",
    '＝1',
    "O'Hara",
    "'",
    "''",
    '"',
    '""',
    '"a"',
    'a"b',
    '\\',
  ],
  ...[
    'a,b',
    'a;b',
    'a|b',
    'a\tb',
    'a\nb',
    'a\r\nb',
    'a\rb',
    'sep=;',
    '[{"a":1}]',
    '{"a":1}',
    '["a"]',
    '["a", "b"]',
  ],
  ...[
    '<b>&amp;</b>',
    ']]>',
    '<?xml?>',
    '_x000D_',
    '_x0041_',
    '\u0001',
    '\u001b[31m',
    '\u007f',
    '\u0085',
    '\u2028',
  ],
  ...[
    'שלום',
    'مرحبا بالعالم',
    '\u202eAda',
    '\u200bAda',
    'é',
    'e\u0301',
    '山田 太郎',
    '👩‍👩‍👧',
    '\ufffe',
    '\uffff',
  ],
  ...['x'.repeat(200), '😀'.repeat(200), 'a b  c', 'ID', 'employeeID', 'Name', '- ', '\u00a0x', 'x\u3000'],
];

const text = fc.oneof(fc.constantFrom(...traps), storedText);

function taken(field: Field<string>) {
  return text.filter((value) => field.accepts(field.normalize(value)));
}

function samplesOf(field: string) {
  return fc.constantFrom(
    ...acceptedByCreate.filter((sample) => sample.field === field).map(({ value }) => value),
  );
}

const tag = fc.oneof(taken(serialReferenceField), fc.constantFrom(...oddTags, 'T1', 'T2', 'Sales, EMEA'));
const contact = fc.oneof(
  fc.record({ email: samplesOf('email') }),
  fc.record({ phone: samplesOf('phone') }),
  fc.record({ email: samplesOf('email'), phone: samplesOf('phone') }),
);
const id = fc.constantFrom('E', '00', '0', '1E', 'TRUE', 'x'.repeat(40)).map((prefix) => newId(prefix));

const oddUser = fc
  .record({
    employeeID: id,
    name: taken(nameField),
    username: fc.option(id),
    isActive: fc.boolean(),
    tagSerials: fc.option(fc.uniqueArray(tag, { maxLength: 5 })),
    organizationSerial: fc.option(fc.oneof(taken(serialReferenceField), samplesOf('organizationSerial'))),
    contact,
  })
  .map(({ contact, ...others }) => ({ ...others, ...contact }));

/** Users with every unusual value that the service accepts. */
export function oddUsers(count: number, seed: number) {
  return fc.sample(oddUser, { numRuns: count, seed });
}
