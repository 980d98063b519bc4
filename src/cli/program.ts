import { CommanderError } from 'commander';
import { version } from '../contract/version.js';
import { applicationCommands } from './applications/commands.js';
import { attributeCommands } from './attributes/commands.js';
import { callCommands } from './calls/commands.js';
import { changeCommands } from './changes/commands.js';
import { clientCommands } from './clients/commands.js';
import { completionCommands } from './completion/commands.js';
import { deliveryCommands } from './deliveries/commands.js';
import { directoryCommands } from './directories/commands.js';
import { exportCommand } from './export/commands.js';
import { feedCommands } from './feeds/commands.js';
import { host } from './host.js';
import { exitCodes } from './problem.js';
import { configureHelp, RollcallCommand } from './rollcall-command.js';
import { scimCommands } from './scim/commands.js';
import { serviceCommands } from './service/commands.js';
import { sessionCommands } from './session/commands.js';
import { statsCommand } from './stats/commands.js';
import { statusCommand } from './status/commands.js';
import { syncCommand } from './sync/commands.js';
import { userCommands } from './users/commands.js';
import { webhookCommands } from './webhooks/commands.js';

/** Runs what the arguments name. The exit code is undefined if a command has run, which exits by itself. */
export async function runProgram(): Promise<number | undefined> {
  try {
    await buildProgram().parseAsync([...host().argv]);
    return undefined;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? exitCodes.done : exitCodes.wrongUse;
  }
}

/** The tree of all commands. Handlers are loaded when they run. */
export function buildProgram(): RollcallCommand {
  const program = configureHelp(new RollcallCommand('rollcall'))
    .description('Manage users by employee ID.')
    .version(version, '--version');
  program.commandsGroup('Connection:');
  sessionCommands(program);
  program.commandsGroup('Users:');
  userCommands(program);
  directoryCommands(program);
  attributeCommands(program);
  program.commandsGroup('Files:');
  syncCommand(program);
  exportCommand(program);
  feedCommands(program);
  program.commandsGroup('History:');
  changeCommands(program);
  statsCommand(program);
  callCommands(program);
  program.commandsGroup('Administration:');
  clientCommands(program);
  webhookCommands(program);
  applicationCommands(program);
  scimCommands(program);
  deliveryCommands(program);
  statusCommand(program);
  program.commandsGroup('Service:');
  serviceCommands(program);
  program.commandsGroup('Help:');
  completionCommands(program);
  helpCommand(program);
  return program;
}

/** `rollcall help keys rotate`: commander's own handles only one level. */
function helpCommand(program: RollcallCommand): void {
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
