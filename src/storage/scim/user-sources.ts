import type { Attribute } from '../../contract/attributes.js';
import type { DirectoryKind } from '../../contract/directories.js';
import { foldedUserName } from '../../contract/user-names.js';
import { placeOf } from '../../scim/attribute-places.js';
import type { ContactList } from '../../scim/contact-values.js';
import type { DescribedAttribute } from '../../scim/schemas.js';
import { urns, userSchema } from '../../scim/schemas.js';
import { lookupKeys } from '../../scim/stored-data.js';
import { type Parameter, textArray } from '../sql.js';
import type { Fresh } from '../users/matching-users.js';
import { holders } from './tag-holders.js';

/**
 * How SQL computes an attribute from a row of `users`. It is what `userResource` shows, so that a filter finds exactly the
 * users whose resources match; a test compares the two.
 */
export type Source = SimpleSource | ComplexSource | ListSource;

export interface SimpleSource {
  readonly kind: 'simple';
  readonly type: 'text' | 'boolean' | 'number' | 'instant';
  /** NULL if there is no value. */
  readonly sql: string;
  /** A condition on `users` that has an index, and that all users with the value satisfy. */
  readonly lookup?: (value: string) => string | undefined;
  /** Whether many users may have the same value. The planner knows how many. */
  readonly isCommon?: boolean;
  /** A faster way to test the value. The test is never true of NULL. */
  readonly tested?: (test: (sql: string) => string) => string;
  /** What equality compares, if the attribute has a `fold`. */
  readonly folded?: string;
  /** An expression with the same order that has an index. */
  readonly sorted?: { readonly sql: string; readonly type: 'uuid' | 'text' };
}

export interface ComplexSource {
  readonly kind: 'complex';
  readonly exists: string;
  readonly sub: Sources;
}

export interface ListSource {
  readonly kind: 'list';
  /** Has a row per value, with its `place` in the list. */
  readonly rows: string;
  readonly element: SimpleSource | ComplexSource;
  /** What nearly all users have instead, which is faster to test. */
  readonly usual?: { readonly when: string; readonly element: ComplexSource };
}

/** By the name of an attribute as the schema spells it. Undefined if nobody has a value. */
export type Sources = (name: string) => Source | undefined;

/** What resources depend on besides the user. */
export interface SourceFacts {
  readonly clientId: string;
  /** The URL of `/scim/v2`. */
  readonly baseUrl: string;
  /** The attributes that the provider may see, without those that are retired. */
  readonly company: readonly Attribute[];
  /** Whether the provider sees only the groups that it manages. */
  readonly isOwn?: boolean;
  /** Lets the index of tags find the members of groups. */
  readonly fresh?: Fresh;
}

export function userSources(facts: SourceFacts, parameter: Parameter): Sources {
  const { clientId, baseUrl, company } = facts;
  const parts: Readonly<Record<string, () => Source>> = {
    schemas: () => schemas(company),
    id: () => serial('users.serial'),
    externalId: () =>
      textWith(() => `users.scim -> 'externalIds' ->> ${parameter(clientId)}::text`, {
        lookup: (value) => hasKey(lookupKeys.externalId(clientId, value), parameter),
      }),
    meta: () => meta(baseUrl, parameter),
    userName: () => userName(parameter),
    name: nameParts,
    displayName: () => text('users.name'),
    active: () => boolean('users.is_active'),
    emails: () => contacts('emails', 'users.email', (value) => hasEmail(value, parameter)),
    phoneNumbers: () => contacts('phoneNumbers', 'users.phone'),
    groups: () => groups(facts, parameter),
    [urns.enterprise]: () => ({ kind: 'complex', exists: 'true', sub: enterprise(facts, parameter) }),
    [urns.company]: () => extension(company),
  };
  const described = new Map(userSchema([]).attributes.map((each) => [each.name, each as DescribedAttribute]));
  return (name) => {
    const part = Object.hasOwn(parts, name) ? parts[name] : undefined;
    if (part) return part();
    const attribute = described.get(name);
    return attribute && attribute.returned !== 'never' ? stored('core', attribute, company) : undefined;
  };

  function serial(column: string): SimpleSource {
    return text(`${column}::text`, {
      lookup: (value) => (isUuid(value) ? `${column} = ${parameter(value)}::uuid` : 'false'),
      sorted: { sql: column, type: 'uuid' },
    });
  }
}

