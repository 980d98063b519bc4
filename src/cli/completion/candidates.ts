import type { Command, Option } from 'commander';
import { cutAtEqualsSign, isValueFor, type Place, placeAfter } from './place.js';

export interface Candidate {
  readonly value: string;
  readonly description: string;
}

export interface Completion {
  readonly candidates: readonly Candidate[];
  /** These are left to the shell. */
  readonly paths?: 'files' | 'directories';
}

/** What can stand at the end of a line: `words` are those behind the name of the program, the last one as far as typed. */
export function completionOf(program: Command, words: readonly string[]): Completion {
  const whole = withoutEqualsSigns(words);
  const typed = whole.at(-1) ?? '';
  const completion = possible(placeAfter(program, whole.slice(0, -1)), typed);
  return { ...completion, candidates: completion.candidates.filter(({ value }) => value.startsWith(typed)) };
}

/** Bash cuts `--log-level=warn` into three words; the value then stands alone, as it does behind a space. */
function withoutEqualsSigns(words: readonly string[]): readonly string[] {
  return words.flatMap((word, index) => {
    const isSign = word === '=' && words[index - 1]?.startsWith('--') === true;
    if (!isSign) return [word];
    return index === words.length - 1 ? [''] : [];
  });
}

function possible(place: Place, typed: string): Completion {
  const { command, isHelp, waiting, onlyArguments, argumentCount } = place;
  if (isHelp) return { candidates: commandsOf(command).filter(({ value }) => value !== 'help') };
  if (isValueFor(waiting, typed)) return valuesOfOption(waiting);
  if (!onlyArguments && typed.startsWith('-')) return optionOrItsValue(place, typed);
  if (command.commands.length > 0) return { candidates: commandsOf(command) };
  const { registeredArguments } = command;
  const last = registeredArguments.at(-1);
  const argument = registeredArguments[argumentCount] ?? (last?.variadic ? last : undefined);
  return argument ? values(argument.argChoices, argument.name()) : { candidates: [] };
}

function optionOrItsValue({ command, given }: Place, typed: string): Completion {
  const [name, value] = cutAtEqualsSign(typed);
  const option = command.options.find(({ long }) => long === name);
  if (value !== undefined && option) {
    const { candidates } = valuesOfOption(option);
    return { candidates: candidates.map((each) => ({ ...each, value: `${name}=${each.value}` })) };
  }
  const offered = command
    .createHelp()
    .visibleOptions(command)
    .filter((each) => each.variadic || !given.includes(each));
  return {
    candidates: offered.map(({ long, short, description }) => ({ value: long ?? short ?? '', description })),
  };
}

function commandsOf(command: Command): Candidate[] {
  const visible = command.createHelp().visibleCommands(command);
  return visible.map((each) => ({ value: each.name(), description: each.summary() || each.description() }));
}

function valuesOfOption(option: Option): Completion {
  const [, valueName = ''] = /[<[]([^>\]]+?)(?:\.{3})?[>\]]/.exec(option.flags) ?? [];
  return values(option.argChoices, valueName);
}

/** By the choices there are, or else by what the value is called in the help. */
function values(choices: readonly string[] | undefined, name: string): Completion {
  const candidates = (choices ?? []).map((value) => ({ value, description: '' }));
  if (/\bfiles?$/.test(name)) return { candidates, paths: 'files' };
  return /\bdirectory$/.test(name) ? { candidates, paths: 'directories' } : { candidates };
}
