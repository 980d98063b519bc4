import type { ProviderUserField } from '../../contract/enums.js';
import type { Executor } from '../database.js';
import { grantsGone } from './sessions.js';

export interface NewProviderSignIn {
  readonly stateHash: Buffer;
  readonly browserHash: Buffer;
  /** The session that the browser has. It is proven again, or replaced. */
  readonly sessionId: string | null;
  readonly isProof: boolean;
}

export async function insertProviderSignIn(executor: Executor, begun: NewProviderSignIn): Promise<void> {
  await executor.query({
    name: 'insert-provider-sign-in',
    text: `INSERT INTO provider_sign_ins (state_hash, browser_hash, session_id, is_proof) VALUES ($1, $2, $3, $4)`,
    values: [begun.stateHash, begun.browserHash, begun.sessionId, begun.isProof],
  });
}

export interface BegunSignIn {
  readonly sessionId: string | null;
  readonly isProof: boolean;
  readonly startedAt: Date;
}

/** Each is taken once, by the browser that began it. */
export async function takeProviderSignIn(
  executor: Executor,
  { stateHash, browserHash }: { readonly stateHash: Buffer; readonly browserHash: Buffer },
  minutes: number,
): Promise<BegunSignIn | undefined> {
  const { rows } = await executor.query<BegunSignIn & { isOpen: boolean }>({
    name: 'take-provider-sign-in',
    text: `DELETE FROM provider_sign_ins WHERE state_hash = $1 AND browser_hash = $2
           RETURNING session_id AS "sessionId", is_proof AS "isProof", started_at AS "startedAt",
             started_at > now() - make_interval(mins => $3) AS "isOpen"`,
    values: [stateHash, browserHash, minutes],
  });
  return rows[0]?.isOpen ? rows[0] : undefined;
}

export async function deleteOldProviderSignIns(executor: Executor, minutes: number): Promise<void> {
  await executor.query('DELETE FROM provider_sign_ins WHERE started_at < now() - make_interval(mins => $1)', [
    minutes,
  ]);
  await executor.query('DELETE FROM provider_logouts WHERE expires_at < now()');
}

const columns: Readonly<Record<ProviderUserField, string>> = {
  employeeID: 'employee_id',
  username: 'lower(username)',
  email: 'lower(email)',
};

export interface MatchingUser {
  readonly serial: string;
  readonly isActive: boolean;
  readonly email: string | null;
}

const sharedAddressesMax = 20;

/** Several users may have the same email address. */
export async function usersMatching(
  executor: Executor,
  field: ProviderUserField,
  value: string,
): Promise<MatchingUser[]> {
  const { rows } = await executor.query<MatchingUser>(
    `SELECT serial, is_active AS "isActive", email FROM users WHERE ${columns[field]} = $1 LIMIT ${sharedAddressesMax}`,
    [value],
  );
  return rows;
}

/** What the provider calls the session and its user. */
export async function noteProviderSession(
  tx: Executor,
  sessionId: string,
  { subject, sid }: { readonly subject: string; readonly sid: string | null },
): Promise<void> {
  await tx.query({
    name: 'note-provider-session',
    text: 'UPDATE sessions SET provider_subject = $2, provider_sid = $3 WHERE id = $1',
    values: [sessionId, subject, sid],
  });
}

export interface SessionToProve {
  readonly userSerial: string;
  readonly tokenHash: string;
}

export async function getSessionToProve(tx: Executor, id: string): Promise<SessionToProve | undefined> {
  const { rows } = await tx.query<SessionToProve>(
    `SELECT user_serial AS "userSerial", token_hash AS "tokenHash" FROM sessions
     WHERE id = $1 AND expires_at > now() FOR UPDATE`,
    [id],
  );
  return rows[0];
}

/** False if the token was used before. */
export async function noteLogout(tx: Executor, idHash: Buffer, rememberedSeconds: number): Promise<boolean> {
  const { rowCount } = await tx.query(
    `INSERT INTO provider_logouts (id_hash, expires_at) VALUES ($1, now() + make_interval(secs => $2))
     ON CONFLICT DO NOTHING`,
    [idHash, rememberedSeconds],
  );
  return rowCount === 1;
}

/** Ends the sessions that the provider names. Returns whose they were, once for each session. */
export async function deleteProviderSessions(
  tx: Executor,
  { subject, sid }: { readonly subject: string | null; readonly sid: string | null },
): Promise<string[]> {
  const { rows } = await tx.query<{ serial: string }>(
    `WITH ended AS (
       DELETE FROM sessions
       WHERE ($1::text IS NULL OR provider_subject = $1) AND ($2::text IS NULL OR provider_sid = $2)
         AND provider_subject IS NOT NULL AND num_nonnulls($1, $2) > 0
       RETURNING id, user_serial),
     ${grantsGone}
     SELECT user_serial AS serial FROM ended`,
    [subject, sid],
  );
  return rows.map(({ serial }) => serial);
}
