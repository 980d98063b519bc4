import { shownTime } from './time.js';

interface SecretDates {
  readonly createdAt: string;
  readonly expiresAt: string | null;
}

/** "since 2026-11-15T08:30:00Z; since 2026-01-01T08:00:00Z until 2026-11-16T08:30:00Z" */
export function shownSecrets(secrets: readonly SecretDates[]): string {
  return secrets
    .map(
      ({ createdAt, expiresAt }) =>
        `since ${shownTime(createdAt)}${expiresAt === null ? '' : ` until ${shownTime(expiresAt)}`}`,
    )
    .join('; ');
}
