import type { Database } from './database.js';
import { restoreAdvice } from './embedded/damage.js';
import { databaseOutage } from './errors.js';

/** What is wrong with a database, and what an operator can do about it. */
export interface Diagnosis {
  /** Without a period at the end. */
  readonly problem: string;
  /** Sentences. */
  readonly advice: string;
}

const [address, login] = [
  'Check the host and port in DATABASE_URL, and that PostgreSQL is running there.',
  'Check the user and the password in DATABASE_URL, and pg_hba.conf on the server.',
];
const certificate = 'Add sslrootcert=<file of the CA> to DATABASE_URL, or correct the host.';
const writable =
  'Point DATABASE_URL to the primary. If it does, the role or the database has default_transaction_read_only: turn it off.';
const damaged = 'Check the disk of the server, and restore a backup.';

const causes: Readonly<Record<string, readonly [reason: string, advice: string]>> = {
  ECONNREFUSED: ['connection refused', address],
  ENOTFOUND: ['unknown host', address],
  ETIMEDOUT: ['no response', address],
  '28000': ['login refused', login],
  '28P01': ['wrong password', login],
  '3D000': [
    'the database does not exist',
    `Create it with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0, or correct DATABASE_URL.`,
  ],
  '3F000': [
    'the search_path of the role contains no schema',
    'Set it, for example with ALTER ROLE … SET search_path = public.',
  ],
  '25006': ['it does not accept writes', writable],
  '42501': [
    'the role is not allowed to do this',
    'Run `rollcall migrate` as the owner, or GRANT CREATE ON SCHEMA public TO the role.',
  ],
  '53300': [
    'too many connections',
    'Lower ROLLCALL_POOL_CONNECTIONS_MAX or ROLLCALL_WORKERS, or raise max_connections.',
  ],
  '53100': ['its disk is full', 'Free space on it.'],
  XX001: ['damaged data', damaged],
  XX002: ['a damaged index', damaged],
  '58P01': ['a missing file', damaged],
  CERT_HAS_EXPIRED: ['its certificate has expired', 'Renew the certificate of the server.'],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['its certificate is not trusted', certificate],
  SELF_SIGNED_CERT_IN_CHAIN: ['its certificate is not trusted', certificate],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ['its certificate is not trusted', certificate],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ['its certificate is not trusted', certificate],
  ERR_TLS_CERT_ALTNAME_INVALID: ['its certificate is for another host', certificate],
};

/** Errors that nobody but an operator can correct, although the server answers. */
const permanent = ['42501', '3F000'];

export function isPermanent(error: unknown): boolean {
  return permanent.includes(codeOf(error) ?? '');
}

/**
 * Undefined for an error that says nothing about the database. Omits the database's own message, which may contain
 * personal data.
 */
export function diagnose({ kind, description }: Database, error: unknown): Diagnosis | undefined {
  if (databaseOutage(error) === undefined && !isPermanent(error)) return undefined;
  const unusable = `Cannot use ${description}`;
  const code = codeOf(error);
  const { message, syscall, path } = error as Error & NodeJS.ErrnoException;
  if (syscall === 'open')
    return { problem: `${unusable}: cannot read ${path} (${code})`, advice: 'Correct DATABASE_URL.' };
  if (message === 'The server does not support SSL connections')
    return {
      problem: `${unusable}: it does not support TLS`,
      advice: 'Turn on ssl on the server, or remove sslmode from DATABASE_URL.',
    };
  const isSilent = code === undefined && message.startsWith('timeout');
  const [reason, advice = address] = causes[isSilent ? 'ETIMEDOUT' : (code ?? '')] ?? [];
  const detail = [reason && `: ${reason}`, code && ` (${code})`].filter(Boolean).join('');
  const isFull = databaseOutage(error) === 'full';
  return { problem: `${unusable}${detail}`, advice: kind === 'embedded' && !isFull ? restoreAdvice : advice };
}

function codeOf(error: unknown): string | undefined {
  const { code, errors } = error as { code?: string; errors?: readonly unknown[] };
  return code ?? (errors?.[0] === undefined ? undefined : codeOf(errors[0]));
}
