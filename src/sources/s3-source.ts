import type { IncomingMessage } from 'node:http';
import { AwsV4Signer } from 'aws4fetch';
import { SourceFailed } from '../domain/feeds/source-problem.js';
import {
  type FeedSource,
  type FileVersion,
  isOlderVersion,
  isSameVersion,
  type OpenedSource,
  type SourceSecret,
} from '../domain/feeds/source-reader.js';
import { hasWildcard, isReady, listedFilesMax, matcherOf, newerOf } from './file-pattern.js';
import { checkedVersion, timeOf } from './file-version.js';
import { bodyOf, versionOf } from './http-body.js';
import { httpGet, sourceUrl } from './http-get.js';
import { type ListedObject, parseErrorCode, parseListing } from './s3-responses.js';
import type { SourceContext } from './source-context.js';

type S3Source = Extract<FeedSource, { type: 's3' }>;
type Get = (url: URL, headers?: Readonly<Record<string, string>>) => Promise<IncomingMessage>;

/** A thousand objects with long keys take 2 MB. */
const listingMaxBytes = 8 * 1024 * 1024;
const errorMaxBytes = 64 * 1024;

export async function openS3(
  source: S3Source,
  secret: SourceSecret,
  known: FileVersion | null,
  context: SourceContext,
): Promise<OpenedSource> {
  // A URL cannot contain them: its parser resolves them.
  if ([source.bucket, ...source.key.split('/')].some((each) => each === '.' || each === '..')) {
    throw new SourceFailed({ code: 'invalid_path' });
  }
  const get = signedGet(source, secret, context);
  const bucket = bucketUrl(source, context);
  if (!hasWildcard(source.key)) return openObject(source.key, known, bucket, get, context);
  const newest = await newestObject(source.key, bucket, get, context);
  if (newest === undefined) return { status: 'missing' };
  const listed = checkedVersion({
    name: nameIn(newest.name),
    etag: newest.etag,
    modifiedAt: timeOf(newest.modifiedMs),
    bytes: newest.bytes,
  });
  if (isSameVersion(listed, known) || isOlderVersion(listed, known)) return { status: 'unchanged' };
  return openObject(newest.name, null, bucket, get, context, newest.etag);
}

function signedGet(source: S3Source, { secret }: SourceSecret, context: SourceContext): Get {
  if (secret === null) throw new SourceFailed({ code: 'secret_missing' });
  const { accessKeyId, region } = source;
  return async (url, headers = {}) => {
    const signer = new AwsV4Signer({
      method: 'GET',
      url: url.href,
      service: 's3',
      region,
      accessKeyId,
      secretAccessKey: secret,
      datetime: new Date(context.now()).toISOString().replace(/[:-]|\.\d{3}/g, ''),
    });
    const signed = await signer.sign();
    const all = { ...headers, ...Object.fromEntries(signed.headers) };
    return httpGet(signed.url, all, context, context.deadline);
  };
}

