import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { failure } from '../contract/errors.js';
import { idempotencyKeyMaxLength } from '../contract/limits.js';
import type { IdempotencyKey } from '../domain/bulk/idempotency.js';
import type { SecretCipher } from '../domain/secrets/secret-cipher.js';
import { TimeSlice } from '../domain/yield-to-event-loop.js';
import { requireBody } from './request-body.js';
import { RequestRejected } from './request-rejected.js';

const header = 'idempotency-key';

/**
 * Printable ASCII characters. The quotes around a quoted key do not count; "" is no key. They are written as \x22, because
 * generators of clients put patterns into string literals.
 */
const keyPattern = `^([!#-~][ -~]{0,${idempotencyKeyMaxLength - 1}}|\\x22[ !#-~][ -~]{0,${idempotencyKeyMaxLength - 1}}\\x22?)$`;
const validKey = new RegExp(keyPattern);

export const idempotencyHeaders = Type.Object({
  [header]: Type.Optional(
    Type.String({
      pattern: keyPattern,
      minLength: 1,
      maxLength: idempotencyKeyMaxLength + 2,
      description: `Makes the request safe to retry: up to ${idempotencyKeyMaxLength} printable ASCII characters, with or without quotes. For 24 hours, the same key with the same request returns the first answer, and an interrupted call is resumed.`,
      examples: ['5f1e2d3c-4b5a-4c0d-8e7a-110198c0de7a'],
    }),
  ),
});

/** Set on a replayed answer. */
export const replayedHeader = {
  'Idempotent-Replayed': 'true if this is the stored answer to the first request with the key.',
};

const hashedAtOnceBytes = 1024 * 1024;

/**
 * The digest of the body as sent: the same key must mean the same request. A plain hash of a body with a password would
 * allow guessing the password, so the digest is keyed with the installation's secret key. Digests with earlier keys
 * follow.
 */
async function digestsOf(bytes: Buffer, cipher: SecretCipher): Promise<string[]> {
  const hashes = bytes.includes('"password"') ? cipher.digesters() : [createHash('sha256')];
  const slice = new TimeSlice();
  for (let at = 0; at < bytes.length; at += hashedAtOnceBytes) {
    if (slice.isOver) await slice.yield();
    for (const hash of hashes) hash.update(bytes.subarray(at, at + hashedAtOnceBytes));
  }
  return hashes.map((hash) => hash.digest('base64url'));
}

/** Accepts plain text or, as in the IETF draft, a quoted string. Undefined if absent. */
export function readKeyHeader(request: FastifyRequest): string | undefined {
  const [sent, ...others] = request.raw.headersDistinct[header] ?? [];
  if (sent === undefined) return undefined;
  const key = sent.replace(/^"(.*)"$/, '$1');
  if (others.length > 0 || key.length > idempotencyKeyMaxLength || !validKey.test(sent)) {
    throw new RequestRejected(
      failure(
        'IDEMPOTENCY_KEY_INVALID',
        `Send one Idempotency-Key of 1 to ${idempotencyKeyMaxLength} printable ASCII characters, such as a UUID.`,
      ),
    );
  }
  return key;
}

export async function readIdempotencyKey(
  request: FastifyRequest,
  cipher: SecretCipher,
): Promise<IdempotencyKey | undefined> {
  const key = readKeyHeader(request);
  if (key === undefined) return undefined;
  const digests = await digestsOf(requireBody(request).bytes, cipher);
  const [fingerprint = '', ...previousFingerprints] = digests.map((digest) =>
    createHash('sha256')
      .update(`${request.method} ${requestedUrl(request.url)}\n${digest}`)
      .digest('base64url'),
  );
  return { key, fingerprint, previousFingerprints };
}

/** Neither extra slashes nor how much of an answer is shown make it another request. */
function requestedUrl(url: string): string {
  const [path = '', ...query] = url.split('?');
  const parameters = query.length === 0 ? [] : query.join('?').split('&');
  const kept = parameters.filter((parameter) => !parameter.startsWith('details='));
  const plainPath = path.replace(/\/{2,}/g, '/').replace(/(.)\/$/, '$1');
  return kept.length === 0 ? plainPath : `${plainPath}?${kept.join('&')}`;
}

export function markReplay(reply: FastifyReply, isReplay: boolean): FastifyReply {
  return isReplay ? reply.header('idempotent-replayed', 'true') : reply;
}
