import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { domainToASCII } from 'node:url';
import ssh2, { type ServerHostKeyAlgorithm, type SFTPWrapper } from 'ssh2';
import { SourceFailed, type SourceProblem } from '../domain/feeds/source-problem.js';
import type { FeedSource, SourceSecret } from '../domain/feeds/source-reader.js';
import { addressTryMs, codeOf, lookupAmong } from '../domain/webhooks/connection.js';
import type { ResolvedAddress } from '../domain/webhooks/webhook-url.js';
import { checkedAddresses } from './checked-host.js';
import { errorCodeOf } from './error-code.js';
import type { SourceContext } from './source-context.js';

export type SftpSource = Extract<FeedSource, { type: 'sftp' }>;
type Addresses = readonly [ResolvedAddress, ...ResolvedAddress[]];

/**
 * A server has one key of each kind and proves only one of them, so a pinned key may take several connections to find.
 * Without ssh-rsa, which signs with SHA-1.
 */
const hostKeyKinds: readonly ServerHostKeyAlgorithm[][] = [
  ['ssh-ed25519'],
  ['ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp521'],
  ['rsa-sha2-512', 'rsa-sha2-256'],
];

/** Connects to a checked address and signs in, but only if the server proves the pinned host key. */
export async function connectSftp(
  source: SftpSource,
  secret: SourceSecret,
  context: SourceContext,
): Promise<SFTPWrapper> {
  const credentials = credentialsOf(source, secret);
  const { host, port, hostKey } = source;
  const url = { protocol: 'sftp:', hostname: asciiHost(host), port: String(port) };
  const addresses = await checkedAddresses(url, context, context.deadline);
  let other: string | undefined;
  for (const kinds of hostKey === null ? [hostKeyKinds.flat()] : hostKeyKinds) {
    const result = await tryHostKey(source, credentials, addresses, kinds, context);
    if (result.status === 'connected') return result.sftp;
    if (result.status === 'otherKey') other ??= result.found;
  }
  if (other === undefined) throw new SourceFailed({ code: 'ssh_failed', errorCode: null });
  throw new SourceFailed(
    hostKey === null
      ? { code: 'host_key_unknown', found: other }
      : { code: 'host_key_changed', expected: hostKey, found: other },
  );
}

type Attempt =
  | { readonly status: 'connected'; readonly sftp: SFTPWrapper }
  | { readonly status: 'otherKey'; readonly found: string }
  /** The server has no key of these kinds. */
  | { readonly status: 'noKey' };

async function tryHostKey(
  { host, port, username, hostKey }: SftpSource,
  credentials: Credentials,
  addresses: Addresses,
  serverHostKey: ServerHostKeyAlgorithm[],
  { deadline }: SourceContext,
): Promise<Attempt> {
  const socket = connect({
    host: asciiHost(host),
    port,
    lookup: lookupAmong(addresses),
    autoSelectFamilyAttemptTimeout: addressTryMs,
  });
  const client = new ssh2.Client();
  deadline.onEnd(() => socket.destroy());
  let found: string | undefined;
  try {
    await deadline.wait(connected(socket));
    const ready = new Promise<void>((resolve, reject) => {
      client.on('ready', resolve);
      // Also after the connection is made: without a listener, an error would end the process.
      client.on('error', reject);
      client.on('close', () => reject(new ConnectionClosed()));
      client.on('keyboard-interactive', (_name, _instructions, _language, prompts, answer) =>
        answer('password' in credentials && prompts.length === 1 ? [credentials.password] : []),
      );
    });
    client.connect({
      sock: socket,
      username,
      ...credentials,
      // Some servers ask for the password only in this way.
      tryKeyboard: 'password' in credentials,
      readyTimeout: 0, // the deadline applies
      algorithms: { serverHostKey },
      hostVerifier: (key: Buffer) => {
        found = fingerprintOf(key);
        return found === hostKey;
      },
    });
    await deadline.wait(ready);
    return { status: 'connected', sftp: await deadline.wait(sftpOf(client)) };
  } catch (error) {
    socket.destroy();
    if (error instanceof SourceFailed) throw error;
    if (found !== undefined && found !== hostKey) return { status: 'otherKey', found };
    if (isWithoutKey(error)) return { status: 'noKey' };
    throw new SourceFailed(problemOf(error));
  }
}

class ConnectionClosed extends Error {}

async function connected(socket: Socket): Promise<void> {
  await once(socket, 'connect');
  socket.setNoDelay(true);
}

function sftpOf(client: ssh2.Client): Promise<SFTPWrapper> {
  return new Promise((resolve, reject) => {
    client.sftp((error, sftp) => {
      if (error) return reject(error);
      // Requests under way fail as well. Without a listener, it would end the process.
      sftp.on('error', () => {});
      resolve(sftp);
    });
  });
}

type Credentials =
  | { readonly password: string }
  | { readonly privateKey: string; readonly passphrase?: string };

function credentialsOf({ auth }: SftpSource, { secret, passphrase }: SourceSecret): Credentials {
  if (secret === null) throw new SourceFailed({ code: 'secret_missing' });
  if (auth === 'password') return { password: secret };
  const credentials = { privateKey: secret, ...(passphrase === null ? {} : { passphrase }) };
  const key = ssh2.utils.parseKey(secret, passphrase ?? undefined);
  if (key instanceof Error || (Array.isArray(key) ? key : [key]).some((each) => !each.isPrivateKey())) {
    throw new SourceFailed({ code: 'invalid_private_key' });
  }
  return credentials;
}

/** As `ssh-keygen -lf` prints it. */
export function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
}

function asciiHost(host: string): string {
  return domainToASCII(host) || host;
}

/** Set by ssh2, which has no codes of its own. */
function levelOf(error: unknown): unknown {
  return (Object(error) as { level?: unknown }).level;
}

function isWithoutKey(error: unknown): boolean {
  return error instanceof Error && /no matching (?:host key format|server host key)/i.test(error.message);
}

function problemOf(error: unknown): SourceProblem {
  const errorCode = errorCodeOf(error);
  if (levelOf(error) === 'client-authentication') return { code: 'authentication_failed' };
  if (error instanceof ConnectionClosed || errorCode === 'ECONNRESET') {
    return { code: 'connection_closed', errorCode };
  }
  if (errorCode === 'ETIMEDOUT') return { code: 'timed_out' };
  return codeOf(error).startsWith('E')
    ? { code: 'unreachable', errorCode }
    : { code: 'ssh_failed', errorCode };
}
