import { isEmpty, isObject, isSame, type JsonObject, own } from './language/json.js';
import { urns } from './schemas.js';

/** What other services get of a user. What identity providers have stored besides, such as roles, stays here. */
const sentCore = [
  'userName',
  'name',
  'displayName',
  'nickName',
  'profileUrl',
  'title',
  'userType',
  'preferredLanguage',
  'locale',
  'timezone',
  'active',
  'emails',
  'phoneNumbers',
  'addresses',
] as const;

const sentEnterprise = ['employeeNumber', 'organization', 'division', 'department', 'costCenter'] as const;

interface AtTarget {
  readonly serial: string;
  readonly isActive: boolean;
  /** The ID of the manager at the target, if the manager is there. */
  readonly managerId: string | undefined;
}

/** A user as a target gets it, made from our own resource. */
export function targetResource(resource: JsonObject, { serial, isActive, managerId }: AtTarget): JsonObject {
  const enterprise = own(resource, urns.enterprise);
  const extension = {
    ...(isObject(enterprise) ? picked(enterprise, sentEnterprise) : {}),
    ...(managerId === undefined ? {} : { manager: { value: managerId } }),
  };
  return {
    schemas: [urns.user, urns.enterprise],
    externalId: serial,
    ...picked(resource, sentCore),
    active: isActive,
    [urns.enterprise]: extension,
  };
}

function picked(values: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = own(values, name);
      return isEmpty(value) ? [] : [[name, value]];
    }),
  );
}

/** The names of the attributes that a target has otherwise. What it has besides is its own business. */
export function differingFields(sent: JsonObject, there: JsonObject): string[] {
  const { schemas: _, [urns.enterprise]: extension, ...core } = sent;
  const theirs = valueIn(there, urns.enterprise);
  return [
    ...differing(core, there),
    ...(isObject(extension) ? differing(extension, isObject(theirs) ? theirs : {}) : []),
  ];
}

function differing(sent: JsonObject, there: JsonObject): string[] {
  return Object.entries(sent).flatMap(([name, value]) =>
    isThere(name, value, valueIn(there, name)) ? [] : [name],
  );
}

/** Whether everything that was sent is there, if not alone. */
function isThere(name: string, sent: unknown, there: unknown): boolean {
  if (Array.isArray(sent)) {
    if (!Array.isArray(there)) return sent.length === 0;
    return sent.every((each) => there.some((other) => isThere(name, each, other)));
  }
  if (isObject(sent)) {
    if (!isObject(there)) return false;
    const keys = 'value' in sent ? ['value'] : Object.keys(sent);
    return keys.every((key) => isThere(key, own(sent, key), valueIn(there, key)));
  }
  if (name === 'userName' && typeof sent === 'string' && typeof there === 'string') {
    return sent.toLowerCase() === there.toLowerCase();
  }
  return isSame(sent, there);
}

/** Attribute names are compared without regard to case. */
function valueIn(resource: JsonObject, name: string): unknown {
  const direct = own(resource, name);
  if (direct !== undefined) return direct;
  const key = Object.keys(resource).find((each) => each.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : own(resource, key);
}
