import type { RollcallCommand } from './rollcall-command.js';

/** `rollcall help keys rotate`: commander's own handles only one level. */
export function helpCommand(program: RollcallCommand): void {
  program
    .helpCommand(false)
    .command('help')
    .description('Show help for a command.')
    .argument('[command...]', 'command name, such as keys rotate')
    .action((names: string[]) => {
      let shown: RollcallCommand = program;
      for (const name of names) {
        if (shown.commands.length === 0) break;
        const child = shown.commands.find((each) => each.name() === name || each.aliases().includes(name));
        // Lets commander report the unknown command and suggest the nearest name.
        if (!child) return shown.parseAsync([name], { from: 'user' }).then(() => undefined);
        shown = child as RollcallCommand;
      }
      return shown.help();
    });
}
