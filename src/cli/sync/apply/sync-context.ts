import type { IdIndex, Survey, Tally } from '#sheets';
import type { Progress } from '../../terminal/progress.js';
import type { ResumeState } from '../journal/resume-state.js';
import type { ApplyContext } from './apply-rows.js';

/** Everything that one run of a sync needs. */
export interface SyncContext {
  readonly context: ApplyContext;
  readonly survey: Survey;
  /** Active users missing from the file, if they are to be deactivated. */
  readonly missing: IdIndex | undefined;
  readonly resumed: ResumeState | undefined;
  readonly rowsPerChunk: number;
  readonly tally: Tally;
  readonly progress: Progress;
}
