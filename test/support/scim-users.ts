import fc from 'fast-check';
import { storedAttributes } from '../../src/contract/attribute-values.js';
import type { Attribute } from '../../src/contract/attributes.js';
import { newSerial } from '../../src/domain/serial.js';
import { contactOf } from '../../src/scim/contact-values.js';
import { storedText } from '../../src/scim/stored-data.js';
import { signInNamesOf } from '../../src/scim/user-names.js';
import type { ProvisionedUser, ResourceFacts } from '../../src/scim/user-resource.js';
import type { Executor } from '../../src/storage/database.js';

const attribute = (id: number, key: string, type: Attribute['type']): Attribute => ({
  ...{ id, key, type, version: 1, labels: {}, synonyms: [], isRetired: false },
  ...{ maxLength: null, pattern: null, minimum: null, maximum: null, choices: null },
  ...{
    isUnique: false,
    isSearchable: false,
    isFilterable: false,
    isSensitive: false,
    isEditableByUser: false,
  },
  ...{ createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' },
});

/** Of every type and in every place of a resource. */
export const companyAttributes: readonly Attribute[] = [
  attribute(9001, 'title', 'text'),
  attribute(9002, 'department', 'choice'),
  attribute(9003, 'badge', 'text'),
  attribute(9004, 'level', 'number'),
  attribute(9005, 'isRemote', 'boolean'),
  attribute(9006, 'startsAt', 'date'),
  attribute(9007, 'skills', 'list'),
  attribute(9008, 'costCenter', 'number'),
];

/** Texts that differ only in case, that patterns have a meaning for, and that lower case changes in length. */
export const words = fc.constantFrom(
  ...[
    'a',
    'A',
    'Ada',
    'ADA',
    'ada lovelace',
    'Zoë',
    'ZOË',
    'İzmir',
    'ΟΔΟΣ',
    'οδος',
    'K',
    '%',
    '_',
    '\\',
    'a_a',
    "O'Hara",
    '"x"',
  ],
  ...[
    '😀',
    'Ｆiltered1',
    'zoë.i̇2@example.com',
    '\uffee',
    'ß',
    'x@example.com',
    'X@Example.com',
    'work',
    'home',
    ' ',
    '12.5',
    'true',
  ],
);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const text = fc.oneof({ weight: 10, arbitrary: words }, fc.constant(''));

const values = fc.array(
  fc.record(
    { value: text, display: words, type: fc.constantFrom('work', 'home', 'Work'), primary: fc.boolean() },
    { requiredKeys: [] },
  ),
  { minLength: 1, maxLength: 3 },
);

export interface GeneratedUser {
  readonly prefix: string;
  readonly naming: 'username' | 'sign-in name' | 'employee ID';
  readonly name: string;
  readonly phone: string | null;
  readonly isActive: boolean;
  readonly tagSerials: readonly string[];
  readonly organizationSerial: string | null;
  readonly managed: boolean;
  readonly emails: readonly Record<string, unknown>[];
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly externalId: string | undefined;
  readonly core: Readonly<Record<string, unknown>>;
  readonly enterprise: Readonly<Record<string, unknown>>;
  readonly micros: number;
}

export function usersArbitrary(): fc.Arbitrary<GeneratedUser[]> {
  const user: fc.Arbitrary<GeneratedUser> = fc.record({
    prefix: fc.constantFrom('E', 'e', ''),
    naming: fc.constantFrom('username' as const, 'sign-in name' as const, 'employee ID' as const),
    name: fc
      .array(fc.constantFrom('Ada', 'ZOË', 'Zoë', 'de', 'ΟΔΟΣ', "O'Hara", '100%', 'a_b'), {
        minLength: 1,
        maxLength: 3,
      })
      .map((each) => each.join(' ')),
    phone: fc.option(fc.constantFrom('+4420', '+4930 x7')),
    isActive: fc.boolean(),
    tagSerials: fc.uniqueArray(fc.constantFrom('T1', 'T 2/é', "t(3)*~'", 'T1x'), { maxLength: 3 }),
    organizationSerial: fc.option(fc.constantFrom('O1', 'O2', 'o3')),
    managed: fc.boolean(),
    emails: fc.oneof({ weight: 1, arbitrary: fc.constant([]) }, { weight: 3, arbitrary: values }),
    attributes: fc.record(
      {
        9001: words,
        9002: fc.constantFrom('Sales', 'SALES', 'Ops'),
        9003: words,
        9004: fc.constantFrom(12.5, -3, 0, 1_000_000),
        9005: fc.boolean(),
        9006: fc.constantFrom('2026-01-01', '2026-12-31'),
        9007: fc.uniqueArray(words, { minLength: 1, maxLength: 3 }),
      },
      { requiredKeys: [] },
    ),
    externalId: maybe(words),
    core: fc.record(
      {
        name: fc.record(
          {
            formatted: text,
            familyName: text,
            givenName: text,
            middleName: fc.constantFrom(' ', '\u00a0\u2003', 'B'),
            honorificPrefix: words,
          },
          { requiredKeys: [] },
        ),
        title: text,
        nickName: text,
        profileUrl: words,
        locale: words,
        phoneNumbers: values,
        ims: values,
        roles: values,
        addresses: fc.array(
          fc.record({ locality: text, type: words, primary: fc.boolean() }, { requiredKeys: ['type'] }),
          { maxLength: 2 },
        ),
      },
      { requiredKeys: [] },
    ),
    enterprise: fc.record(
      {
        department: text,
        costCenter: text,
        manager: fc.record({ value: words, $ref: words }, { requiredKeys: ['value'] }),
      },
      { requiredKeys: [] },
    ),
    micros: fc.constantFrom(0, 400, 999, 500_000, 500_400),
  });
  return fc.array(user, { minLength: 120, maxLength: 120 });
}

/** Stores users, and returns them as a provider reads them. */
export async function storeUsers(
  executor: Executor,
  generated: readonly GeneratedUser[],
  facts: ResourceFacts,
): Promise<ProvisionedUser[]> {
  for (const [table, names] of [
    ['tags', facts.tagNames],
    ['organizations', facts.organizationNames],
  ] as const) {
    await executor.query(
      `INSERT INTO ${table} (serial, display_name) SELECT * FROM unnest($1::text[], $2::text[]) ON CONFLICT (serial) DO UPDATE SET display_name = excluded.display_name`,
      [[...names.keys()], [...names.values()]],
    );
  }
  const stored: ProvisionedUser[] = [];
  for (const [index, each] of generated.entries()) {
    const { serial } = newSerial();
    // In forms that no other test gives its users, because they share a database.
    const employeeID = `${each.prefix}9001${1000 + index}`;
    const spelled = each.naming === 'sign-in name' ? `Zoë.İ${index}＠Example.com` : `Filtered${index}`;
    const names = signInNamesOf(spelled);
    const { username, signInName, userName } =
      names.ok && each.naming !== 'employee ID'
        ? names.value
        : { username: null, signInName: null, userName: undefined };
    const emails = contactOf('emails', each.emails);
    const phones = contactOf(
      'phoneNumbers',
      (each.core.phoneNumbers as Record<string, unknown>[] | undefined) ?? [],
    );
    const phone = phones.value ?? each.phone ?? (emails.value === null ? '+1' : null);
    const scim = storedText({
      ...(userName !== undefined && { userName }),
      ...(each.externalId !== undefined && { externalIds: { [facts.clientId]: each.externalId } }),
      core: { ...each.core, emails: emails.stored, phoneNumbers: phones.stored },
      enterprise: each.enterprise,
    });
    const managerSerial = each.managed ? (stored[index >> 1]?.serial ?? newSerial().serial) : null;
    const attributes = storedAttributes(each.attributes as never);
    const { rows } = await executor.query<{ createdAt: Date; updatedAt: Date }>(
      `INSERT INTO users (serial, created_at, updated_at, version, is_active, employee_id, name, username, sign_in_name, email, phone,
         organization_serial, tag_serials, manager_serial, attributes, scim)
       VALUES ($1, timestamptz '2026-01-01Z' + $2 * interval '1 microsecond', timestamptz '2026-01-01Z' + $2 * interval '1 microsecond', $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
       RETURNING created_at AS "createdAt", updated_at AS "updatedAt"`,
      [
        serial,
        each.micros,
        1 + (index % 3),
        each.isActive,
        employeeID,
        each.name,
        username,
        signInName,
        emails.value,
        phone,
        each.organizationSerial,
        each.tagSerials,
        managerSerial,
        attributes,
        scim,
      ],
    );
    const [{ createdAt, updatedAt } = { createdAt: new Date(), updatedAt: new Date() }] = rows;
    stored.push({
      ...{ serial, employeeID, username, signInName, phone, scim, version: 1 + (index % 3), name: each.name },
      ...{ email: emails.value, isActive: each.isActive, tagSerials: each.tagSerials },
      organizationSerial: each.organizationSerial,
      manager: stored.find((one) => one.serial === managerSerial) ?? null,
      attributes: Object.fromEntries(
        companyAttributes.flatMap(({ id, key }) =>
          id in each.attributes ? [[key, each.attributes[id] as never]] : [],
        ),
      ),
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    });
  }
  return stored;
}
