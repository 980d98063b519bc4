import { describe, expect, test, vi } from 'vitest';
import { type ErrorName, errorCatalogue } from '../../src/contract/errors.js';
import type { Origin, Parsed } from '../../src/domain/read-fields.js';
import {
  type BulkChange,
  contactRequired,
  nameRequired,
  parseBulkChange,
  parseNewUser,
  parsePatch,
  parseUpsert,
  type UserChange,
} from '../../src/domain/users/user-rules.js';
import {
  accepted,
  emptyTexts,
  refused,
  type Sample,
  unknownFields,
  withField,
} from '../support/field-samples.js';

type Fields = Readonly<Record<string, unknown>>;

interface Operation {
  /** In contract order. */
  readonly fields: readonly string[];
  readonly required: readonly string[];
  /** Fields that only other operations accept. */
  readonly elsewhere: readonly string[];
  /** The least that is valid. */
  readonly least: Fields;
  /** What null means for an optional field. */
  readonly nulls: 'keep' | 'clear';
  parse(value: unknown, origin?: Origin): Parsed<unknown>;
  /** What is to be stored; undefined if the field keeps its value. */
  stored(parsed: never, field: string): unknown;
}

const storedByBulk = ({ targetEmployeeID, change, creation }: BulkChange, field: string) => {
  if (field === 'employeeID') return targetEmployeeID;
  if (field === 'newEmployeeID') return change.employeeID;
  return field === 'password' ? creation?.password : change[field as keyof UserChange];
};

const create: Operation = {
  fields: [
    ...['employeeID', 'name', 'username', 'email', 'phone', 'password', 'isActive', 'tagSerials'],
    'organizationSerial',
  ],
  required: ['employeeID', 'name', 'isActive'],
  elsewhere: ['newEmployeeID'],
  least: { employeeID: 'E1', name: 'Ada', phone: '911', email: 'ada@example.com', isActive: true },
  nulls: 'keep',
  parse: (value, origin = {}) => parseNewUser(value, origin),
  stored: (user: Fields, field) => user[field],
};
const update: Operation = {
  fields: [
    ...['employeeID', 'name', 'newEmployeeID', 'username', 'phone', 'isActive', 'tagSerials'],
    'organizationSerial',
  ],
  required: ['employeeID', 'name', 'isActive'],
  elsewhere: ['email', 'password'],
  least: { employeeID: 'E1', name: 'Ada', isActive: true },
  nulls: 'keep',
  parse: (value, origin = {}) => parseBulkChange(value, origin),
  stored: storedByBulk,
};
const upsert: Operation = {
  fields: [
    ...['employeeID', 'name', 'newEmployeeID', 'username', 'email', 'phone', 'password', 'isActive'],
    ...['tagSerials', 'organizationSerial'],
  ],
  required: ['employeeID'],
  elsewhere: [],
  least: { employeeID: 'E1' },
  nulls: 'keep',
  parse: (value, origin = {}) => parseUpsert(value, origin),
  stored: storedByBulk,
};
const patch: Operation = {
  fields: [
    ...['employeeID', 'name', 'username', 'email', 'phone', 'isActive', 'tagSerials'],
    'organizationSerial',
  ],
  required: [],
  elsewhere: ['password', 'newEmployeeID'],
  least: {},
  nulls: 'clear',
  parse: (value, origin = {}) => parsePatch(value, origin),
  stored: (change: Fields, field) => change[field],
};

const operations: [string, Operation][] = [
  ['a create', create],
  ['a bulk update', update],
  [
    'a bulk update with nulls=clear',
    { ...update, nulls: 'clear', parse: (value, origin = {}) => parseBulkChange(value, origin, 'clear') },
  ],
  ['a bulk upsert', upsert],
  [
    'a bulk upsert with nulls=clear',
    {
      ...upsert,
      nulls: 'clear',
      parse: (value, origin = {}) => parseUpsert(value, origin, { nulls: 'clear' }),
    },
  ],
  ['a patch', patch],
];

