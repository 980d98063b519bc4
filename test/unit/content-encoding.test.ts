import { Readable } from 'node:stream';
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { contentEncoding, decompressed } from '../../src/http/content-encoding.js';
import { largeBytes } from '../../src/http/large-bodies.js';
import { RequestRejected } from '../../src/http/request-rejected.js';

const text = JSON.stringify({ items: Array.from({ length: 5_000 }, (_, at) => ({ employeeID: `E${at}` })) });

/** In pieces, as bodies arrive. */
const arriving = (bytes: Buffer, pieceBytes: number) =>
  Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
    })(),
    { objectMode: false },
  );

async function textOf(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe('a Content-Encoding', () => {
  const of = (encoding: string, length = '1') =>
    contentEncoding({ headers: { 'content-encoding': encoding, 'content-length': length } });

  test('is gzip, deflate or none, in any case', () => {
    expect(['gzip', 'X-GZIP', 'deflate', 'identity', ''].map((encoding) => of(encoding))).toEqual([
      ...['gzip', 'gzip', 'deflate'],
      ...[undefined, undefined],
    ]);
    expect(of('br', '0')).toBeUndefined(); // there is nothing to decompress
  });

  test.each(['br', 'zstd', 'gzip, gzip', 'gzip, identity'])(
    '%s is rejected, with those that work',
    (encoding) => {
      const rejected = (() => {
        try {
          return of(encoding);
        } catch (error) {
          return error;
        }
      })();
      expect(rejected).toMatchObject({
        failure: {
          error: 'REQUEST_MEDIA_TYPE_UNSUPPORTED',
          detail: expect.stringMatching(/gzip or deflate/),
        },
        headers: { 'accept-encoding': 'gzip, deflate' },
      });
    },
  );
});

const atOnce = async () => {};

describe('a compressed body', () => {
  test('that becomes large waits until it is admitted', async () => {
    const bytes = 3 * largeBytes;
    let seen = 0;
    let admit: () => void = () => expect.unreachable();
    const admitted = new Promise<void>((resolve) => {
      admit = resolve;
    });
    const asked = vi.fn(() => admitted);
    const body = await decompressed(arriving(gzipSync(Buffer.alloc(bytes)), 1_000), 'gzip', bytes, asked);
    body.on('data', (chunk: Buffer) => {
      seen += chunk.length;
    });
    await expect.poll(() => asked.mock.calls.length).toBe(1);
    expect(seen).toBeLessThan(largeBytes);
    admit();
    await expect.poll(() => seen).toBe(bytes);
    expect(asked).toHaveBeenCalledOnce();
  });

  test.each([
    ['gzip', 'gzip', gzipSync],
    ['deflate in zlib format', 'deflate', deflateSync],
    ['bare deflate', 'deflate', deflateRawSync],
  ] as const)('with %s is read, however it arrives', async (_, encoding, compress) => {
    const bytes = compress(text);
    for (const pieceBytes of [1, 1_000, bytes.length]) {
      const body = await decompressed(arriving(bytes, pieceBytes), encoding, text.length, atOnce);
      expect(await textOf(body)).toBe(text);
      expect(body).toMatchObject({ receivedEncodedLength: bytes.length });
    }
  });

  test('is no longer decompressed once it exceeds the limit, and its rest is discarded', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    let taken = 0;
    const raw = arriving(bomb, 1_024).on('data', (chunk: Buffer) => {
      taken += chunk.length;
    });
    const limit = 100_000;
    let seen = 0;
    const body = await decompressed(raw, 'gzip', limit, atOnce);
    const read = (async () => {
      for await (const chunk of body) seen += chunk.length;
    })();
    const rejected = await read.catch((error: unknown) => error);
    expect(rejected).toBeInstanceOf(RequestRejected);
    expect(rejected).toMatchObject({ failure: { error: 'REQUEST_BODY_TOO_LARGE', data: { limit } } });
    expect(seen).toBeLessThanOrEqual(limit);
    await expect.poll(() => taken).toBe(bomb.length);
  });

  test.each([
    ['cut off', gzipSync(text).subarray(0, 50)],
    ['not compressed', Buffer.from(text)],
  ])('that is %s fails', async (_, bytes) => {
    const body = await decompressed(arriving(bytes, 1_000), 'gzip', text.length, atOnce);
    await expect(textOf(body)).rejects.toMatchObject({ code: expect.stringMatching(/^Z_(BUF|DATA)_ERROR$/) });
  });
});
