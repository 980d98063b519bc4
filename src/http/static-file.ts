import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pathNotFound } from './error-replies.js';

const encodings = ['br', 'gzip'] as const;
type Encoding = (typeof encodings)[number];

const suffixes: Record<Encoding, string> = { br: '.br', gzip: '.gz' };

const compress: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  // Quality 5 takes a tenth of the time of the best quality, for files a few percent larger.
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (bytes) => promisify(gzip)(bytes),
};

const compressible = /^(?:text\/|application\/(?:javascript|json|yaml)|image\/svg)/;

interface StoredForm {
  readonly bytes: Buffer;
  readonly etag: string;
}

export interface StaticFileOptions {
  readonly type: string;
  readonly cacheControl: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A document that is the same for everyone. It is read and compressed once, off the event loop, and every reply shares
 * the same bytes, so many or slow readers cost no more than their sockets.
 */
export class StaticFile {
  readonly #read: () => Promise<Buffer>;
  readonly #readCompressed: (encoding: Encoding) => Promise<Buffer | undefined>;
  readonly #options: StaticFileOptions;
  readonly #forms = new Map<Encoding | 'identity', Promise<StoredForm>>();

  private constructor(
    options: StaticFileOptions,
    read: () => Promise<Buffer>,
    readCompressed: (encoding: Encoding) => Promise<Buffer | undefined> = async () => undefined,
  ) {
    this.#options = options;
    this.#read = read;
    this.#readCompressed = readCompressed;
  }

  static ofText(text: string, options: StaticFileOptions): StaticFile {
    return new StaticFile(options, async () => Buffer.from(text));
  }

  /** A file on disk, with its compressed variants (.br and .gz). A missing file yields 404. */
  static at(path: string, options: StaticFileOptions): StaticFile {
    return new StaticFile(
      options,
      () =>
        readFile(path).catch(() => {
          throw pathNotFound();
        }),
      (encoding) => readFile(`${path}${suffixes[encoding]}`).catch(() => undefined),
    );
  }

  /** With a status other than 200 for a page that says so, which is sent whole: a cached copy is no answer. */
  async send(request: FastifyRequest, reply: FastifyReply, status = 200): Promise<FastifyReply> {
    const { type, cacheControl, headers } = this.#options;
    const canCompress = compressible.test(type);
    const encoding = canCompress ? acceptedEncoding(request.headers['accept-encoding']) : 'identity';
    const { bytes, etag } = await this.#form(encoding);
    if (headers) reply.headers(headers);
    reply.header('cache-control', cacheControl);
    if (status === 200) reply.header('etag', etag);
    if (canCompress)
      reply.header('vary', [reply.getHeader('vary') ?? [], 'accept-encoding'].flat().join(', '));
    if (status === 200 && matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    return reply.code(status).type(type).send(bytes);
  }

  #form(encoding: Encoding | 'identity'): Promise<StoredForm> {
    const known = this.#forms.get(encoding);
    if (known) return known;
    const made = this.#make(encoding);
    this.#forms.set(encoding, made);
    made.catch(() => this.#forms.delete(encoding));
    return made;
  }

  async #make(encoding: Encoding | 'identity'): Promise<StoredForm> {
    if (encoding === 'identity') {
      const bytes = await this.#read();
      return { bytes, etag: etagOfBytes(bytes) };
    }
    const bytes =
      (await this.#readCompressed(encoding)) ??
      (await compress[encoding]((await this.#form('identity')).bytes));
    return { bytes, etag: etagOfBytes(bytes) };
  }
}

/** Sends JSON that changes rarely, or 304 if the caller already has it. */
export function sendCacheable(
  request: FastifyRequest,
  reply: FastifyReply,
  body: object,
  cacheControl: string,
): FastifyReply {
  const text = JSON.stringify(body);
  const etag = etagOfBytes(text);
  reply.header('cache-control', cacheControl).header('etag', etag);
  if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
  return reply.type('application/json; charset=utf-8').send(text);
}

function etagOfBytes(bytes: Buffer | string): string {
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`;
}

/** If-None-Match compares weakly (RFC 9110, section 13.1.2): proxies that compress mark the tag with W/. */
function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}

/** The first of our encodings that the caller accepts. Quality values are ignored: br is always smaller. */
function acceptedEncoding(header: string | string[] | undefined): Encoding | 'identity' {
  const ranges = String(header ?? '')
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()));
  const takes = (encoding: Encoding) => {
    const range = ranges.find(([coding]) => coding === encoding) ?? ranges.find(([coding]) => coding === '*');
    return range !== undefined && !/^q=0(?:\.0*)?$/.test(range[1] ?? '');
  };
  return encodings.find(takes) ?? 'identity';
}