const hidden = 'without control characters, bidirectional overrides and lone surrogates';
const name = 'a string of 1 to 64 characters from a-z, A-Z and 0-9';
const rules: Record<string, string> = {
  employeeID: name,
  newEmployeeID: name,
  username: name,
  name: `a string of 1 to 200 characters that is not blank, ${hidden}`,
  email: `an email address with one @, like name@example.com, of at most 254 characters, without spaces, control characters, bidirectional overrides and lone surrogates`,
  phone: `a string of 1 to 255 characters that is not blank, ${hidden}`,
  password: 'a string of 1 to 128 characters without NUL and lone surrogates',
  isActive: 'a boolean, true or false',
  tagSerials: `an array of at most 100 strings of 1 to 64 characters ${hidden}`,
  organizationSerial: `a string of 1 to 64 characters ${hidden}`,
};

/** The failure of one user. */
function failed(error: ErrorName, field: string, problem: string | RegExp) {
  if (typeof problem === 'string')
    return { ok: false, failure: { error, detail: `"${field}" ${problem}`, data: { field, problem } } };
  const detail = expect.stringMatching(new RegExp(`^"${field}" ${problem.source}`));
  const data = { field, problem: expect.stringMatching(new RegExp(`^${problem.source}`)) };
  return { ok: false, failure: { error, detail, data } };
}
const invalid = (field: string, problem: string | RegExp) => failed('USER_FIELD_INVALID', field, problem);
const missing = (field: string) =>
  failed('USER_FIELD_REQUIRED', field, `is required. It must be ${rules[field]}.`);
const stray = (field: string, problem: string | RegExp) => failed('USER_FIELD_NOT_ACCEPTED', field, problem);

/** Parses many values, and names those with another result than expected. */
function expectEach<Case extends { readonly why: string }>(
  cases: readonly Case[],
  actual: (each: Case) => unknown,
  expected: (each: Case) => unknown,
): void {
  expect(cases.length).toBeGreaterThan(0);
  for (const each of cases) expect([each.why, actual(each)]).toEqual([each.why, expected(each)]);
}

