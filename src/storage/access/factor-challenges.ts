import type { Executor } from '../database.js';

export interface NewChallenge {
  readonly challenge: string;
  /** Who registers a passkey; null at a sign-in. */
  readonly userSerial: string | null;
  readonly lifetimeSeconds: number;
}

export async function insertChallenge(
  executor: Executor,
  { challenge, userSerial, lifetimeSeconds }: NewChallenge,
): Promise<void> {
  await executor.query({
    name: 'insert-challenge',
    text: `INSERT INTO factor_challenges (challenge, user_serial, expires_at)
           VALUES ($1, $2, now() + make_interval(secs => $3))`,
    values: [challenge, userSerial, lifetimeSeconds],
  });
}

/** False if there is no such challenge for this user, or it was used before. */
export async function takeChallenge(
  executor: Executor,
  challenge: string,
  userSerial: string | null,
): Promise<boolean> {
  const { rowCount } = await executor.query({
    name: 'take-challenge',
    text: `DELETE FROM factor_challenges
           WHERE challenge = $1 AND user_serial IS NOT DISTINCT FROM $2 AND expires_at > now()`,
    values: [challenge, userSerial],
  });
  return rowCount === 1;
}

export async function deleteExpiredChallenges(executor: Executor): Promise<void> {
  await executor.query('DELETE FROM factor_challenges WHERE expires_at <= now()');
}
