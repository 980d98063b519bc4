import { Option } from 'commander';
import { callKinds, callStates } from '../../contract/enums.js';
import { pointInTime, wholeNumber } from '../arguments.js';
import type { RollcallCommand } from '../rollcall-command.js';

/** Bulk calls on record, and the way back. */
export function callCommands(program: RollcallCommand): void {
  const calls = program.command('calls').description('Bulk calls: look at them, and undo them.');

  calls
    .command('list')
    .description('List bulk calls, the newest first.')
    .addOption(new Option('--kind <kind>', 'those of this kind').choices(callKinds))
    .addOption(new Option('--state <state>', 'those in this state').choices(callStates))
    .option('--actor <id>', 'those of this client, or of the person with this serial')
    .option('--request-id <id>', 'those with this request ID')
    .option('--since <time>', 'at this time or later: 2026-11-15T08:00:00Z, or 90m, 36h, 7d ago', pointInTime)
    .option('--until <time>', 'before this time', pointInTime)
    .examples('rollcall calls list --since 7d', 'rollcall calls list --request-id "$REQUEST" --json')
    .lists('list calls', async () => (await import('./list-calls.js')).listCalls);

  calls
    .command('show')
    .description('Show a bulk call, and what it changed.')
    .argument('<id>', 'its ID')
    .examples('rollcall calls show "$CALL"')
    .lists('show the call', async () => (await import('./show-call.js')).showCall);

  calls
    .command('undo')
    .description('Put back what bulk calls changed, unless somebody has changed it since.')
    .argument('[ids...]', 'their IDs; the newest is undone first, whatever their order')
    .option('--request-id <id>', 'all calls with this request ID, such as those of one `rollcall sync`')
    .option('--dry-run', 'show what would be done, and do nothing')
    .option('--confirm <count>', 'how many users it may deactivate, remove or rename', wholeNumber)
    .option('--yes', 'do not ask')
    .details('An undo is a call too, and can be undone. Users that the call created are removed.')
    .examples(
      'rollcall calls undo "$CALL" --dry-run',
      'rollcall calls undo "$CALL" --yes',
      'rollcall calls undo --request-id "$REQUEST" --yes',
    )
    .runs('undo the call', async () => (await import('./undo-calls.js')).undoCalls);
}