describe.each(operations)('%s', (_, { fields, required, elsewhere, least, nulls, parse, stored }) => {
  const of = <Case extends { readonly field: string }>(cases: readonly Case[]) =>
    cases.filter(({ field }) => fields.includes(field));
  /** What is stored of one field; the failure if there is one. */
  const storedOf = (field: string, value: unknown) => {
    const parsed = parse({ ...least, [field]: value });
    return parsed.ok ? stored(parsed.value as never, field) : parsed;
  };
  const optional = fields.filter((field) => !['employeeID', 'name', 'isActive'].includes(field));

  test('accepts and normalizes valid values', () => {
    expectEach(
      of(accepted),
      ({ field, value }) => storedOf(field, value),
      (sample) => sample.stored,
    );
  });

  test('says which fields are stored in another form than they were sent in', () => {
    const isChanged = (sample: Sample) => JSON.stringify(sample.value) !== JSON.stringify(sample.stored);
    const normalized = (field: string, value: unknown) => {
      const parsed = parse({ ...least, [field]: value });
      return parsed.ok && parsed.normalized;
    };
    expectEach(
      of(accepted),
      ({ field, value }) => normalized(field, value),
      (sample) => (isChanged(sample) ? { [sample.field]: sample.stored } : undefined),
    );
    expect(normalized('tagSerials', [null])).toEqual({ tagSerials: [] });
    if (fields.includes('phone')) expect(normalized('phone', ' \t')).toEqual({ phone: null });
    for (const field of optional.filter((each) => each !== 'tagSerials'))
      expect(normalized(field, '')).toBeUndefined();
  });

  test('rejects invalid values, naming the field and the problem', () => {
    expectEach(
      of(refused),
      ({ field, value }) => storedOf(field, value),
      ({ field }) => invalid(field, /must .*\.$/),
    );
  });

  test('states the rule of a field, and the type of a value that has another one', () => {
    for (const field of fields) {
      expect(storedOf(field, { x: 1 })).toEqual(invalid(field, `must be ${rules[field]}, not an object.`));
      expect(storedOf(field, 7)).toEqual(invalid(field, `must be ${rules[field]}, not a number.`));
      if (field === 'isActive') continue;
      expect(storedOf(field, false)).toEqual(invalid(field, `must be ${rules[field]}, not a boolean.`));
      expect(storedOf(field, 'x'.repeat(300))).toEqual(invalid(field, `must be ${rules[field]}.`));
    }
  });

  test('treats empty text as no value', () => {
    expectEach(
      of(emptyTexts),
      ({ field, value }) => storedOf(field, value),
      ({ field }) => missing(field),
    );
    for (const field of optional.filter((each) => each !== 'tagSerials' && each !== 'newEmployeeID'))
      expect([field, storedOf(field, '')]).toEqual([field, null]);
    if (fields.includes('phone')) expect(storedOf('phone', ' ')).toBeNull();
    expect(storedOf('tagSerials', [])).toEqual([]);
  });

  test('treats null as its operation does, and an absent field as one to keep', () => {
    for (const field of optional) {
      const none = field === 'tagSerials' ? [] : null;
      const whenAbsent = parse === create.parse ? none : undefined;
      const whenNull = nulls === 'clear' && field !== 'newEmployeeID' ? none : whenAbsent;
      // A password is for new users only, who have none unless one is given.
      const kept = field === 'password' ? null : whenAbsent;
      const { [field]: _field, ...others } = least;
      const absent = parse(others);
      expect([field, absent.ok && stored(absent.value as never, field)]).toEqual([field, kept]);
      expect([field, storedOf(field, null)]).toEqual([field, field === 'password' ? null : whenNull]);
    }
  });

  test('requires what it cannot do without', () => {
    for (const field of ['employeeID', 'name', 'isActive']) {
      const isRequired = required.includes(field);
      expect(storedOf(field, undefined)).toEqual(isRequired ? missing(field) : undefined);
      const mayBeNull = !isRequired && nulls === 'keep';
      expect(storedOf(field, null)).toEqual(mayBeNull ? undefined : missing(field));
    }
  });

  test('rejects unknown fields and those of other operations, unless null means nothing', () => {
    const use = `is not a field of this operation. Use ${[...fields, 'managerEmployeeID', 'attributes'].join(', ')}.`;
    for (const field of unknownFields) {
      expect(parse(JSON.parse(withField(least, field)))).toEqual(stray(field, use));
      expect(parse(JSON.parse(withField(least, field, ''))).ok).toBe(false);
      expect(parse(JSON.parse(withField(least, field, null))).ok).toBe(nulls === 'keep');
    }
    for (const field of elsewhere) {
      const expected = stray(field, 'is not accepted by this operation. Remove it.');
      for (const value of ['x', '']) expect(parse({ ...least, [field]: value })).toEqual(expected);
      expect(parse({ ...least, [field]: null })).toEqual(
        nulls === 'keep' ? expect.objectContaining({ ok: true }) : expected,
      );
    }
  });

  test('rejects a repeated field', () => {
    const parsed = parse(least, { repeatedField: 'name' });
    expect(parsed).toEqual(stray('name', 'appears twice. Send it once.'));
  });

  test.each([
    [[], 'an array'],
    [[{}], 'an array'],
    [null, 'null'],
    ['Ada', 'a string'],
    [7, 'a number'],
    [true, 'a boolean'],
  ])('rejects %j, which is not an object', (value, described) => {
    const detail = `A user must be a JSON object, not ${described}.`;
    expect(parse(value)).toEqual({ ok: false, failure: { error: 'USER_NOT_AN_OBJECT', detail } });
  });

  test('reports the first problem: a stray field, a repeated one, and then the first in contract order', () => {
    const wrong = Object.fromEntries(fields.toReversed().map((field) => [field, { x: 1 }]));
    const repeated = { repeatedField: 'name' };
    expect(parse({ ...wrong, colour: 1, shape: 2 }, repeated)).toMatchObject(
      stray('colour', /is not a field/),
    );
    expect(parse(wrong, repeated)).toMatchObject(stray('name', /appears twice/));
    const valid: Fields = { ...Object.fromEntries(fields.map((field) => [field, null])), ...create.least };
    fields.forEach((field, index) => {
      const fixed = fields
        .slice(0, index)
        .flatMap((each) => (valid[each] === null ? [] : [[each, valid[each]]]));
      const rest = Object.fromEntries(
        Object.entries(wrong).filter(([each]) => fields.indexOf(each) >= index),
      );
      expect(parse({ ...rest, ...Object.fromEntries(fixed) })).toMatchObject(invalid(field, /must be/));
    });
  });

  test('names the item of a bulk call, and gives the reason without it', () => {
    const position = 3;
    expect(parse({ ...least, isActive: 1 }, { position })).toMatchObject({
      failure: {
        detail: 'items[3]: "isActive" must be a boolean, true or false, not a number.',
        reason: '"isActive" must be a boolean, true or false, not a number.',
      },
    });
    expect(parse([], { position })).toMatchObject({
      failure: {
        detail: 'items[3]: a user must be a JSON object, not an array.',
        reason: 'A user must be a JSON object, not an array.',
      },
    });
  });
});

