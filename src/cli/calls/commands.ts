import { Option } from 'commander';
import { callKinds, callStates } from '../../contract/enums.js';
import { pointInTime, wholeNumber } from '../arguments.js';
import { withPlanOptions } from '../planning/options.js';
import type { RollcallCommand } from '../rollcall-command.js';

export function callCommands(program: RollcallCommand): void {
  const calls = program.command('calls').description('Inspect, approve, cancel and undo bulk calls.');

  calls
    .command('list')
    .description('List bulk calls, newest first.')
    .addOption(new Option('--kind <kind>', 'only this kind').choices(callKinds))
    .addOption(new Option('--state <state>', 'only this state').choices(callStates))
    .option('--actor <id>', 'only calls by this client ID or user serial')
    .option('--request-id <id>', 'only calls with this request ID')
    .option('--since <time>', 'from this time on: 2026-11-15T08:00:00Z, or 90m, 36h, 7d ago', pointInTime)
    .option('--until <time>', 'before this time', pointInTime)
    .examples(
      'rollcall calls list --since 7d',
      'rollcall calls list --state awaitingApproval',
      'rollcall calls list --request-id "$REQUEST" --json',
    )
    .lists('list calls', async () => (await import('./show-calls.js')).listCalls);

  calls
    .command('show')
    .description('Show a bulk call and its changes.')
    .argument('<id>', 'call ID')
    .examples('rollcall calls show "$CALL"')
    .lists('show the call', async () => (await import('./show-calls.js')).showCall);

  calls
    .command('items')
    .description(
      'List the items of a bulk call with their outcomes, or the preview of a call that has not run.',
    )
    .argument('<id>', 'call ID')
    .option('--failed', 'only items that failed')
    .addOption(new Option('--csv', 'print all items as CSV, for a spreadsheet').conflicts(['json', 'limit']))
    .examples('rollcall calls items "$CALL"', 'rollcall calls items "$CALL" --failed --csv > failed.csv')
    .lists('list the items', async () => (await import('./show-calls.js')).listCallItems);

  decision(calls, 'approve')
    .description('Approve planned calls of others. Calls without a date run at once.')
    .examples('rollcall calls approve "$PLANNED" --yes')
    .runs('approve the call', async () => (await import('./decide-calls.js')).approveCalls);

  decision(calls, 'cancel')
    .description('Cancel planned calls, so that they never run.')
    .examples('rollcall calls cancel "$PLANNED" --yes')
    .runs('cancel the call', async () => (await import('./decide-calls.js')).cancelCalls);

  decision(calls, 'take-over')
    .description('Take over planned calls, so that they run with your permissions.')
    .details(
      'A call waits for this if its author no longer has the permission to make it, or if a backup was\nrestored after it was due.',
    )
    .examples('rollcall calls take-over "$PLANNED" --yes')
    .runs('take over the call', async () => (await import('./decide-calls.js')).takeOverCalls);

  withPlanOptions(calls.command('undo'))
    .description('Undo bulk calls. Users whose affected fields have changed since are skipped.')
    .argument('[ids...]', 'call IDs, in any order: the newest is undone first')
    .option('--request-id <id>', 'all calls with this request ID, such as those of one `rollcall sync`')
    .option('--dry-run', 'show what would be done without changing anything')
    .option(
      '--confirm <count>',
      'proceed beyond the safety limit: the number of users that the undo affects, as the refusal states it',
      wholeNumber,
    )
    .option('--yes', 'skip the confirmation prompt')
    .details('Users that the call created are removed. An undo is itself a call and can be undone.')
    .examples(
      'rollcall calls undo "$CALL" --dry-run',
      'rollcall calls undo "$CALL" --yes',
      'rollcall calls undo --request-id "$REQUEST" --yes',
    )
    .runs('undo the call', async () => (await import('./undo-calls.js')).undoCalls);
}

function decision(calls: RollcallCommand, name: string): RollcallCommand {
  return calls.command(name).argument('<ids...>', 'call IDs').option('--yes', 'skip the confirmation prompt');
}
