import type { Command, Option } from 'commander';

/** Where the words of a line have led. */
export interface Place {
  readonly command: Command;
  /** The words behind `help` are names of commands and nothing else. */
  readonly isHelp: boolean;
  /** The option whose value comes next. */
  readonly waiting: Option | undefined;
  readonly given: readonly Option[];
  readonly argumentCount: number;
  /** Behind a `--` nothing is an option. */
  readonly onlyArguments: boolean;
}

export function placeAfter(program: Command, words: readonly string[]): Place {
  return words.reduce(step, {
    command: program,
    isHelp: false,
    waiting: undefined,
    given: [],
    argumentCount: 0,
    onlyArguments: false,
  });
}

/** Whether a word is the value that an option waits for; one that can do without it takes no other option for it. */
export function isValueFor(waiting: Option | undefined, word: string): waiting is Option {
  return waiting !== undefined && (waiting.required || !word.startsWith('-'));
}

/** The parts of `--name=value`. */
export function cutAtEqualsSign(word: string): [name: string, value: string | undefined] {
  const at = word.indexOf('=');
  return at === -1 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

function step(place: Place, word: string): Place {
  if (isValueFor(place.waiting, word)) return { ...place, waiting: undefined };
  if (!place.onlyArguments && word === '--') return { ...place, waiting: undefined, onlyArguments: true };
  if (!place.onlyArguments && word.startsWith('-')) return withOption(place, word);
  const { commands } = place.command;
  if (word === 'help' && commands.length > 0) return { ...place, isHelp: true };
  const child = commands.find((each) => each.name() === word || each.aliases().includes(word));
  if (child) return { ...place, command: child, given: [], argumentCount: 0 };
  return { ...place, argumentCount: place.argumentCount + 1 };
}

function withOption(place: Place, word: string): Place {
  const [name, value] = cutAtEqualsSign(word);
  const option = place.command.options.find(({ long, short }) => long === name || short === name);
  if (!option) return { ...place, waiting: undefined };
  const takesValue = option.required || option.optional;
  const waiting = takesValue && value === undefined ? option : undefined;
  return { ...place, waiting, given: [...place.given, option] };
}