/** In the form in which serials are shown. */
export function isUuid(value: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value);
}

type TextOptions = Pick<SimpleSource, 'lookup' | 'isCommon' | 'tested' | 'folded' | 'sorted'>;

function text(sql: string, options: TextOptions = {}): SimpleSource {
  return { kind: 'simple', type: 'text', sql, ...options };
}

/** A statement may have no parameters that it doesn't use, so this adds them when the expression is written. */
function textWith(write: () => string, options: TextOptions = {}): SimpleSource {
  return {
    ...{ kind: 'simple', type: 'text' },
    get sql() {
      return write();
    },
    ...options,
  };
}

function boolean(sql: string): SimpleSource {
  return { kind: 'simple', type: 'boolean', sql };
}

function complex(exists: string, subs: Readonly<Record<string, () => Source>>): ComplexSource {
  return { kind: 'complex', exists, sub: (name) => (Object.hasOwn(subs, name) ? subs[name]?.() : undefined) };
}

function hasKey(key: string, parameter: Parameter): string {
  return `(users.scim -> 'keys') @> ${parameter(JSON.stringify([key]))}::jsonb`;
}

/** Users whom a provider manages. */
export function isOfProvider(clientId: string, parameter: Parameter, found: 'in order' | 'by index'): string {
  return found === 'by index'
    ? hasKey(lookupKeys.provider(clientId), parameter)
    : `coalesce((users.scim -> 'providers') ? ${parameter(clientId)}::text, false)`; // taken to be true of every other user
}

/** Users whom a provider has deleted. They are inactive. */
export function isDeleted(parameter: Parameter): string {
  return `(${hasKey(lookupKeys.deleted, parameter)} AND NOT users.is_active)`;
}

/** Users whom no provider has deleted, or whom others have activated since. */
export const isNotDeleted = `(users.is_active OR (users.scim -> 'deleted') IS NULL)`;

/** Which users a provider sees. */
export interface Seeing {
  readonly clientId: string;
  /** Whether only those whom it manages. */
  readonly isOwn: boolean;
}

/** A condition on `users`. */
export function isSeen({ clientId, isOwn }: Seeing, parameter: Parameter): string {
  return isOwn ? `${isNotDeleted} AND ${isOfProvider(clientId, parameter, 'in order')}` : isNotDeleted;
}

function schemas(company: readonly Attribute[]): ListSource {
  const always = `ARRAY['${urns.user}', '${urns.enterprise}']`;
  return {
    kind: 'list',
    rows: `unnest(${always} || CASE WHEN ${hasExtension(company)} THEN ARRAY['${urns.company}'] END)
      WITH ORDINALITY AS listed (element, place)`,
    element: text('listed.element'),
  };
}

function meta(baseUrl: string, parameter: Parameter): ComplexSource {
  const instant = (column: string): SimpleSource => ({ kind: 'simple', type: 'instant', sql: column });
  return complex('true', {
    resourceType: () => text(`'User'::text`),
    // Serials start with the time of creation.
    created: () => ({ ...instant('users.created_at'), sorted: { sql: 'users.serial', type: 'uuid' } }),
    lastModified: () => instant('users.updated_at'),
    location: () => textWith(() => `${parameter(`${baseUrl}/Users/`)}::text || users.serial`),
    version: () => text(`'W/"' || users.version || '"'`),
  });
}