/** The bucket is part of the path, which every compatible service supports. */
function bucketUrl({ endpoint, bucket }: S3Source, context: SourceContext): URL {
  const url = sourceUrl(endpoint, context);
  url.search = '';
  url.hash = '';
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${encodeURIComponent(bucket)}`;
  return url;
}

/** With an ETag, only if the object is still the one that was listed. */
async function openObject(
  key: string,
  known: FileVersion | null,
  bucket: URL,
  get: Get,
  { deadline, fileMaxBytes }: SourceContext,
  ifMatch?: string,
): Promise<OpenedSource> {
  const url = new URL(bucket);
  url.pathname += `/${encodedKey(key)}`;
  const response = await get(url, {
    ...(ifMatch ? { 'if-match': ifMatch } : {}),
    ...(known?.etag ? { 'if-none-match': known.etag } : {}),
  });
  const { statusCode: status = 0 } = response;
  if (status === 304 && known !== null) return { status: 'unchanged' };
  if (status === 412) throw new SourceFailed({ code: 'changed_while_read' });
  if (status !== 200) {
    const errorCode = await refusal(response, deadline);
    // A listed object that is gone has changed, too.
    if (errorCode === 'NoSuchKey' && ifMatch) throw new SourceFailed({ code: 'changed_while_read' });
    return { status: 'missing' };
  }
  const version = versionOf(nameIn(key), response.headers);
  if (isSameVersion(version, known)) return { status: 'unchanged' };
  return { status: 'file', version, bytes: bodyOf(response, fileMaxBytes, deadline) };
}

/** Page by page. Only the newest object so far is kept. */
async function newestObject(
  pattern: string,
  bucket: URL,
  get: Get,
  { deadline }: SourceContext,
): Promise<ListedObject | undefined> {
  const matches = matcherOf(pattern);
  let newest: ListedObject | undefined;
  let listed = 0;
  let token: string | undefined;
  do {
    const response = await get(listingUrl(bucket, pattern, token));
    if (response.statusCode !== 200) {
      await refusal(response, deadline);
      throw new SourceFailed({ code: 'container_missing' });
    }
    const page = parseListing(await textOf(response, listingMaxBytes, deadline));
    if (page === undefined) throw new SourceFailed({ code: 'invalid_response', errorCode: null });
    listed += Math.max(page.objects.length, 1);
    if (listed > listedFilesMax) throw new SourceFailed({ code: 'too_many_files', filesMax: listedFilesMax });
    for (const object of page.objects) {
      if (matches(object.name) && isReady(object)) newest = newerOf(newest, object);
    }
    token = page.nextToken;
  } while (token !== undefined);
  return newest;
}

function listingUrl(bucket: URL, pattern: string, token: string | undefined): URL {
  const firstWildcard = pattern.indexOf('*');
  const url = new URL(bucket);
  url.searchParams.set('list-type', '2');
  url.searchParams.set('prefix', pattern.slice(0, firstWildcard));
  // What is in deeper folders cannot match, so it is not listed.
  if (!pattern.includes('/', firstWildcard)) url.searchParams.set('delimiter', '/');
  if (token !== undefined) url.searchParams.set('continuation-token', token);
  return url;
}

/** The code of a response that means that something is missing. Throws SourceFailed for any other. */
async function refusal(response: IncomingMessage, deadline: SourceContext['deadline']): Promise<string> {
  const { statusCode: status = 0 } = response;
  if (status >= 300 && status < 400) {
    throw new SourceFailed({ code: 'redirect_refused', reason: 'unexpected' });
  }
  const errorCode = parseErrorCode(await textOf(response, errorMaxBytes, deadline));
  if (errorCode === 'NoSuchBucket') throw new SourceFailed({ code: 'container_missing' });
  if (errorCode === 'InvalidAccessKeyId' || errorCode === 'SignatureDoesNotMatch' || status === 401) {
    throw new SourceFailed({ code: 'authentication_failed' });
  }
  if (status === 403) throw new SourceFailed({ code: 'access_denied' });
  if (status !== 404) throw new SourceFailed({ code: 'http_status', status });
  return 'NoSuchKey';
}

/** A body that is not a file. The deadline stays open for the request that follows. */
async function textOf(
  response: IncomingMessage,
  bytesMax: number,
  deadline: SourceContext['deadline'],
): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const iterator = response[Symbol.asyncIterator]() as AsyncIterableIterator<Buffer>;
  for (;;) {
    const { value, done } = await deadline.wait(iterator.next());
    if (done) return Buffer.concat(chunks).toString('utf8');
    bytes += value.length;
    deadline.received(value.length);
    if (bytes > bytesMax) throw new SourceFailed({ code: 'invalid_response', errorCode: null });
    chunks.push(value);
  }
}

function encodedKey(key: string): string {
  return key.split('/').map(encodeURIComponent).join('/');
}

function nameIn(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1);
}
