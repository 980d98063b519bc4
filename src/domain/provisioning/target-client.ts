import type { TargetError } from '../../contract/enums.js';
import { isStorable } from '../../contract/fields.js';
import { scimTargetLimits } from '../../contract/limits.js';
import { isObject, type JsonObject, own } from '../../scim/language/json.js';

export interface TargetRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** After the base URL, with its query. */
  readonly path: string;
  readonly body?: JsonObject;
}

export interface TargetFailure {
  readonly ok: false;
  /** Stopped: the node stops, or another one has taken over. */
  readonly error: TargetError | 'stopped';
  readonly status: number | null;
  readonly retryAfterSeconds?: number | undefined;
}

export type TargetAnswer =
  /** The body is undefined if it is no JSON object. */
  { readonly ok: true; readonly status: number; readonly body: JsonObject | undefined } | TargetFailure;

/** Sends one request to a target. */
export type Ask = (request: TargetRequest) => Promise<TargetAnswer>;

const wholeTarget: readonly TargetFailure['error'][] = [
  'hostRefused',
  'unreachable',
  'certificateNotTrusted',
  'unauthorized',
  'rateLimited',
  'redirected',
];

/** Whether the next request would fail as well. */
export function isAboutTarget({ error }: TargetFailure): boolean {
  return wholeTarget.includes(error);
}

/** Whether the failure may be due to what was sent, and not to the target. */
export function isAboutItem({ error, status }: TargetFailure): boolean {
  return error === 'conflict' || (error === 'rejected' && status !== 403);
}

export type FoundThere = { readonly ok: true; readonly resource: JsonObject | undefined } | TargetFailure;

/**
 * The one resource of a list that has a value. Some services ignore filters that they do not understand and return
 * everything, so the value is checked.
 */
export async function findThere(
  ask: Ask,
  type: 'Users' | 'Groups',
  attribute: 'externalId' | 'userName' | 'displayName',
  value: string,
): Promise<FoundThere> {
  const filter = encodeURIComponent(`${attribute} eq ${JSON.stringify(value)}`);
  const answer = await ask({ method: 'GET', path: `/${type}?filter=${filter}` });
  if (!answer.ok) return answer;
  const listed = resourcesIn(answer.body);
  if (listed === undefined) return { ok: false, error: 'invalidResponse', status: answer.status };
  const folded = (text: string) => (attribute === 'externalId' ? text : text.toLowerCase());
  const resource = listed.find((each) => {
    const has = own(each, attribute);
    return typeof has === 'string' && folded(has) === folded(value) && remoteIdIn(each) !== undefined;
  });
  return { ok: true, resource };
}

/** Undefined if the body is no list. Services may leave out an empty one. */
export function resourcesIn(body: JsonObject | undefined): JsonObject[] | undefined {
  if (body === undefined) return undefined;
  const resources = own(body, 'Resources');
  if (Array.isArray(resources)) return resources.filter(isObject);
  return own(body, 'totalResults') === 0 ? [] : undefined;
}

export function remoteIdIn(resource: JsonObject | undefined): string | undefined {
  const id = resource && own(resource, 'id');
  const isId =
    typeof id === 'string' && id !== '' && id.length <= scimTargetLimits.remoteIdMaxLength && isStorable(id);
  return isId ? id : undefined;
}

/** Undefined if the text is no JSON object. */
export function bodyIn(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
