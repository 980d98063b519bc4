import { Option } from 'commander';
import { type IfChanged, ifChangedChoices } from '../../contract/enums.js';
import { effectiveTime } from '../arguments.js';
import { CommandProblem } from '../problem.js';
import type { RollcallCommand } from '../rollcall-command.js';

/** Options that plan a bulk call instead of running it. */
export interface PlanOptions {
  readonly effectiveAt?: string | undefined;
  readonly approval?: boolean | undefined;
  readonly ifChanged?: IfChanged | undefined;
}

export function withPlanOptions(command: RollcallCommand): RollcallCommand {
  return command
    .optionsGroup('Planning:')
    .option(
      '--effective-at <date|time>',
      'schedule the change: 2026-12-31 in the time zone of the service, or 2026-12-31T18:00:00+01:00',
      effectiveTime,
    )
    .option('--approval', 'hold the change until someone else approves it')
    .addOption(
      new Option(
        '--if-changed <choice>',
        'if the change would differ from its preview when it runs: skip those users (default), run it anyway, or stop everything',
      ).choices(ifChangedChoices),
    )
    .optionsGroup('Options:');
}

interface PlanQuery {
  readonly effectiveAt: string | undefined;
  readonly approval: 'required' | undefined;
  readonly ifChanged: IfChanged | undefined;
}

export function planQuery({ effectiveAt, approval, ifChanged }: PlanOptions): PlanQuery {
  if (ifChanged !== undefined && effectiveAt === undefined && !approval) {
    throw new CommandProblem('wrongUse', '--if-changed needs --effective-at or --approval.');
  }
  return { effectiveAt, approval: approval ? 'required' : undefined, ifChanged };
}

export function isPlan({ effectiveAt, approval }: PlanOptions): boolean {
  return effectiveAt !== undefined || approval === true;
}
