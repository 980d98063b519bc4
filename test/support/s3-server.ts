import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type FileServer, startFileServer } from './file-server.js';

export const s3AccessKeyId = 'AKIAIOSFODNN7EXAMPLE';
export const s3SecretAccessKey = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
export const s3Region = 'eu-central-1';

export interface StoredObject {
  readonly body: string;
  readonly modifiedAt: Date;
}

export interface S3Server extends FileServer {
  readonly objects: Map<string, StoredObject>;
  /** The paths and queries that were asked for. */
  readonly requests: string[];
  /** Called before each answer. */
  onRequest: (url: URL) => void;
  /** Overrides the answer to signed requests. */
  answer: ((response: ServerResponse) => void) | undefined;
}

/** Objects per page of a list. */
const pageSize = 3;

/**
 * A bucket with S3's signatures, conditions, lists and errors. The servers on npm are no longer maintained: s3rver brings
 * versions of busboy and fast-xml-parser with known vulnerabilities.
 */
export async function startS3Server(bucket: string): Promise<S3Server> {
  const server = await startFileServer((request, response) => {
    const url = new URL(request.url ?? '', 'https://s3.invalid');
    running.requests.push(request.url ?? '');
    running.onRequest(url);
    const problem = signatureProblem(request, url);
    if (problem !== undefined) return fail(response, 403, problem);
    if (running.answer) return running.answer(response);
    const [, name, ...key] = url.pathname.split('/').map(decodeURIComponent);
    if (name !== bucket) return fail(response, 404, 'NoSuchBucket');
    if (key.length === 0) return list(running.objects, url, response);
    sendObject(running.objects.get(key.join('/')), request, response);
  });
  const running: S3Server = {
    url: server.url,
    port: server.port,
    get connectionsOpen() {
      return server.connectionsOpen;
    },
    objects: new Map(),
    requests: [],
    onRequest: () => {},
    answer: undefined,
  };
  return running;
}

function sendObject(
  object: StoredObject | undefined,
  { headers }: IncomingMessage,
  response: ServerResponse,
): void {
  const etag = object && etagOf(object);
  const { 'if-match': expected = etag, 'if-none-match': known } = headers;
  if (object === undefined) fail(response, 404, 'NoSuchKey');
  else if (expected !== etag) fail(response, 412, 'PreconditionFailed');
  else if (known === etag) response.writeHead(304).end();
  else {
    const { body, modifiedAt } = object;
    const length = Buffer.byteLength(body);
    response
      .writeHead(200, { etag, 'last-modified': modifiedAt.toUTCString(), 'content-length': length })
      .end(body);
  }
}

function list(objects: ReadonlyMap<string, StoredObject>, url: URL, response: ServerResponse): void {
  const prefix = url.searchParams.get('prefix') ?? '';
  const delimiter = url.searchParams.get('delimiter');
  const start = Number(url.searchParams.get('continuation-token') ?? 0);
  const all = [...objects].filter(
    ([key]) =>
      key.startsWith(prefix) && (delimiter === null || !key.slice(prefix.length).includes(delimiter)),
  );
  const isTruncated = all.length > start + pageSize;
  const contents = all
    .slice(start, start + pageSize)
    .map(
      ([key, object]) =>
        `<Contents><Key>${escaped(key)}</Key><LastModified>${object.modifiedAt.toISOString()}</LastModified>` +
        `<ETag>${escaped(etagOf(object))}</ETag><Size>${Buffer.byteLength(object.body)}</Size></Contents>`,
    );
  const next = isTruncated ? `<NextContinuationToken>${start + pageSize}</NextContinuationToken>` : '';
  response.end(
    `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">` +
      `<IsTruncated>${isTruncated}</IsTruncated>${contents.join('')}${next}</ListBucketResult>`,
  );
}

function etagOf({ body }: StoredObject): string {
  return `"${createHash('md5').update(body).digest('hex')}"`;
}

function escaped(text: string): string {
  return text.replace(/[<>&"]/g, (each) => `&#${each.codePointAt(0)};`);
}

function fail(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status).end(`<Error><Code>${code}</Code><Message>chatter</Message></Error>`);
}

/** The code of the error that S3 returns for a wrong signature, computed independently of the library that signs. */
export function signatureProblem(
  { method = '', headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  url: URL,
  region: string = s3Region,
): string | undefined {
  const pattern = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=(\w+)$/;
  const [, accessKeyId, scope = '', names = '', given] = pattern.exec(headers.authorization ?? '') ?? [];
  if (accessKeyId !== s3AccessKeyId) return 'InvalidAccessKeyId';
  const time = String(headers['x-amz-date']);
  const day = time.slice(0, 8);
  if (scope !== `${day}/${region}/s3/aws4_request`) return 'AuthorizationHeaderMalformed';
  if (!names.split(';').includes('host')) return 'SignatureDoesNotMatch';
  const canonical = [
    method,
    url.pathname.split('/').map(reencoded).join('/'),
    [...url.searchParams]
      .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
      .sort()
      .join('&'),
    ...names.split(';').map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    names,
    headers['x-amz-content-sha256'],
  ].join('\n');
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    `AWS4${s3SecretAccessKey}`,
  );
  const expected = createHmac('sha256', key).update(text).digest('hex');
  return given === expected ? undefined : 'SignatureDoesNotMatch';
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function reencoded(segment: string): string {
  return encoded(decodeURIComponent(segment));
}

function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
