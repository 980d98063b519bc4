import type { RollcallCommand } from '../rollcall-command.js';

export function statusCommand(program: RollcallCommand): void {
  program
    .command('status')
    .description('Show nodes, database, queues, the last backup, and what needs attention.')
    .details('Requires access:admin. To check the machine that the service runs on, use rollcall doctor.')
    .examples('rollcall status', 'rollcall status --json')
    .runs('read the status', async () => (await import('./status.js')).status);
}
