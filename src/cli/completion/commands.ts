import { Argument } from 'commander';
import { print } from '../output.js';
import type { RollcallCommand } from '../rollcall-command.js';
import { completionOf } from './candidates.js';
import { completionScripts, type Shell } from './scripts.js';

export function completionCommands(program: RollcallCommand): void {
  program
    .command('completion')
    .description('Print a shell completion script.')
    .addArgument(new Argument('<shell>', 'shell').choices(Object.keys(completionScripts)))
    .details(
      [
        'bash:  add this to ~/.bashrc',
        '         source <(rollcall completion bash)',
        'zsh:   add this to ~/.zshrc, after compinit',
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
      'Used by the scripts of `rollcall completion`: prints one candidate per line, with its description after a tab.',
    )
    .argument('[words...]', 'the words typed so far, without the program name')
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
