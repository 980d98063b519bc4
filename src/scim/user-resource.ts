import type { AttributeValue } from '../contract/attribute-values.js';
import type { Attribute } from '../contract/attributes.js';
import { emailField } from '../contract/fields.js';
import { type Place, placeOf } from './attribute-places.js';
import { companyValues, withCompanyValues } from './company-attributes.js';
import { type Contact, type ContactList, contactOf, contactValues } from './contact-values.js';
import { isEmpty, isObject, isSame, type JsonObject, own } from './language/json.js';
import { done, failed, type Outcome } from './language/outcome.js';
import { externalIdProblem, isStorableJson } from './read-resource.js';
import { urns } from './schemas.js';
import { parseStoredData, type StoredData, storedDataMaxBytes, storedText } from './stored-data.js';
import {
  changedParts,
  fullName,
  nameParts,
  readName,
  type SignInNames,
  signInNamesOf,
  userNameOf,
} from './user-names.js';

/** A user as the service stores it, with attributes by key as the provider may see them. */
export interface ProvisionedUser {
  readonly serial: string;
  readonly version: number;
  readonly employeeID: string;
  readonly name: string;
  readonly username: string | null;
  readonly signInName: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly isActive: boolean;
  readonly tagSerials: readonly string[];
  readonly organizationSerial: string | null;
  /** If the provider sees the manager. */
  readonly manager: { readonly serial: string; readonly name: string } | null;
  readonly attributes: Readonly<Record<string, AttributeValue>>;
  readonly scim: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** What a resource says besides the user. */
export interface ResourceFacts {
  readonly clientId: string;
  /** The URL of `/scim/v2`. */
  readonly baseUrl: string;
  /** The attributes that the provider may see, without those that are retired. */
  readonly company: readonly Attribute[];
  /** Display names by serial. */
  readonly tagNames: ReadonlyMap<string, string | null>;
  /** The tags that the provider may see. Undefined for all. */
  readonly visibleTags?: ReadonlySet<string> | undefined;
  readonly organizationNames: ReadonlyMap<string, string | null>;
}

/** Weak, because what a response contains depends on its parameters. */
export function entityTag(version: number): string {
  return `W/"${version}"`;
}

/** A user as a SCIM resource, with everything that it may have. */
export function userResource(user: ProvisionedUser, facts: ResourceFacts): JsonObject {
  const { baseUrl, clientId, company } = facts;
  const data = parseStoredData(user.scim);
  const { name, emails, phoneNumbers, ...core } = data.core ?? {};
  const location = `${baseUrl}/Users/${user.serial}`;
  const plain: JsonObject = {
    id: user.serial,
    ...optional('externalId', data.externalIds?.[clientId]),
    meta: {
      resourceType: 'User',
      created: user.createdAt,
      lastModified: user.updatedAt,
      location,
      version: entityTag(user.version),
    },
    userName: userNameOf(user, data.userName),
    name: nameParts(user.name, name),
    displayName: user.name,
    active: user.isActive,
    ...optional('emails', contactValues(user.email, emails)),
    ...optional('phoneNumbers', contactValues(user.phone, phoneNumbers)),
    ...core,
    ...optional(
      'groups',
      user.tagSerials
        .filter((serial) => facts.visibleTags?.has(serial) ?? true)
        .map((serial) => groupReference(serial, facts)),
    ),
    [urns.enterprise]: enterpriseOf(user, data.enterprise ?? {}, facts),
  };
  const resource = withCompanyValues(plain, company, user.attributes);
  const extensions = [urns.enterprise, urns.company].filter((urn) => own(resource, urn) !== undefined);
  return { schemas: [urns.user, ...extensions], ...resource };
}

function optional(name: string, value: unknown): JsonObject {
  return isEmpty(value) ? {} : { [name]: value };
}

function groupReference(serial: string, { baseUrl, tagNames }: ResourceFacts): JsonObject {
  const $ref = `${baseUrl}/Groups/${encodeURIComponent(serial)}`;
  return { value: serial, $ref, display: tagNames.get(serial) ?? serial, type: 'direct' };
}

function enterpriseOf(user: ProvisionedUser, stored: JsonObject, facts: ResourceFacts): JsonObject {
  const { organizationSerial, manager } = user;
  const organization =
    organizationSerial === null
      ? undefined
      : (facts.organizationNames.get(organizationSerial) ?? organizationSerial);
  const known = manager && {
    value: manager.serial,
    $ref: `${facts.baseUrl}/Users/${manager.serial}`,
    displayName: manager.name,
  };
  return {
    employeeNumber: user.employeeID,
    ...optional('organization', organization),
    ...stored,
    ...optional('manager', known ?? own(stored, 'manager')),
  };
}

/** What a request makes of a user. Undefined keeps what the user has. */
export interface WantedUser {
  readonly names: SignInNames | undefined;
  readonly employeeNumber: string | undefined;
  readonly name: string;
  readonly email: string | null | undefined;
  readonly phone: string | null | undefined;
  readonly isActive: boolean;
  /** As it was sent: the name or serial of an organization. */
  readonly organization: string | null | undefined;
  /** As it was sent: the ID of a user, or something else that may mean one. */
  readonly manager: string | null | undefined;
  /** By key; null clears. */
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly password: string | undefined;
  readonly data: StoredData;
  /** The same as it is stored. */
  readonly stored: string | null;
}

export type Writing = 'create' | 'replace' | 'patch';

interface Before {
  readonly user: ProvisionedUser;
  /** As `userResource` shows the user. */
  readonly resource: JsonObject;
}

/** What a resource that was sent, or the outcome of a PATCH, makes of a user. */
export function wantedUser(
  writing: Writing,
  resource: JsonObject,
  before: Before | null,
  { clientId, company }: Pick<ResourceFacts, 'clientId' | 'company'>,
): Outcome<WantedUser> {
  if (!isStorableJson(resource)) {
    return failed('invalidValue', 'A text contains NUL or a lone surrogate, which cannot be stored.');
  }
  const externalId = own(resource, 'externalId');
  const idProblem = typeof externalId === 'string' ? externalIdProblem(externalId) : undefined;
  if (idProblem) return idProblem;
  const stored = parseStoredData(before?.user.scim ?? null);
  const names = wantedNames(resource, before);
  if (!names.ok) return names;
  const name = wantedName(writing, resource, before);
  if (!name.ok) return name;
  const change = new Comparison(writing, resource, before?.resource ?? {}, new Set(stored.sent?.[clientId]));
  const emails = change.contact('emails');
  const phones = change.contact('phoneNumbers');
  const organization = change.text('organization');
  const manager = change.manager();
  const attributes = change.companyAttributes(company);
  const password = own(resource, 'password');
  const { deleted: _, userName: spelled, ...kept } = stored;
  const data: StoredData = {
    ...kept,
    ...(names.value ? optional('userName', names.value.userName) : optional('userName', spelled)),
    externalIds: withExternalId(stored.externalIds ?? {}, clientId, externalId, writing),
    providers: [...new Set([...(stored.providers ?? []), clientId])].sort(),
    core: coreWithout(resource, company, {
      name: storedName(writing, resource, before, stored),
      emails: emails ? emails.stored : stored.core?.emails,
      phoneNumbers: phones ? phones.stored : stored.core?.phoneNumbers,
    }),
    enterprise: {
      ...enterpriseWithout(resource, company),
      ...(manager === undefined && optional('manager', stored.enterprise?.manager)),
    },
    sent: { ...stored.sent, [clientId]: change.sent() },
  };
  const text = storedText(data);
  if (Buffer.byteLength(text ?? '') > storedDataMaxBytes) {
    return failed('invalidValue', `The attributes of a user may have at most ${storedDataMaxBytes} bytes.`);
  }
  const employeeNumber = own(enterpriseIn(resource), 'employeeNumber');
  const active = own(resource, 'active');
  return done({
    names: names.value,
    employeeNumber:
      typeof employeeNumber === 'string' && employeeNumber !== before?.user.employeeID
        ? employeeNumber
        : undefined,
    name: name.value,
    email: emails?.value ?? addressIn(writing, resource, { emails, phones }),
    phone: phones?.value,
    isActive: typeof active === 'boolean' ? active : (before?.user.isActive ?? true),
    ...{ organization, manager, attributes, data, stored: text },
    password: typeof password === 'string' && password !== '' ? password : undefined,
  });
}

/** Users need an address. New ones without any often have one as their name. */
function addressIn(
  writing: Writing,
  resource: JsonObject,
  { emails, phones }: { emails: Contact | undefined; phones: Contact | undefined },
): string | null | undefined {
  const userName = own(resource, 'userName');
  const hasPhone = phones !== undefined && phones.value !== null;
  return writing === 'create' && !hasPhone && emailField.accepts(userName) ? userName : emails?.value;
}

function enterpriseIn(resource: JsonObject): JsonObject {
  const value = own(resource, urns.enterprise);
  return isObject(value) ? value : {};
}

function wantedNames(resource: JsonObject, before: Before | null): Outcome<SignInNames | undefined> {
  const userName = own(resource, 'userName');
  if (typeof userName !== 'string' || userName === '') {
    return failed('invalidValue', '"userName" is required.');
  }
  return before && userName === own(before.resource, 'userName') ? done(undefined) : signInNamesOf(userName);
}

/** The display name, or else the parts of the name. Parts that a PATCH changes count if the name was made of them. */
function wantedName(writing: Writing, resource: JsonObject, before: Before | null): Outcome<string> {
  const displayName = own(resource, 'displayName');
  const parts = own(resource, 'name');
  if (writing === 'patch' && before) {
    const { name } = before.user;
    if (typeof displayName === 'string' && displayName !== name) return readName(displayName);
    const was = own(before.resource, 'name');
    if (isSame(was, parts)) return displayName === undefined ? readName(fullName(parts) ?? name) : done(name);
    const wasMadeOfParts = displayName === undefined || fullName(was) === name;
    return wasMadeOfParts ? readName(fullName(changedParts(was, parts)) ?? name) : done(name);
  }
  if (typeof displayName === 'string' && displayName.trim() !== '') return readName(displayName);
  return readName(fullName(parts) ?? before?.user.name ?? String(own(resource, 'userName')));
}

/** The parts of the name as a provider has sent them. Those that were only derived are not stored. */
function storedName(
  writing: Writing,
  resource: JsonObject,
  before: Before | null,
  stored: StoredData,
): unknown {
  const parts = own(resource, 'name');
  const was = before ? own(before.resource, 'name') : undefined;
  if (before && isSame(was, parts)) return stored.core?.name;
  return writing === 'patch' ? changedParts(was, parts) : parts;
}

function withExternalId(
  ids: Readonly<Record<string, string>>,
  clientId: string,
  sent: unknown,
  writing: Writing,
): Readonly<Record<string, string>> {
  if (typeof sent === 'string' && sent !== '') return { ...ids, [clientId]: sent };
  if (writing !== 'patch') return ids;
  const { [clientId]: _, ...others } = ids;
  return others;
}

/** What is stored elsewhere, or not at all. */
const notInCore = [
  'schemas',
  'id',
  'externalId',
  'meta',
  'userName',
  'displayName',
  'active',
  'password',
  'groups',
  urns.enterprise,
  urns.company,
];

const notInEnterprise = ['employeeNumber', 'organization', 'manager'];

function namesElsewhere(
  place: Place,
  names: readonly string[],
  company: readonly Attribute[],
): ReadonlySet<string> {
  const defined = company.filter((each) => placeOf(each) === place).map(({ key }) => key);
  return new Set([...names, ...defined]);
}

function coreWithout(resource: JsonObject, company: readonly Attribute[], lists: JsonObject): JsonObject {
  const elsewhere = namesElsewhere('core', notInCore, company);
  const own = Object.entries(resource).filter(
    ([name]) => !elsewhere.has(name) && !Object.hasOwn(lists, name),
  );
  const listed = Object.entries(lists).filter(([, value]) => !isEmpty(value));
  return Object.fromEntries([...own, ...listed]);
}

/** A manager whom nobody knows yet stays, so that it is not lost; whoever resolves it removes it. */
function enterpriseWithout(resource: JsonObject, company: readonly Attribute[]): JsonObject {
  const elsewhere = namesElsewhere('enterprise', notInEnterprise, company);
  return Object.fromEntries(Object.entries(enterpriseIn(resource)).filter(([name]) => !elsewhere.has(name)));
}

/** Compares what a resource says with what it said before, and notes what providers have sent. */
class Comparison {
  readonly #writing: Writing;
  readonly #after: JsonObject;
  readonly #before: JsonObject;
  readonly #sent: Set<string>;