describe('a rejected character is named with its place', () => {
  const control = (code: string, place: string) =>
    `must not contain the control character U+${code} (${place}); remove it.`;
  test.each([
    ['name', 'a\u0000b', control('0000', 'character 2')],
    ['name', ' \tAda\u0000', control('0000', 'character 4')],
    ['name', '😀\ud800b', 'must not contain the lone surrogate U+D800 (character 2); remove it.'],
    [
      'name',
      `A${'\u0301\u0323'.repeat(50)}`,
      'must not contain more than 30 combining marks in a row; remove some.',
    ],
    ['email', 'ada\u007f@example.com', `must be ${rules.email}.`],
    ['organizationSerial', '\u0000', control('0000', 'character 1')],
    ['tagSerials', ['T1', '', 'T\u00002'], control('0000', 'tag 2, character 2')],
    ['tagSerials', ['T1', `${'x'.repeat(200)}\u0000`], `must be ${rules.tagSerials}.`],
    ['tagSerials', ['T1', 7, 'T\u00002'], `must be ${rules.tagSerials}.`],
    ['tagSerials', 'T1', `must be ${rules.tagSerials}.`],
  ])('%s: %j', (field, value, problem) => {
    expect(patch.parse({ [field]: value })).toEqual(invalid(field, problem));
  });

  test.each([
    ['control characters', 'nick\u0000\n\u001b[31mname'],
    ['a lone surrogate', 'nick\ud800name'],
    ['quotes', 'nick"\\name'],
    ['emoji cut off at the end of the quoted text', `a${'😀'.repeat(80)}`],
    ['thousands of characters', 'n'.repeat(5_000)],
  ])('the name of an unknown field with %s is made printable', (_, field) => {
    const parsed = create.parse(JSON.parse(withField(create.least, field)));
    expect(!parsed.ok && parsed.failure.detail).toMatch(
      /^"[^\p{C}"\\]{1,65}" is not a field [^\p{C}]{1,200}$/u,
    );
  });
});

