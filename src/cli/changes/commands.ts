import { Option } from 'commander';
import { changeKinds, eventTypes, loggedFields } from '../../contract/enums.js';
import { commaSeparatedOf, countFromZero, pointInTime } from '../arguments.js';
import type { RollcallCommand } from '../rollcall-command.js';

export function changeCommands(program: RollcallCommand): void {
  program
    .command('changes')
    .description('List changes, newest first, or follow them live.')
    .option('--user <employee ID>', 'only changes to this user')
    .option('--serial', 'treat --user as a serial')
    .option('--actor <id>', 'only changes by this client ID or user serial')
    .option('--call <id>', 'only changes by this bulk call')
    .addOption(new Option('--kind <kind>', 'only this kind').choices(changeKinds))
    .addOption(new Option('--field <field>', 'only changes of this field').choices(loggedFields))
    .option('--since <time>', 'from this time on: 2026-11-15T08:00:00Z, or 90m, 36h, 7d ago', pointInTime)
    .option('--until <time>', 'before this time', pointInTime)
    .addOption(
      new Option('--follow', 'print changes as they happen, until Ctrl-C').conflicts([
        'kind',
        'since',
        'until',
        'limit',
        'all',
      ]),
    )
    .option(
      '--after <sequence>',
      'with --follow: start after this sequence number; 0 for the whole log',
      countFromZero,
    )
    .option(
      '--types <types>',
      `with --follow: only these event types, comma-separated: ${eventTypes.join(',')}`,
      commaSeparatedOf(eventTypes),
    )
    .examples(
      'rollcall changes --since 36h',
      'rollcall changes --user E1001 --json',
      'rollcall changes --field role --since 7d',
      'rollcall changes --follow --types user.created,user.deactivated',
    )
    .lists('list changes', async () => (await import('./changes.js')).changes);
}
