import { buildProgram } from '../../src/cli/program.js';

type Command = ReturnType<typeof buildProgram>;

export interface ExampleCommand {
  readonly name: string;
  readonly lines: readonly string[];
  /** Works on the service's machine, not over the network. */
  readonly isLocal: boolean;
}

const localGroups = ['Service:', 'Help:'];

/** Every command without subcommands, with the examples from its help. */
export function exampleCommands(): ExampleCommand[] {
  const program = buildProgram();
  return (program.commands as Command[]).flatMap((top) => {
    const isLocal = localGroups.includes(top.helpGroup());
    return leaves(top).map((command) => ({
      name: nameOf(command),
      lines: command.exampleLines,
      isLocal,
    }));
  });
}

function leaves(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : (command.commands as Command[]).flatMap(leaves);
}

function nameOf(command: Command): string {
  const parent = command.parent as Command | null;
  return parent ? `${nameOf(parent)} ${command.name()}` : command.name();
}
