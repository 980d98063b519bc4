import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type ErrorName, type Failure, failure } from '../contract/errors.js';
import { orNull } from '../contract/shapes.js';
import type { ClientCredentials } from '../domain/access/authenticate-client.js';
import { quoted } from '../domain/read-fields.js';
import type { Result } from '../domain/result.js';
import type { JsonBody } from './json-body.js';
import { RequestRejected } from './request-rejected.js';

/** RFC 6749 defines forms. Many HTTP clients send JSON more easily, so it is accepted as well. */
export const oauthBodyTypes = ['application/x-www-form-urlencoded', 'application/json'] as const;

/** In JSON, null is the same as absent. */
export function optionalText(description: string, options: { pattern?: string } = {}) {
  return Type.Optional(orNull(Type.String({ ...options, description })));
}

/** The fields of a client that does not use HTTP Basic authentication. */
export const clientCredentialFields = {
  client_id: optionalText('Unless sent with HTTP Basic authentication.'),
  client_secret: optionalText('Unless sent with HTTP Basic authentication.'),
};

/** Errors of every OAuth endpoint, besides those of the client. */
export const oauthErrors = [
  'ACCESS_TOKEN_REQUEST_INVALID',
  'REQUEST_MEDIA_TYPE_UNSUPPORTED',
  'REQUEST_BODY_NOT_JSON',
  'REQUEST_BODY_TOO_DEEP',
  'REQUEST_BODY_TOO_LARGE',
  'REQUEST_RATE_LIMITED',
  'SERVICE_UNAVAILABLE',
] as const satisfies readonly ErrorName[];

/** The fields sent to an OAuth endpoint. */
export interface OAuthForm {
  /** A parameter without a value is treated as omitted (RFC 6749, section 3.2). */
  field(name: string): string | undefined;
}

export function readOAuthForm({ body }: FastifyRequest): Result<{ readonly form: OAuthForm }> {
  if (body != null && !(body instanceof URLSearchParams)) return readJson(body as JsonBody);
  const seen = new Map<string, string>();
  for (const [name, value] of body ?? []) {
    if (seen.has(name)) return fieldTwice;
    seen.set(name, value);
  }
  return { ok: true, form: { field: (name) => seen.get(name) || undefined } };
}

function readJson({ value, repeatedField }: JsonBody): Result<{ readonly form: OAuthForm }> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return invalidForm('The body must be a JSON object with the fields of RFC 6749.');
  }
  if (repeatedField !== undefined) return fieldTwice;
  const fields = new Map<string, string>();
  for (const [name, content] of Object.entries(value)) {
    if (typeof content === 'string') fields.set(name, content);
    else if (content !== null) return invalidForm(`"${quoted(name)}" must be a string.`);
  }
  return { ok: true, form: { field: (name) => fields.get(name) || undefined } };
}

/** Client authentication by HTTP Basic or by form fields, never both (RFC 6749, section 2.3). */
export function readClientCredentials(
  request: FastifyRequest,
  { field }: OAuthForm,
): Result<{ readonly credentials: ClientCredentials }> {
  const basic = basicCredentials(request.headers.authorization);
  if (basic && field('client_secret'))
    return invalidForm('Send the credentials once, either with HTTP Basic or as fields of the body.');
  const clientId = basic?.id ?? field('client_id');
  const clientSecret = basic?.secret ?? field('client_secret');
  if (clientId === undefined || clientSecret === undefined) {
    return rejectForm(
      'ACCESS_CLIENT_INVALID',
      'Send client_id and client_secret, either as fields of the body or with HTTP Basic.',
    );
  }
  if (clientId.includes('\u0000'))
    return rejectForm('ACCESS_CLIENT_INVALID', 'The client ID must not contain NUL characters.');
  return { ok: true, credentials: { clientId, clientSecret } };
}

/** RFC 6749 form-encodes both parts before joining them; IDs and secrets without special characters are unaffected. */
function basicCredentials(authorization: string | undefined): { id: string; secret: string } | undefined {
  const [, encoded] = /^basic +([A-Za-z0-9+/=_-]+)$/i.exec(authorization?.trim() ?? '') ?? [];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) return undefined;
  return { id: formDecoded(text.slice(0, colon)), secret: formDecoded(text.slice(colon + 1)) };
}

function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

export function oauthRejected(problem: Failure): RequestRejected {
  const isAboutClient = problem.error === 'ACCESS_CLIENT_INVALID';
  return new RequestRejected(problem, isAboutClient ? { 'www-authenticate': 'Basic realm="rollcall"' } : {});
}

const fieldTwice = invalidForm('A field appears twice. Send each field once.');

export function invalidForm(detail: string): { readonly ok: false; readonly failure: Failure } {
  return rejectForm('ACCESS_TOKEN_REQUEST_INVALID', detail);
}

export function rejectForm(
  error: 'ACCESS_TOKEN_REQUEST_INVALID' | 'ACCESS_CLIENT_INVALID' | 'ACCESS_GRANT_UNSUPPORTED',
  detail: string,
): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure: failure(error, detail) };
}