/** As `userNameOf`. Only the index tells whose employee ID it is in this spelling, or in upper or lower case. */
function userName(parameter: Parameter): SimpleSource {
  const sql = `CASE WHEN users.sign_in_name IS NULL THEN coalesce(users.username, users.employee_id)
    ELSE coalesce(users.scim ->> 'userName', users.sign_in_name) END`;
  return text(sql, {
    // Sign-in names are stored so, and other names consist of letters and digits.
    folded: 'coalesce(users.sign_in_name, users.username, users.employee_id)',
    lookup: (value) => {
      const folded = foldedUserName(value);
      const spellings = [...new Set([value, folded, folded.toUpperCase()])];
      return [
        `lower(users.username) = ${parameter(folded)}::text`,
        `users.employee_id = ANY (${parameter(textArray(spellings))}::text[])`,
        `users.sign_in_name = ${parameter(folded)}::text`,
      ].join(' OR ');
    },
  });
}

/** As `nameParts`. */
function nameParts(): ComplexSource {
  const stored = `users.scim #> '{core,name}'`;
  const lastWord = `split_part(users.name, ' ', -1)`;
  const part = (sub: string) => `users.scim #>> '{core,name,${sub}}'`;
  const derived = (sub: string, sql: string) =>
    text(`CASE WHEN users.scim #> '{core,name}' IS NULL THEN ${sql} ELSE ${part(sub)} END`);
  const isBlank = (sub: string) => `btrim(${part(sub)}, ${whitespace}) = ''`;
  const words = ['givenName', 'middleName', 'familyName'].map(
    (sub) => `CASE WHEN NOT ${isBlank(sub)} THEN ${part(sub)} END`,
  );
  return complex('true', {
    formatted: () =>
      text(`CASE WHEN ${stored} IS NULL THEN users.name WHEN ${stored} ? 'formatted' THEN ${part('formatted')}
      ELSE coalesce(nullif(concat_ws(' ', ${words.join(', ')}), ''), users.name) END`),
    familyName: () => derived('familyName', lastWord),
    givenName: () =>
      derived('givenName', `coalesce(nullif(left(users.name, -1 - length(${lastWord})), ''), users.name)`),
    middleName: () => text(part('middleName')),
    honorificPrefix: () => text(part('honorificPrefix')),
    honorificSuffix: () => text(part('honorificSuffix')),
  });
}

/** As JavaScript trims. */
const whitespace = String.raw`E' \t\n\u000b\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'`;

/**
 * The address of the user, or one of the others. The index folds the former as the database does, which only is how
 * texts are compared if they are ASCII.
 */
function hasEmail(value: string, parameter: Parameter): string | undefined {
  const folded = value.toLowerCase();
  const isAscii = /^[\0-\x7f]*$/.test(value);
  return isAscii
    ? `lower(users.email) = ${parameter(folded)}::text OR ${hasKey(lookupKeys.email(folded), parameter)}`
    : undefined;
}

/** As `contactValues`. */
function contacts(list: ContactList, column: string, lookup?: SimpleSource['lookup']): ListSource {
  const stored = `users.scim #> '{core,${list}}'`;
  const isOwn = `listed.element @> '{"isOwn": true}'`;
  const ownUnlessListed = `CASE WHEN ${column} IS NULL OR ${stored} @> '[{"isOwn": true}]' THEN '[]'
    WHEN ${stored} @> '[{"primary": true}]' THEN '[{"isOwn": true, "type": "work"}]'
    ELSE '[{"isOwn": true, "type": "work", "primary": true}]' END::jsonb`;
  const found = lookup && { lookup };
  return {
    kind: 'list',
    rows: `(SELECT * FROM jsonb_array_elements(${ownUnlessListed} || coalesce(${stored}, '[]'))
      WITH ORDINALITY AS listed (element, place) WHERE NOT (${column} IS NULL AND ${isOwn})) AS listed`,
    element: complex(`listed.element <> '{}'`, {
      value: () => text(`CASE WHEN ${isOwn} THEN ${column} ELSE listed.element ->> 'value' END`, found),
      display: () => text(`listed.element ->> 'display'`),
      type: () => text(`listed.element ->> 'type'`),
      primary: () => boolean(`(listed.element ->> 'primary') = 'true'`),
    }),
    usual: {
      when: `${stored} IS NULL`,
      element: complex(`${column} IS NOT NULL`, {
        value: () => text(column, found),
        type: () => text(`CASE WHEN ${column} IS NOT NULL THEN 'work' END`),
        primary: () => boolean(`${column} IS NOT NULL OR NULL`),
      }),
    },
  };
}

