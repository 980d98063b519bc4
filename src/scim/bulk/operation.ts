import { isObject, type JsonObject, own } from '../language/json.js';
import { done, failed, type Outcome, quoted } from '../language/outcome.js';
import { urns } from '../schemas.js';

export const bulkMethods = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type BulkMethod = (typeof bulkMethods)[number];

/** An operation of a bulk request (RFC 7644, section 3.7). */
export interface BulkOperation {
  readonly method: BulkMethod;
  readonly resourceType: 'User' | 'Group';
  /** The ID in the path, or a reference such as `bulkId:xyz`. Absent if the operation creates a resource. */
  readonly id: string | undefined;
  readonly bulkId: string | undefined;
  /** As an If-Match header. */
  readonly version: string | undefined;
  readonly data: unknown;
}

/** What the response repeats, whether or not the operation makes sense. */
export interface SentOperation {
  readonly method: string | undefined;
  readonly bulkId: string | undefined;
}

/** Names of messages are compared in any case. */
function lowerCased(sent: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(sent).map(([name, value]) => [name.toLowerCase(), value]));
}

export function sentOperation(sent: unknown): SentOperation {
  const operation = isObject(sent) ? lowerCased(sent) : {};
  const [method, bulkId] = ['method', 'bulkid'].map((name) => own(operation, name));
  return { method: echoed(method)?.toUpperCase(), bulkId: echoed(bulkId) };
}

function echoed(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= echoMaxLength ? value : undefined;
}

const echoMaxLength = 1_000;

/** What paths of operations may begin with. */
export function pathBases(baseUrl: string): readonly string[] {
  return [baseUrl, new URL(baseUrl).pathname].map((base) => `${base}/`);
}

export function readOperation(sent: unknown, bases: readonly string[]): Outcome<BulkOperation> {
  if (!isObject(sent)) return failed('invalidSyntax', 'An operation must be a JSON object.');
  const operation = lowerCased(sent);
  const text = (name: string) => {
    const value = own(operation, name);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const method = bulkMethods.find((each) => each === text('method')?.toUpperCase());
  if (!method) return failed('invalidSyntax', `"method" must be ${listed(bulkMethods)}.`);
  const path = pathOf(text('path') ?? '', bases);
  if (!path) {
    return failed(
      'invalidSyntax',
      `"path" must be /Users or /Groups, with an ID unless the method is POST, not ${quoted(own(operation, 'path') ?? null)}.`,
    );
  }
  const { resourceType, id } = path;
  if (method === 'POST' && id !== undefined) {
    return failed('invalidSyntax', 'The "path" of a POST must not have an ID.');
  }
  if (method !== 'POST' && id === undefined) {
    return failed('invalidSyntax', `The "path" of a ${method} must have an ID.`);
  }
  const bulkId = text('bulkid');
  if (method === 'POST' && bulkId === undefined) {
    return failed('invalidSyntax', 'A POST must have a "bulkId", which can be any text.');
  }
  const data = own(operation, 'data');
  if (method !== 'DELETE' && !isObject(data)) {
    return failed('invalidSyntax', `A ${method} must have "data", which is a JSON object.`);
  }
  return done({ method, resourceType, id, bulkId, version: text('version'), data });
}

function listed(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

const resourcePath = /^\/?(Users|Groups)(?:\/([^/?#]+))?\/?(?:\?.*)?$/i;

/** With or without the base, as a path or a URL. */
function pathOf(
  path: string,
  bases: readonly string[],
): { readonly resourceType: 'User' | 'Group'; readonly id: string | undefined } | undefined {
  const base = bases.find((each) => path.startsWith(each)) ?? '';
  const [, name, id] = resourcePath.exec(path.slice(base.length)) ?? [];
  if (name === undefined) return undefined;
  return { resourceType: name.toLowerCase() === 'users' ? 'User' : 'Group', id: id && decoded(id) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The operations of a PATCH, as they are in the data of an operation or in a request of their own. */
export function patchOperationsIn(message: unknown): Outcome<readonly unknown[]> {
  const sent = isObject(message) ? lowerCased(message) : {};
  const [schemas, operations] = ['schemas', 'operations'].map((name) => own(sent, name));
  // Some clients leave it out. Another one announces a message of another kind.
  const isPatch = schemas == null || (Array.isArray(schemas) && schemas.includes(urns.patch));
  if (!isPatch) return failed('invalidSyntax', `"schemas" must contain ${quoted(urns.patch)}.`);
  if (Array.isArray(operations) && operations.length > 0) return done(operations);
  return failed('invalidSyntax', '"Operations" must be a list of at least one operation.');
}