  constructor(writing: Writing, after: JsonObject, before: JsonObject, sent: Set<string>) {
    this.#writing = writing;
    this.#after = after;
    this.#before = before;
    this.#sent = sent;
  }

  sent(): string[] {
    return [...this.#sent].sort();
  }

  contact(list: ContactList): Contact | undefined {
    const value = this.#changed(list, own(this.#after, list), own(this.#before, list));
    if (value === undefined) return undefined;
    return contactOf(list, Array.isArray(value) ? value : []);
  }

  text(name: 'organization'): string | null | undefined {
    const [after, before] = [this.#after, this.#before].map((each) => own(enterpriseIn(each), name));
    const value = this.#changed(name, after, before);
    return value === undefined || value === null ? value : String(value);
  }

  manager(): string | null | undefined {
    const [after, before] = [this.#after, this.#before].map((each) => {
      const manager = own(enterpriseIn(each), 'manager');
      return isObject(manager) ? own(manager, 'value') : undefined;
    });
    const value = this.#changed('manager', after === '' ? undefined : after, before);
    return value === undefined || value === null ? value : String(value);
  }

  /** Only those that change. */
  companyAttributes(company: readonly Attribute[]): Record<string, unknown> {
    const after = companyValues(this.#after, company);
    const before = companyValues(this.#before, company);
    const changes: Record<string, unknown> = {};
    for (const { key } of company) {
      const value = this.#changed(`attributes.${key}`, after[key], before[key]);
      if (value !== undefined) changes[key] = value;
    }
    return changes;
  }

  /** The new value, null to clear it, or undefined to keep what is there. */
  #changed(name: string, after: unknown, before: unknown): unknown {
    const isAbsent = isEmpty(after);
    const isUnchanged = isSame(isAbsent ? undefined : after, isEmpty(before) ? undefined : before);
    const wasSent = this.#sent.has(name);
    if (this.#writing !== 'patch') {
      if (isAbsent) this.#sent.delete(name);
      else if (!isUnchanged) this.#sent.add(name); // what is only sent back stays with whoever has set it
      return isAbsent ? (wasSent && !isEmpty(before) ? null : undefined) : isUnchanged ? undefined : after;
    }
    if (isUnchanged) return undefined;
    if (isAbsent) this.#sent.delete(name);
    else this.#sent.add(name);
    return isAbsent ? null : after;
  }
}