function groups({ baseUrl, clientId, isOwn, fresh }: SourceFacts, parameter: Parameter): ListSource {
  const all = 'unnest(users.tag_serials) WITH ORDINALITY';
  return {
    kind: 'list',
    // Adds the parameter when it is written: a statement may have none that it doesn't use.
    get rows() {
      if (!isOwn) return `${all} AS listed (element, place)`;
      return `(SELECT element, place FROM ${all} AS held (element, place) WHERE EXISTS (
        SELECT FROM scim_groups WHERE tag_serial = element AND ${parameter(clientId)}::text = ANY (providers))) AS listed`;
    },
    element: complex('true', {
      value: () =>
        text('listed.element', {
          // Unlike an array, a subquery is hashed if the planner reads everyone: after OR, or for several groups.
          lookup: (value) =>
            fresh && `users.serial IN (${holders(`${parameter(value)}::text`, fresh, parameter)})`,
          isCommon: true,
        }),
      $ref: () =>
        textWith(() => `${parameter(`${baseUrl}/Groups/`)}::text || ${uriComponent('listed.element')}`),
      display: () => displayed('tags', 'listed.element'),
      type: () => text(`'direct'::text`),
    }),
  };
}

/** As `encodeURIComponent`. */
function uriComponent(sql: string): string {
  const escaped = `regexp_replace(upper(encode(convert_to(letter, 'UTF8'), 'hex')), '(..)', '%\\1', 'g')`;
  return `(SELECT string_agg(CASE WHEN letter COLLATE "C" ~ '[A-Za-z0-9_.!~*''()-]' THEN letter ELSE ${escaped} END, '' ORDER BY at)
    FROM string_to_table(${sql}, NULL) WITH ORDINALITY AS letters (letter, at))`;
}

function enterprise(facts: SourceFacts, parameter: Parameter): Sources {
  const { company } = facts;
  const described = userSchema([]).attributes.find((each) => each.name === urns.enterprise)?.subAttributes;
  return (name) => {
    if (name === 'employeeNumber') {
      return text('users.employee_id', {
        lookup: (value) => `users.employee_id = ${parameter(value)}::text`,
        sorted: { sql: 'users.employee_id', type: 'text' },
      });
    }
    if (name === 'organization') return displayed('organizations', 'users.organization_serial');
    if (name === 'manager') return manager(facts, parameter);
    const attribute = described?.find((each) => each.name === name);
    return attribute && stored('enterprise', attribute as DescribedAttribute, company);
  };
}

/** The display name of an entry of a directory, or else its serial. */
function displayed(kind: DirectoryKind, serial: string): SimpleSource {
  const named = `SELECT serial FROM ${kind} WHERE display_name IS NOT NULL`;
  return text(`coalesce((SELECT display_name FROM ${kind} WHERE ${kind}.serial = ${serial}), ${serial})`, {
    // All entries are tested once, and not those of each user.
    tested: (test) => `(${serial} IN (${named} AND ${test(`${kind}.display_name`)})
      OR ${test(serial)} AND ${serial} NOT IN (${named}))`,
  });
}

