import { Argument } from 'commander';
import { print } from '../output.js';
import type { RollcallCommand } from '../rollcall-command.js';
import { completionOf } from './candidates.js';
import { completionScripts, type Shell } from './scripts.js';

export function completionCommands(program: RollcallCommand): void {
  program
    .command('completion')
    .description('Print the script that lets a shell complete commands, options and values.')
    .addArgument(new Argument('<shell>', 'which one').choices(Object.keys(completionScripts)))
    .details(
      [
        'bash:  put this into ~/.bashrc',
        '         source <(rollcall completion bash)',
        'zsh:   put this into ~/.zshrc, behind compinit',
        '         source <(rollcall completion zsh)',
        'fish:  run this once',
        '         rollcall completion fish > ~/.config/fish/completions/rollcall.fish',
      ].join('\n'),
    )
    .examples('rollcall completion bash > rollcall-completion.bash')
    .action((shell: Shell) => print(completionScripts[shell].trimEnd()));

  program
    .command('complete', { hidden: true })
    .description(
      'Answer the scripts of `rollcall completion`: a candidate a line, a tab and its description.',
    )
    .argument('[words...]', 'the line behind the name of the program, as far as it was typed')
    .action((words: string[]) => {
      const { candidates, paths } = completionOf(program, words);
      for (const { value, description } of candidates) {
        print(description === '' ? value : `${value}\t${oneLine(description)}`);
      }
      if (paths) print(`:${paths}`);
    });
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
