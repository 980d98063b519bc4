import { version } from '../contract/version.js';
import { RollcallCommand, withManners } from './rollcall-command.js';
import { serviceCommands } from './service/commands.js';

/** The tree of all commands. It knows their names, options and examples; what they do is loaded when they run. */
export function buildProgram(): RollcallCommand {
  const program = withManners(new RollcallCommand('rollcall'))
    .description('User management by employee ID.')
    .version(version, '--version');
  program.commandsGroup('On the machine of the service:');
  serviceCommands(program);
  return program;
}
