import { Command, Option } from 'commander';
import { wholeNumber } from './arguments.js';
import { host, type Output } from './host.js';
import { listLimitDefault } from './output.js';
import { type CommandResult, run, withErrorMark } from './run.js';
import { out } from './terminal/style.js';

/** Adds what all our commands share: examples, a lazily loaded handler, and an exit code. */
export class RollcallCommand extends Command {
  /** As shown in help. The tests run every one. */
  readonly exampleLines: string[] = [];

  override createCommand(name?: string): RollcallCommand {
    return new RollcallCommand(name);
  }

  examples(...lines: string[]): this {
    if (this.exampleLines.length === 0) {
      this.addHelpText('after', () => {
        const shown = this.exampleLines.map((line) => `  ${out.dim('$')} ${line}\n`).join('');
        return `\n${out.bold(this.exampleLines.length === 1 ? 'Example:' : 'Examples:')}\n${shown}`;
      });
    }
    this.exampleLines.push(...lines);
    return this;
  }

  /** A paragraph after the options. */
  details(text: string): this {
    return this.addHelpText('after', `\n${text.trimEnd()}`);
  }

  /**
   * Sets the handler: a function of arguments and options, in a module that is loaded only when the command runs, so that
   * help and usage errors are fast. `action` completes "Could not …".
   */
  runs(action: string, load: () => Promise<Handler>): this {
    this.option('--json', 'print JSON, for scripts');
    return this.#runs(action, load);
  }

  /** The same for commands that print a list. */
  lists(action: string, load: () => Promise<Handler>): this {
    this.option('--limit <count>', 'maximum number of entries', wholeNumber, listLimitDefault);
    this.addOption(new Option('--all', 'no limit').conflicts('limit'));
    return this.runs(action, load);
  }

  /** The same for commands that run until a signal stops them. */
  runsUntilStopped(action: string, load: () => Promise<Handler>): this {
    return this.#runs(action, load, true);
  }

  #runs(action: string, load: () => Promise<Handler>, keepsRunning = false): this {
    return this.action(async (...given: unknown[]) => {
      const args = given.slice(0, -1) as never[]; // the last one is the command itself
      const { json } = this.opts<{ json?: boolean }>();
      await run(action, async () => (await load())(...args), { json, keepsRunning });
    });
  }
}

/** Its parameters are those declared on the command, which commander's types cannot express. */
export type Handler = (...args: never[]) => Promise<CommandResult>;

/** Subcommands inherit this. */
export function configureHelp(program: RollcallCommand): RollcallCommand {
  return program
    .exitOverride()
    .configureHelp({
      styleTitle: (title) => out.bold(title),
      styleCommandText: (name) => out.cyan(name),
      styleOptionText: (option) => out.cyan(option),
    })
    .configureOutput({
      writeOut: (text) => void host().stdout.write(text),
      writeErr: (text) => void host().stderr.write(text),
      getOutHelpWidth: () => widthOf(host().stdout),
      getErrHelpWidth: () => widthOf(host().stderr),
      outputError: (text, write) => write(usageError(text.replace(/^error: /, '').trim())),
    });
}

/** The options have not been read when they are wrong, so scripts are recognized by the argument itself. */
function usageError(text: string): string {
  if (!host().argv.includes('--json')) return `${withErrorMark(text)}\n`;
  return `${JSON.stringify({ error: { exit: 'wrongUse', message: text.replace(/\s*\n\s*/g, ' ') } })}\n`;
}

const widthWithoutTerminal = 80;

function widthOf({ isTTY, columns }: Output): number {
  return (isTTY ? columns : undefined) ?? widthWithoutTerminal;
}
