import { Command, Option } from 'commander';
import { wholeNumber } from './arguments.js';
import { listLimitDefault } from './output.js';
import { type Ended, marked, run } from './run.js';
import { out } from './terminal/style.js';

/** Commander's, with what each of our commands has: examples, code that is loaded when it runs, and an exit code. */
export class RollcallCommand extends Command {
  /** As they stand in the help; the tests run every one of them. */
  readonly exampleLines: string[] = [];

  override createCommand(name?: string): RollcallCommand {
    return new RollcallCommand(name);
  }

  /** Lines to paste into a shell. */
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

  /** A paragraph below the options. */
  details(text: string): this {
    return this.addHelpText('after', `\n${text.trimEnd()}`);
  }

  /**
   * What the command does: a function of its arguments and its options, in a module that is loaded when it runs, so that
   * help and mistakes are answered at once. `doing` completes "Rollcall cannot …".
   */
  runs(doing: string, load: () => Promise<Handler>): this {
    this.option('--json', 'print JSON, for scripts');
    return this.#runs(doing, load);
  }

  /** The same for what prints a list, which can be told how much of it. */
  lists(doing: string, load: () => Promise<Handler>): this {
    this.option('--limit <count>', 'how many at most', wholeNumber, listLimitDefault);
    this.addOption(new Option('--all', 'all of them').conflicts('limit'));
    return this.runs(doing, load);
  }

  /** The same for what goes on until a signal ends it. */
  stays(doing: string, load: () => Promise<Handler>): this {
    return this.#runs(doing, load, true);
  }

  #runs(doing: string, load: () => Promise<Handler>, stays = false): this {
    return this.action(async (...given: unknown[]) => {
      const args = given.slice(0, -1) as never[]; // the last is the command itself
      const { json } = this.opts<{ json?: boolean }>();
      await run(doing, async () => (await load())(...args), { json, stays });
    });
  }
}

/** What it takes is what was declared beside it, which commander's types cannot tell. */
export type Handler = (...args: never[]) => Promise<Ended>;

/** Help and mistakes, the same at every level; children take it over. */
export function configureHelp(program: RollcallCommand): RollcallCommand {
  return program
    .exitOverride()
    .configureHelp({
      styleTitle: (title) => out.bold(title),
      styleCommandText: (name) => out.cyan(name),
      styleOptionText: (option) => out.cyan(option),
    })
    .configureOutput({ outputError: (text, write) => write(marked(text.replace(/^error: /, ''))) });
}
