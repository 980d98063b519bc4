import type { IncomingMessage } from 'node:http';
import { SourceFailed } from '../domain/feeds/source-problem.js';
import {
  type FeedSource,
  type FileVersion,
  isSameVersion,
  type OpenedSource,
  type SourceSecret,
} from '../domain/feeds/source-reader.js';
import { acceptedEncodings, bodyOf, versionOf } from './http-body.js';
import { httpGet, sourceUrl } from './http-get.js';
import type { SourceContext } from './source-context.js';

type HttpsSource = Extract<FeedSource, { type: 'https' }>;
type Headers = Readonly<Record<string, string>>;

const redirectsMax = 5;

export async function openHttps(
  source: HttpsSource,
  secret: SourceSecret,
  known: FileVersion | null,
  context: SourceContext,
): Promise<OpenedSource> {
  const url = sourceUrl(source.url, context);
  const response = await follow(url, conditionsOf(known), credentialsOf(source, secret), context);
  return openedOf(response, nameIn(url), known, context);
}

/** The first response that is not a redirect. Once a redirect leads to another origin, no credentials are sent any more. */
async function follow(
  first: URL,
  conditions: Headers,
  credentials: Headers,
  context: SourceContext,
): Promise<IncomingMessage> {
  let url = first;
  let headers: Headers = { 'accept-encoding': acceptedEncodings, ...conditions, ...credentials };
  for (let redirects = 0; ; redirects++) {
    const response = await httpGet(url, headers, context, context.deadline);
    if (!isRedirect(response)) return response;
    response.destroy();
    if (redirects === redirectsMax) throw new SourceFailed({ code: 'redirect_refused', reason: 'too_many' });
    const next = redirectTarget(response.headers.location ?? '', url);
    if (next.origin !== url.origin) headers = { 'accept-encoding': acceptedEncodings, ...conditions };
    url = next;
  }
}

function isRedirect({ statusCode = 0, headers }: IncomingMessage): boolean {
  return [301, 302, 303, 307, 308].includes(statusCode) && headers.location !== undefined;
}

function redirectTarget(location: string, from: URL): URL {
  if (!URL.canParse(location, from.href))
    throw new SourceFailed({ code: 'redirect_refused', reason: 'invalid' });
  const url = new URL(location, from);
  if (url.protocol !== 'https:') throw new SourceFailed({ code: 'redirect_refused', reason: 'not_https' });
  if (url.username !== '' || url.password !== '') {
    throw new SourceFailed({ code: 'redirect_refused', reason: 'invalid' });
  }
  return url;
}

function conditionsOf(known: FileVersion | null): Headers {
  return {
    ...(known?.etag ? { 'if-none-match': known.etag } : {}),
    ...(known?.modifiedAt ? { 'if-modified-since': new Date(known.modifiedAt).toUTCString() } : {}),
  };
}

function credentialsOf({ auth, username }: HttpsSource, { secret }: SourceSecret): Headers {
  if (auth === 'none') return {};
  if (secret === null) throw new SourceFailed({ code: 'secret_missing' });
  if (auth === 'bearer') return { authorization: `Bearer ${secret}` };
  return { authorization: `Basic ${Buffer.from(`${username ?? ''}:${secret}`).toString('base64')}` };
}

function openedOf(
  response: IncomingMessage,
  name: string,
  known: FileVersion | null,
  { deadline, fileMaxBytes }: SourceContext,
): OpenedSource {
  const { statusCode: status = 0 } = response;
  if (status === 304 && known !== null) return { status: 'unchanged' };
  if (status === 404 || status === 410) return { status: 'missing' };
  if (status === 401) throw new SourceFailed({ code: 'authentication_failed' });
  if (status === 403) throw new SourceFailed({ code: 'access_denied' });
  if (status !== 200) throw new SourceFailed({ code: 'http_status', status });
  const version = versionOf(name, response.headers);
  // Some servers ignore the conditions.
  if (isSameVersion(version, known)) return { status: 'unchanged' };
  return { status: 'file', version, bytes: bodyOf(response, fileMaxBytes, deadline) };
}

/** From the URL of the source, because those of redirects often contain secrets. */
function nameIn({ pathname, hostname }: URL): string {
  const last = pathname.slice(pathname.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(last) || hostname;
  } catch {
    return last;
  }
}
