import type { Command, Option } from 'commander';

/** Where in the command tree the words of a line lead. */
export interface Position {
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

export function positionAfter(program: Command, words: readonly string[]): Position {
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
export function isValueFor(waiting: Option | undefined, word: string): waiting is Option {
  return waiting !== undefined && (waiting.required || !word.startsWith('-'));
}

export function splitAtEqualsSign(word: string): [name: string, value: string | undefined] {
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