/** A manager whom the provider doesn't see is nobody. One whom nobody knows yet is stored as sent. */
function manager({ baseUrl, clientId, isOwn = false }: SourceFacts, parameter: Parameter): ComplexSource {
  const isKnown =
    () => `EXISTS (SELECT FROM (SELECT users.manager_serial AS serial) AS meant CROSS JOIN LATERAL (
    SELECT FROM users WHERE users.serial = meant.serial AND ${isSeen({ clientId, isOwn }, parameter)}) AS manager)`;
  const part = (sub: string, write: () => string, options?: TextOptions) =>
    textWith(
      () => `CASE WHEN ${isKnown()} THEN ${write()} ELSE users.scim #>> '{enterprise,manager,${sub}}' END`,
      options,
    );
  const lookup = (value: string) => {
    const serial = value.toLowerCase();
    const sent = hasKey(lookupKeys.manager(value), parameter);
    return isUuid(serial) ? `users.manager_serial = ${parameter(serial)}::uuid OR ${sent}` : sent;
  };
  const value = part('value', () => 'users.manager_serial::text', { lookup });
  return {
    kind: 'complex',
    // Written only if asked for, as it has a parameter.
    get exists() {
      return `${isKnown()} OR users.scim #> '{enterprise,manager}' <> '{}'`;
    },
    sub: (name) =>
      name === 'value'
        ? value
        : name === '$ref'
          ? part('$ref', () => `${parameter(`${baseUrl}/Users/`)}::text || users.manager_serial`)
          : name === 'displayName'
            ? part(
                'displayName',
                () => '(SELECT name FROM users AS manager WHERE manager.serial = users.manager_serial)',
              )
            : undefined,
  };
}

/** An attribute without a counterpart, or one that the company has defined under the same key. */
function stored(
  place: 'core' | 'enterprise',
  { name, type, multiValued, subAttributes }: DescribedAttribute,
  company: readonly Attribute[],
): Source {
  const path = `users.scim #> '{${place},${name}}'`;
  if (!multiValued) {
    const defined = company.find((each) => each.key === name && placeOf(each) === place);
    const sent = `users.scim #>> '{${place},${name}}'`;
    return text(defined ? `coalesce(users.attributes ->> '${defined.id}', ${sent})` : sent);
  }
  const subs = (subAttributes ?? []).map((sub): [string, () => Source] => {
    const sql = `listed.element ->> '${sub.name}'`;
    return [sub.name, () => (sub.type === 'boolean' ? boolean(`(${sql}) = 'true'`) : text(sql))];
  });
  return {
    kind: 'list',
    rows: `jsonb_array_elements(CASE jsonb_typeof(${path}) WHEN 'array' THEN ${path} END)
      WITH ORDINALITY AS listed (element, place)`,
    element:
      type === 'complex'
        ? complex(`listed.element <> '{}'`, Object.fromEntries(subs))
        : text("listed.element #>> '{}'"),
  };
}

function hasExtension(company: readonly Attribute[]): string {
  const ids = company.filter((each) => placeOf(each) === 'extension').map(({ id }) => `'${id}'`);
  return ids.length === 0 ? 'false' : `users.attributes ?| ARRAY[${ids.join(', ')}]`;
}

function extension(company: readonly Attribute[]): ComplexSource {
  const subs = company
    .filter((each) => placeOf(each) === 'extension')
    .map((each): [string, () => Source] => [each.key, () => companySource(each)]);
  return complex(hasExtension(company), Object.fromEntries(subs));
}

function companySource({ id, type }: Attribute): Source {
  const value = `users.attributes ->> '${id}'`;
  switch (type) {
    case 'number':
      return { kind: 'simple', type: 'number', sql: `(${value})::numeric` };
    case 'boolean':
      return boolean(`(${value}) = 'true'`);
    case 'list':
      return {
        kind: 'list',
        rows: `jsonb_array_elements_text(users.attributes -> '${id}') WITH ORDINALITY AS listed (element, place)`,
        element: text('listed.element'),
      };
    default:
      return text(value);
  }
}