describe('a new user', () => {
  const empties = [undefined, null, ''];

  test('needs an email address or a phone number, after every other check', () => {
    for (const email of empties) {
      expect(create.parse({ ...create.least, email }).ok).toBe(true);
      for (const phone of empties) {
        const neither = { ...create.least, email, phone };
        const detail = '"email" and "phone" are both empty. Send at least one.';
        const failure = { error: 'USER_CONTACT_REQUIRED', detail };
        expect(create.parse(neither)).toEqual({ ok: false, failure });
        expect(create.parse({ ...neither, organizationSerial: 7 })).toMatchObject({
          failure: { error: 'USER_FIELD_INVALID' },
        });
      }
      expect(create.parse({ ...create.least, phone: email }).ok).toBe(true);
    }
    expect(contactRequired(2)).toMatchObject({ detail: expect.stringMatching(/^items\[2\]: "email" and/) });
  });

  test('of a bulk upsert without a name is told that it is required', () => {
    const problem = `is required for a new user. It must be ${rules.name}.`;
    const detail = `items[2]: "name" ${problem}`;
    expect(nameRequired(2)).toMatchObject({
      error: 'USER_FIELD_REQUIRED',
      detail,
      data: { field: 'name', problem },
    });
  });

  test('has its given password checked last, together with its names', () => {
    const problem = { rule: 'common', text: 'is too common.' } as const;
    const check = vi.fn(() => problem);
    const user = { ...create.least, username: 'ada', password: 'secret' };
    expect(parseNewUser({ ...user, email: '', phone: '' }, {}, check)).toMatchObject({
      failure: { error: 'USER_CONTACT_REQUIRED' },
    });
    expect(parseNewUser({ ...user, password: '' }, {}, check).ok).toBe(true);
    expect(check).not.toHaveBeenCalled();
    expect(parseNewUser(user, {}, check)).toEqual({
      ok: false,
      failure: {
        error: 'USER_FIELD_INVALID',
        detail: '"password" is too common.',
        data: { field: 'password', problem: 'is too common.', rule: 'common' },
      },
    });
    expect(check).toHaveBeenCalledWith('secret', { employeeID: 'E1', username: 'ada' });
    expect(parseNewUser(user, {}, () => undefined).ok).toBe(true);
  });
});

describe('an item of a bulk upsert', () => {
  const parsed = (fields: Fields, options = {}, check?: Parameters<typeof parseUpsert>[3]) => {
    const item = parseUpsert({ employeeID: 'E1', password: 'secret', ...fields }, {}, options, check);
    return item.ok ? item.value : undefined;
  };

  test('creates a missing user unless it renames, and rehires only if asked to', () => {
    const creation = { password: 'secret', passwordProblem: undefined };
    for (const newEmployeeID of [undefined, null, '', 'E1'])
      expect(parsed({ newEmployeeID })).toMatchObject({ targetEmployeeID: 'E1', creation });
    expect(parsed({ newEmployeeID: 'E2' })).toMatchObject({
      change: { employeeID: 'E2' },
      creation: undefined,
    });
    expect(parsed({})).not.toHaveProperty('rehire');
    expect(parsed({ newEmployeeID: 'E2' }, { rehire: true })).toMatchObject({ rehire: creation });
  });

  test('keeps the problem of its password, which matters only if a user is created', () => {
    const passwordProblem = { rule: 'common', text: 'is too common.' } as const;
    expect(parsed({}, {}, () => passwordProblem)).toMatchObject({ creation: { passwordProblem } });
    expect(parsed({ password: null }, {}, () => passwordProblem)).toMatchObject({
      creation: { password: null, passwordProblem: undefined },
    });
  });
});

test('the published codes of these errors never change', () => {
  const codes: Partial<Record<ErrorName, number>> = {
    USER_CONTACT_REQUIRED: 10104,
    USER_NOT_AN_OBJECT: 10105,
    USER_FIELD_REQUIRED: 10106,
    USER_FIELD_INVALID: 10107,
    USER_FIELD_NOT_ACCEPTED: 10108,
  };
  for (const [error, code] of Object.entries(codes))
    expect(errorCatalogue[error as ErrorName]).toMatchObject({ code, status: 400 });
});
