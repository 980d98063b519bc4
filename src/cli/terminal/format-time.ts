/** To the second. Accepted by options such as --since. */
export function formatTime(time: string | null): string {
  return time === null ? '' : `${time.slice(0, 19)}Z`;
}

const long = new Intl.DateTimeFormat('en-GB', {
  ...{ day: 'numeric', month: 'long', year: 'numeric' },
  ...{ hour: '2-digit', minute: '2-digit', timeZoneName: 'short' },
});

/** "31 December 2026 at 00:00 UTC", in the time zone of the terminal. */
export function formatLongTime(time: string): string {
  return long.format(new Date(time));
}

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
