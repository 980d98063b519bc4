/** A backup that was completed. */
export interface CompletedBackup {
  readonly finishedAt: string;
  readonly fileName: string;
  readonly bytes: number;
  readonly users: number;
  readonly encrypted: boolean;
}

/** The latest one that succeeded. Rollcall makes no backups of its own yet, so there is none. */
export async function lastBackup(): Promise<CompletedBackup | null> {
  return null;
}
