import { countFromZero } from '../arguments.js';
import type { JsonOption } from '../output.js';
import type { PlanOptions } from '../planning/options.js';
import type { RollcallCommand } from '../rollcall-command.js';

/** Options of every command that updates all users who match. Only some of them can be planned. */
export interface MatchingOptions extends JsonOption, PlanOptions {
  readonly dryRun?: boolean | undefined;
  readonly confirm?: number | undefined;
  readonly yes?: boolean | undefined;
}

export function withMatchingOptions(command: RollcallCommand): RollcallCommand {
  return command
    .option('--dry-run', 'show what would change without changing anything')
    .option(
      '--confirm <count>',
      'proceed without preview and prompt, but only if exactly this many users match',
      countFromZero,
    )
    .option('--yes', 'skip the confirmation prompt');
}
