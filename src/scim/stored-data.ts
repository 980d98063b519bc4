import { isEmpty, isObject, type JsonObject } from './language/json.js';

/**
 * What identity providers know about a user and nothing else stands for (`users.scim`). In memory it is the text that
 * PostgreSQL prints for a `jsonb`, so that two users have the same data if their texts are the same.
 */
export interface StoredData {
  /** As the provider spells it, if it is stored as a sign-in name. */
  readonly userName?: string;
  /** By the ID of the client. */
  readonly externalIds?: Readonly<Record<string, string>>;
  /** The clients that have provisioned the user. */
  readonly providers?: readonly string[];
  /** A provider has deleted the user, who is only deactivated. */
  readonly deleted?: true;
  /**
   * By the ID of the client, names of attributes that are stored elsewhere, such as `emails`, and that it has set. A PUT of
   * this provider that omits one clears it, and keeps what others have set.
   */
  readonly sent?: Readonly<Record<string, readonly string[]>>;
  /** Attributes of the core schema without a counterpart. */
  readonly core?: JsonObject;
  /** The same of the enterprise extension. */
  readonly enterprise?: JsonObject;
  /** What users are looked up by; derived from the rest. */
  readonly keys?: readonly string[];
}

export const noData: StoredData = {};

export function parseStoredData(stored: string | null): StoredData {
  return stored === null ? noData : (JSON.parse(stored) as StoredData);
}

/** Null if there is nothing to store. */
export function storedText(data: StoredData): string | null {
  const entries = Object.entries({ ...data, keys: keysOf(data) }).filter(([, value]) => !isEmpty(value));
  return entries.length === 0 ? null : jsonbText(Object.fromEntries(entries));
}

/** In bytes of JSON. Addresses, photos as URLs and certificates fit. */
export const storedDataMaxBytes = 32_768;

export const lookupKeys = {
  deleted: 'deleted',
  externalId: (clientId: string, externalId: string) => `external:${clientId}:${externalId}`,
  provider: (clientId: string) => `provider:${clientId}`,
  email: (address: string) => `email:${address.toLowerCase()}`,
  manager: (text: string) => `manager:${text.toLowerCase()}`,
} as const;

function keysOf(data: StoredData): string[] {
  const { externalIds = {}, providers = [], core = {}, enterprise = {}, deleted } = data;
  const emails = Array.isArray(core.emails) ? core.emails : [];
  const manager = managerIn(enterprise);
  const keys = [
    ...providers.map(lookupKeys.provider),
    ...Object.entries(externalIds).map(([clientId, id]) => lookupKeys.externalId(clientId, id)),
    ...emails.flatMap((each) =>
      isObject(each) && typeof each.value === 'string' ? [lookupKeys.email(each.value)] : [],
    ),
    ...(manager === undefined ? [] : [lookupKeys.manager(manager)]),
    ...(deleted ? [lookupKeys.deleted] : []),
  ];
  return [...new Set(keys)].sort();
}

/** The manager as a provider has sent it, if nobody was meant by it. */
function managerIn({ manager }: JsonObject): string | undefined {
  return isObject(manager) && typeof manager.value === 'string' ? manager.value : undefined;
}

/** The same without the manager if it was sent as one of these texts, which are in lower case. */
export function withoutManager(stored: string | null, texts: ReadonlySet<string>): string | null {
  const data = parseStoredData(stored);
  const manager = managerIn(data.enterprise ?? {});
  if (manager === undefined || !texts.has(manager.toLowerCase())) return stored;
  const { manager: _, ...enterprise } = data.enterprise ?? {};
  return storedText({ ...data, enterprise });
}

/** JSON in the form in which PostgreSQL prints a `jsonb`: short keys first, then in the order of their bytes. */
export function jsonbText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(jsonbText).join(', ')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const keys = Object.keys(value).filter((key) => value[key] !== undefined);
  keys.sort(keys.every((key) => isAscii.test(key)) ? byLength : byBytes);
  return `{${keys.map((key) => `${JSON.stringify(key)}: ${jsonbText(value[key])}`).join(', ')}}`;
}

const isAscii = /^[\0-\x7f]*$/;

function byLength(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : 1);
}

function byBytes(a: string, b: string): number {
  return Buffer.byteLength(a) - Buffer.byteLength(b) || Buffer.compare(Buffer.from(a), Buffer.from(b));
}
