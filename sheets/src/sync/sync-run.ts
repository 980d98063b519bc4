import type { ItemResult, SyncCall } from './calls.js';
import type { KnownUser } from './decide.js';
import type { IdIndex } from './id-index.js';
import type { ResumeState, SyncJournal } from './journal.js';
import type { Tally } from './outcomes.js';
import type { Survey } from './survey.js';

/** Users of the service, by the employee ID that was asked for. */
export type KnownUsers = ReadonlyMap<string, KnownUser>;

/** What a sync needs of the service: over HTTP for the command, in process for a feed. */
export interface SyncTarget {
  /** The users who have these employee IDs. Those that nobody has are left out. */
  lookup(employeeIDs: readonly string[]): Promise<KnownUsers>;
  /**
   * Sends a bulk upsert and returns one result per item. Only finalState lets two users swap a unique value. The key
   * identifies the call within the run, but not its items: a resumed run can use it for the ones that are left.
   */
  send(
    key: string,
    call: Pick<SyncCall, 'create' | 'items'>,
    mode: 'oneByOne' | 'finalState',
  ): Promise<readonly ItemResult[]>;
}

/** Users to deactivate. */
export interface MissingUsers<Target = SyncTarget> {
  /** Employee IDs that they have now. */
  readonly ids: IdIndex;
  /** Takes an employee ID for the user who has it now, even if the rows use those of another time. */
  readonly target: Target;
}

/** Everything that one run of a sync needs. */
export interface SyncRun {
  readonly survey: Survey;
  readonly target: SyncTarget;
  readonly journal: SyncJournal;
  /** Active users missing from the file, if they are to be deactivated. */
  readonly missing: MissingUsers | undefined;
  /** What an interrupted run of the same file has left behind. */
  readonly resumed: ResumeState | undefined;
  readonly rowsPerChunk: number;
  /** Whether a row is known to change nothing, so that it need not be looked up. */
  readonly isSettled?: ((row: number) => boolean) | undefined;
  /** Whether inactive users are rehired if their row says that they are active. */
  readonly rehire: boolean;
  /** Whether the user has a role, and the caller may not change who can sign in as the user. */
  isProtected(user: KnownUser): boolean;
  /** Whether the target only previews calls. */
  readonly dryRun: boolean;
  /** Whether rows that other rows may have prevented are sent once more. If calls are planned, they would be planned twice. */
  readonly canRetry: boolean;
  readonly tally: Tally;
  /** Throws if the run has to stop. Called before each chunk, so that no row is half done. */
  checkpoint(): void;
  /** Called with the number of rows that have been read and applied. */
  onProgress(rows: number): void;
}
