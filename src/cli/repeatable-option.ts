import { InvalidArgumentError, Option } from 'commander';
import { nonEmpty } from './arguments.js';

interface Values {
  readonly max: number;
  readonly choices?: readonly string[] | undefined;
}

/**
 * An option whose values add up when it is repeated. Unlike a variadic option, it takes one value at a time, so that a
 * stray word is still an error.
 */
export class RepeatableOption extends Option {
  constructor(flags: string, description: string, { max, choices }: Values) {
    super(flags, `${description}; repeatable`);
    if (choices) this.choices(choices);
    const checked = this.parseArg ?? nonEmpty;
    this.argParser<string[]>((text, previous = []) => {
      if (previous.length === max) throw new InvalidArgumentError(`Use this option at most ${max} times.`);
      return [...previous, checked(text, '')];
    });
  }
}
