import { Option } from 'commander';
import { callKinds, callStates } from '../../contract/enums.js';
import { pointInTime, wholeNumber } from '../arguments.js';
import type { RollcallCommand } from '../rollcall-command.js';

export function callCommands(program: RollcallCommand): void {
  const calls = program.command('calls').description('Inspect and undo bulk calls.');

  calls
    .command('list')
    .description('List bulk calls, newest first.')
    .addOption(new Option('--kind <kind>', 'only this kind').choices(callKinds))
    .addOption(new Option('--state <state>', 'only this state').choices(callStates))
    .option('--actor <id>', 'only calls by this client ID or user serial')
    .option('--request-id <id>', 'only calls with this request ID')
    .option('--since <time>', 'from this time on: 2026-11-15T08:00:00Z, or 90m, 36h, 7d ago', pointInTime)
    .option('--until <time>', 'before this time', pointInTime)
    .examples('rollcall calls list --since 7d', 'rollcall calls list --request-id "$REQUEST" --json')
    .lists('list calls', async () => (await import('./list-calls.js')).listCalls);

  calls
    .command('show')
    .description('Show a bulk call and its changes.')
    .argument('<id>', 'call ID')
    .examples('rollcall calls show "$CALL"')
    .lists('show the call', async () => (await import('./show-call.js')).showCall);

  calls
    .command('undo')
    .description('Undo bulk calls. Users whose affected fields have changed since are skipped.')
    .argument('[ids...]', 'call IDs, in any order: the newest is undone first')
    .option('--request-id <id>', 'all calls with this request ID, such as those of one `rollcall sync`')
    .option('--dry-run', 'show what would be done without changing anything')
    .option(
      '--confirm <count>',
      'confirm a call over the safety limit: number of users it deactivates, removes, renames or clears a username, email or phone of',
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
