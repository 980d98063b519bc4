import type { RollcallCommand } from './rollcall-command.js';

/** `rollcall help keys rotate`: commander's own looks at the first name alone. */
export function helpCommand(program: RollcallCommand): void {
  program
    .helpCommand(false)
    .command('help')
    .description('Show the help of a command.')
    .argument('[command...]', 'its name, such as keys rotate')
    .action((names: string[]) => {
      let shown: RollcallCommand = program;
      for (const name of names) {
        if (shown.commands.length === 0) break;
        const child = shown.commands.find((each) => each.name() === name || each.aliases().includes(name));
        // What is none is answered as the command itself would be, with the nearest name.
        if (!child) return shown.parseAsync([name], { from: 'user' }).then(() => undefined);
        shown = child as RollcallCommand;
      }
      return shown.help();
    });
}
