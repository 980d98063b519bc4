import { calendarDay } from '../arguments.js';
import type { RollcallCommand } from '../rollcall-command.js';

export function statsCommand(program: RollcallCommand): void {
  program
    .command('stats')
    .description('Count users and changes per day.')
    .option('--from <day>', 'first day, such as 2026-11-01 (default: 29 days before the last)', calendarDay)
    .option('--to <day>', 'last day (default: today)', calendarDay)
    .details("Days begin at midnight in the service's time zone.")
    .examples('rollcall stats', 'rollcall stats --from 2026-01-01 --to 2026-01-07 --json')
    .runs('count users and changes', async () => (await import('./stats.js')).stats);
}
