import type { Command, Option } from 'commander';
import { RepeatableOption } from '../arguments.js';

interface Candidate {
  readonly value: string;
  readonly description: string;
}

interface Completion {
  readonly candidates: readonly Candidate[];
  /** Completed by the shell itself. */
  readonly paths?: 'files' | 'directories';
}

/** Completes a line. `words` are those after the program name; the last one may be incomplete. */
export function completionOf(program: Command, words: readonly string[]): Completion {
  const whole = withoutEqualsSigns(words);
  const typed = whole.at(-1) ?? '';
  const completion = possible(positionAfter(program, whole.slice(0, -1)), typed);
  return { ...completion, candidates: completion.candidates.filter(({ value }) => value.startsWith(typed)) };
}

/** Bash splits `--log-level=warn` into three words; dropping the = makes the value a word of its own. */
function withoutEqualsSigns(words: readonly string[]): readonly string[] {
  return words.flatMap((word, index) => {
    const isSign = word === '=' && words[index - 1]?.startsWith('--') === true;
    if (!isSign) return [word];
    return index === words.length - 1 ? [''] : [];
  });
}

function possible(place: Position, typed: string): Completion {
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

function optionOrItsValue({ command, given }: Position, typed: string): Completion {
  const [name, value] = splitAtEqualsSign(typed);
  const option = command.options.find(({ long }) => long === name);
  if (value !== undefined && option) {
    const { candidates } = valuesOfOption(option);
    return { candidates: candidates.map((each) => ({ ...each, value: `${name}=${each.value}` })) };
  }
  const offered = command
    .createHelp()
    .visibleOptions(command)
    .filter((each) => isRepeatable(each) || !given.includes(each));
  return {
    candidates: offered.map(({ long, short, description }) => ({ value: long ?? short ?? '', description })),
  };
}

function isRepeatable(option: Option): boolean {
  return option.variadic || option instanceof RepeatableOption;
}

function commandsOf(command: Command): Candidate[] {
  const visible = command.createHelp().visibleCommands(command);
  return visible.map((each) => ({ value: each.name(), description: each.summary() || each.description() }));
}

function valuesOfOption(option: Option): Completion {
  const [, valueName = ''] = /[<[]([^>\]]+?)(?:\.{3})?[>\]]/.exec(option.flags) ?? [];
  return values(option.argChoices, valueName);
}

/** By the declared choices, or else by the placeholder of the value, such as <true|false> or <file>. */
function values(choices: readonly string[] | undefined, name: string): Completion {
  const listed = name.includes('|') ? name.split('|') : [];
  const candidates = (choices ?? listed).map((value) => ({ value, description: '' }));
  if (/\bfiles?$/.test(name)) return { candidates, paths: 'files' };
  return /\bdirectory$/.test(name) ? { candidates, paths: 'directories' } : { candidates };
}

/** Where in the command tree the words of a line lead. */
interface Position {
  readonly command: Command;
  /** After `help` come only command names. */
  readonly isHelp: boolean;
  /** The option whose value comes next. */
  readonly waiting: Option | undefined;
  readonly given: readonly Option[];
  readonly argumentCount: number;
  /** After `--` nothing is an option. */
  readonly onlyArguments: boolean;
}

function positionAfter(program: Command, words: readonly string[]): Position {
  return words.reduce(step, {
    command: program,
    isHelp: false,
    waiting: undefined,
    given: [],
    argumentCount: 0,
    onlyArguments: false,
  });
}

/** Whether a word is the value of the pending option. An optional value cannot look like an option. */
function isValueFor(waiting: Option | undefined, word: string): waiting is Option {
  return waiting !== undefined && (waiting.required || !word.startsWith('-'));
}

function splitAtEqualsSign(word: string): [name: string, value: string | undefined] {
  const at = word.indexOf('=');
  return at === -1 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

function step(place: Position, word: string): Position {
  if (isValueFor(place.waiting, word)) return { ...place, waiting: undefined };
  if (!place.onlyArguments && word === '--') return { ...place, waiting: undefined, onlyArguments: true };
  if (!place.onlyArguments && word.startsWith('-')) return withOption(place, word);
  const { commands } = place.command;
  if (word === 'help' && commands.length > 0) return { ...place, isHelp: true };
  const child = commands.find((each) => each.name() === word || each.aliases().includes(word));
  if (child) return { ...place, command: child, given: [], argumentCount: 0 };
  return { ...place, argumentCount: place.argumentCount + 1 };
}

function withOption(place: Position, word: string): Position {
  const [name, value] = splitAtEqualsSign(word);
  const option = place.command.options.find(({ long, short }) => long === name || short === name);
  if (!option) return { ...place, waiting: undefined };
  const takesValue = option.required || option.optional;
  const waiting = takesValue && value === undefined ? option : undefined;
  return { ...place, waiting, given: [...place.given, option] };
}
