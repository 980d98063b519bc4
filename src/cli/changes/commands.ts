import { Option } from 'commander';
import { changeKinds, eventTypes } from '../../contract/enums.js';
import { countFromZero, pointInTime, wordsOf } from '../arguments.js';
import type { RollcallCommand } from '../rollcall-command.js';

/** What changed, who changed it, before and after. */
export function changeCommands(program: RollcallCommand): void {
  program
    .command('changes')
    .description('List what changed, the newest first, or follow it as it happens.')
    .option('--user <employee ID>', 'changes of this user')
    .option('--serial', '--user is a serial')
    .option('--actor <id>', 'by this client, or by the person with this serial')
    .option('--call <id>', 'by this bulk call')
    .addOption(new Option('--kind <kind>', 'of this kind').choices(changeKinds))
    .option('--since <time>', 'at this time or later: 2026-11-15T08:00:00Z, or 90m, 36h, 7d ago', pointInTime)
    .option('--until <time>', 'before this time', pointInTime)
    .addOption(
      new Option('--follow', 'print what happens from now on, a line each, until Ctrl-C').conflicts([
        'kind',
        'since',
        'until',
        'limit',
        'all',
      ]),
    )
    .option(
      '--after <sequence>',
      'with --follow: begin after this one; 0 for all that is kept',
      countFromZero,
    )
    .option('--types <types>', `with --follow: some of ${eventTypes.join(',')}`, wordsOf(eventTypes))
    .examples(
      'rollcall changes --since 36h',
      'rollcall changes --user E1001 --json',
      'rollcall changes --follow --types user.created,user.deactivated',
    )
    .lists('list changes', async () => (await import('./changes.js')).changes);
}
