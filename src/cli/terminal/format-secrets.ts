import { formatTime } from './format-time.js';

interface SecretDates {
  readonly createdAt: string;
  readonly expiresAt: string | null;
}

/** "since 2026-11-15T08:30:00Z; since 2026-01-01T08:00:00Z until 2026-11-16T08:30:00Z" */
export function formatSecrets(secrets: readonly SecretDates[]): string {
  return secrets
    .map(
      ({ createdAt, expiresAt }) =>
        `since ${formatTime(createdAt)}${expiresAt === null ? '' : ` until ${formatTime(expiresAt)}`}`,
    )
    .join('; ');
}
