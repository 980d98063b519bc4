import type { FactorKind } from '../../contract/enums.js';
import type { Executor } from '../database.js';
import type { EncryptedSecret } from '../encrypted-secret.js';
import { plainArray } from '../sql.js';

/** A passkey or an authenticator app, as its user sees it. */
export interface Factor {
  readonly id: string;
  readonly kind: FactorKind;
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

interface FactorRow extends Omit<Factor, 'createdAt' | 'lastUsedAt'> {
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

const isConfirmed = 'confirmed_at IS NOT NULL';
const view = 'id, kind, name, created_at AS "createdAt", last_used_at AS "lastUsedAt"';

function factorOf(row: FactorRow): Factor {
  return {
    ...row,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  };
}

/** Oldest first. */
export async function listFactors(executor: Executor, userSerial: string): Promise<Factor[]> {
  const { rows } = await executor.query<FactorRow>({
    name: 'list-factors',
    text: `SELECT ${view} FROM factors WHERE user_serial = $1 AND ${isConfirmed} ORDER BY id`,
    values: [userSerial],
  });
  return rows.map(factorOf);
}

export async function hasFactor(executor: Executor, userSerial: string): Promise<boolean> {
  const { rows } = await executor.query<{ has: boolean }>({
    name: 'has-factor',
    text: `SELECT EXISTS (SELECT FROM factors WHERE user_serial = $1 AND ${isConfirmed}) AS has`,
    values: [userSerial],
  });
  return rows[0]?.has === true;
}

export interface NewApp {
  readonly id: string;
  readonly userSerial: string;
  readonly name: string;
  readonly secret: EncryptedSecret;
}

/** Replaces an app that was never confirmed. */
export async function insertApp(tx: Executor, { id, userSerial, name, secret }: NewApp): Promise<void> {
  await tx.query('DELETE FROM factors WHERE user_serial = $1 AND confirmed_at IS NULL', [userSerial]);
  await tx.query(
    `INSERT INTO factors (id, user_serial, kind, name, secret, secret_key_id) VALUES ($1, $2, 'totp', $3, $4, $5)`,
    [id, userSerial, name, secret.bytes, secret.keyId],
  );
}

/** An authenticator app with its encrypted secret. */
export interface StoredApp {
  readonly id: string;
  readonly secret: EncryptedSecret;
}

/** Those with a secret: it is gone if its key was lost. */
export async function listApps(
  executor: Executor,
  userSerial: string,
  { confirmed }: { readonly confirmed: boolean },
): Promise<StoredApp[]> {
  const { rows } = await executor.query<EncryptedSecret & { id: string }>({
    name: 'list-apps',
    text: `SELECT id, secret AS bytes, secret_key_id AS "keyId" FROM factors
           WHERE user_serial = $1 AND secret IS NOT NULL AND (${isConfirmed}) = $2 ORDER BY id`,
    values: [userSerial, confirmed],
  });
  return rows.map(({ id, bytes, keyId }) => ({ id, secret: { bytes, keyId } }));
}

/** The first code of an app was entered. Undefined if the app was replaced by another meanwhile. */
export async function confirmApp(tx: Executor, id: string, step: number): Promise<Factor | undefined> {
  const { rows } = await tx.query<FactorRow>(
    `UPDATE factors SET confirmed_at = now(), last_step = $2 WHERE id = $1 AND confirmed_at IS NULL RETURNING ${view}`,
    [id, step],
  );
  return rows[0] && factorOf(rows[0]);
}

/** False if this code, or a later one, was used before. The row decides, so that a code sent twice at once works once. */
export async function useCode(executor: Executor, id: string, step: number): Promise<boolean> {
  const { rowCount } = await executor.query({
    name: 'use-code',
    text: `UPDATE factors SET last_step = $2, last_used_at = now()
           WHERE id = $1 AND ${isConfirmed} AND (last_step IS NULL OR last_step < $2)`,
    values: [id, step],
  });
  return rowCount === 1;
}

export interface NewPasskey {
  readonly id: string;
  readonly userSerial: string;
  readonly name: string;
  readonly credentialId: string;
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly transports: readonly string[];
}

/** Undefined if the passkey is registered already, of this user or another. */
export async function insertPasskey(tx: Executor, passkey: NewPasskey): Promise<Factor | undefined> {
  const { id, userSerial, name, credentialId, publicKey, counter, transports } = passkey;
  const { rows } = await tx.query<FactorRow>(
    `INSERT INTO factors (id, user_serial, kind, name, credential_id, public_key, counter, transports, confirmed_at)
     VALUES ($1, $2, 'passkey', $3, $4, $5, $6, $7, now())
     ON CONFLICT ON CONSTRAINT factors__credential_id DO NOTHING RETURNING ${view}`,
    [id, userSerial, name, credentialId, publicKey, counter, transports.join(' ')],
  );
  return rows[0] && factorOf(rows[0]);
}

export interface StoredPasskey {
  readonly id: string;
  readonly userSerial: string;
  readonly credentialId: string;
  readonly publicKey: Buffer;
  readonly transports: readonly string[];
}

export async function getPasskey(
  executor: Executor,
  credentialId: string,
): Promise<StoredPasskey | undefined> {
  const { rows } = await executor.query<StoredPasskey & { transports: string }>({
    name: 'get-passkey',
    text: `SELECT id, user_serial AS "userSerial", credential_id AS "credentialId", public_key AS "publicKey", transports
           FROM factors WHERE credential_id = $1`,
    values: [credentialId],
  });
  return rows[0] && { ...rows[0], transports: wordsOf(rows[0].transports) };
}

function wordsOf(text: string): string[] {
  return text === '' ? [] : text.split(' ');
}

export async function listCredentialIds(executor: Executor, userSerial: string): Promise<string[]> {
  const { rows } = await executor.query<{ id: string }>(
    'SELECT credential_id AS id FROM factors WHERE user_serial = $1 AND credential_id IS NOT NULL ORDER BY id',
    [userSerial],
  );
  return rows.map(({ id }) => id);
}

/**
 * Notes a use of a passkey. False if its counter did not advance: then it may have been copied. Passkeys that are synced
 * between devices don't count, and always send 0.
 */
export async function usePasskey(executor: Executor, id: string, counter: number): Promise<boolean> {
  const { rowCount } = await executor.query({
    name: 'use-passkey',
    text: `UPDATE factors SET counter = $2, last_used_at = now()
           WHERE id = $1 AND (counter < $2 OR (counter = 0 AND $2 = 0))`,
    values: [id, counter],
  });
  return rowCount === 1;
}

export async function renameFactor(
  tx: Executor,
  { id, userSerial, name }: { readonly id: string; readonly userSerial: string; readonly name: string },
): Promise<Factor | undefined> {
  const { rows } = await tx.query<FactorRow>(
    `UPDATE factors SET name = $3 WHERE id = $1 AND user_serial = $2 AND ${isConfirmed} RETURNING ${view}`,
    [id, userSerial, name],
  );
  return rows[0] && factorOf(rows[0]);
}

export async function deleteFactor(tx: Executor, id: string): Promise<void> {
  await tx.query('DELETE FROM factors WHERE id = $1', [id]);
}

/** Removes all factors and recovery codes of these users. Returns how many factors there were. */
export async function deleteFactorsOf(tx: Executor, userSerials: readonly string[]): Promise<number> {
  const serials = plainArray(userSerials);
  await tx.query('DELETE FROM recovery_codes WHERE user_serial = ANY ($1::uuid[])', [serials]);
  const { rows } = await tx.query<{ isConfirmed: boolean }>(
    `DELETE FROM factors WHERE user_serial = ANY ($1::uuid[]) RETURNING ${isConfirmed} AS "isConfirmed"`,
    [serials],
  );
  return rows.filter((row) => row.isConfirmed).length;
}

/** The codes before end. */
export async function replaceRecoveryCodes(
  tx: Executor,
  userSerial: string,
  codeHashes: readonly Buffer[],
): Promise<void> {
  await tx.query('DELETE FROM recovery_codes WHERE user_serial = $1', [userSerial]);
  await tx.query(
    `INSERT INTO recovery_codes (user_serial, code_hash) SELECT $1, decode(unnest($2::text[]), 'hex')`,
    [userSerial, plainArray(codeHashes.map((hash) => hash.toString('hex')))],
  );
}

export async function countRecoveryCodes(executor: Executor, userSerial: string): Promise<number> {
  const { rows } = await executor.query<{ count: number }>({
    name: 'count-recovery-codes',
    text: 'SELECT count(*)::integer AS count FROM recovery_codes WHERE user_serial = $1',
    values: [userSerial],
  });
  return rows[0]?.count ?? 0;
}

/** False if the user has no such code, or it was used before. */
export async function useRecoveryCode(
  executor: Executor,
  userSerial: string,
  codeHash: Buffer,
): Promise<boolean> {
  const { rowCount } = await executor.query({
    name: 'use-recovery-code',
    text: 'DELETE FROM recovery_codes WHERE user_serial = $1 AND code_hash = $2',
    values: [userSerial, codeHash],
  });
  return rowCount === 1;
}

/** Apps whose first code was never entered. */
export async function deleteUnconfirmedApps(executor: Executor): Promise<void> {
  await executor.query(
    `DELETE FROM factors WHERE confirmed_at IS NULL AND created_at < now() - interval '1 day'`,
  );
}
