import type { FastifyReply, FastifyRequest } from 'fastify';
import { failure } from '../contract/errors.js';
import { RequestRejected } from './request-rejected.js';

/**
 * The console keeps its session in a cookie that no script can read and no other site can send. On a laptop, where
 * there is no TLS, Safari stores no secure cookie, so one without the attribute takes its place.
 */
const secureName = '__Host-rollcall';
const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::(\d+))?$/i;

/** Services on several ports of a laptop share its cookies, so the port is part of the name. */
function nameFor({ protocol, headers }: FastifyRequest): {
  readonly name: string;
  readonly isSecure: boolean;
} {
  const [isLocal, port = ''] = loopback.exec(headers.host ?? '') ?? [];
  const isPlain = protocol === 'http' && isLocal !== undefined;
  return { name: isPlain ? `rollcall-local${port}` : secureName, isSecure: !isPlain };
}

/** Undefined if the request carries none, or several. */
export function sessionCookieOf(request: FastifyRequest): string | undefined {
  return cookieOf(request, '');
}

/** Other cookies have a suffix. */
export function cookieOf(request: FastifyRequest, suffix: string): string | undefined {
  const { cookie } = request.headers;
  if (cookie === undefined) return undefined;
  const prefix = `${nameFor(request).name}${suffix}=`;
  const found = cookie.split(/; */).filter((pair) => pair.startsWith(prefix));
  return found.length === 1 ? found[0]?.slice(prefix.length) : undefined;
}

export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  { token, expiresInSeconds }: { readonly token: string; readonly expiresInSeconds: number },
): void {
  setCookie(request, reply, {
    ...{ suffix: '', value: token, maxAgeSeconds: expiresInSeconds, sameSite: 'Strict' },
  });
}

interface Cookie {
  readonly suffix: string;
  readonly value: string;
  readonly maxAgeSeconds: number;
  readonly sameSite: 'Strict' | 'Lax';
}

export function setCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  { suffix, value, maxAgeSeconds, sameSite }: Cookie,
): void {
  const { name, isSecure } = nameFor(request);
  const secure = isSecure ? '; Secure' : '';
  reply.header(
    'set-cookie',
    `${name}${suffix}=${value}; Max-Age=${maxAgeSeconds}; Path=/; HttpOnly; SameSite=${sameSite}${secure}`,
  );
}

export function forgetSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  setSessionCookie(request, reply, { token: '', expiresInSeconds: 0 });
}

/**
 * A browser adds the cookie to requests of any page of the same site, such as another application on a subdomain. Only
 * the console's own may change something. Pages can set neither header.
 */
export function checkOwnOrigin(request: FastifyRequest, publicUrl: string | undefined): void {
  const { origin, host, 'sec-fetch-site': site } = request.headers;
  if (site === 'same-origin') return;
  if (site === undefined && origin !== undefined && isOwn(origin, host, publicUrl)) return;
  throw new RequestRejected(
    failure(
      'ACCESS_ORIGIN_REFUSED',
      'Requests with the cookie of a session must come from the console. Send a token in the Authorization header instead.',
    ),
  );
}

function isOwn(origin: string, host: string | undefined, publicUrl: string | undefined): boolean {
  if (publicUrl !== undefined && new URL(publicUrl).origin === origin) return true;
  return /^https?:\/\//.test(origin) && origin.replace(/^https?:\/\//, '') === host;
}
