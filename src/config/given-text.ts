import { readFileSync } from 'node:fs';
import { type Flags, flagOf } from './flags.js';
import type { Setting } from './kinds.js';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Sources {
  readonly environment: Environment;
  readonly flags: Flags;
}

/** A text with the name it was given by, for the message about a bad one. */
export interface Given {
  readonly name: string;
  readonly text: string | undefined;
}

/** What was given for a setting: by a flag, which may name a file, or else by a variable, which may too. */
export function givenText(
  setting: Setting<unknown>,
  { environment, flags }: Sources,
  problems: string[],
): Given {
  const names = setting.canBeFile ? [setting.name, `${setting.name}_FILE`] : [setting.name];
  const givenFlags = names.filter((name) => name in flags);
  const empty = givenFlags.filter((name) => flags[name] === '').map(flagOf);
  for (const flag of empty) problems.push(`${flag} is empty; give it a value, or leave it out.`);
  return givenFlags.length > 0
    ? directOrFile(setting, flags, flagOf, problems)
    : directOrFile(setting, environment, (name) => name, problems);
}

function directOrFile(
  setting: Setting<unknown>,
  values: Environment,
  shown: (variable: string) => string,
  problems: string[],
): Given {
  const name = shown(setting.name);
  const direct = values[setting.name];
  const file = setting.canBeFile ? values[`${setting.name}_FILE`] : undefined;
  if (!file) return { name, text: direct };
  const fileName = shown(`${setting.name}_FILE`);
  if (direct) {
    problems.push(`${name} and ${fileName} are both set; keep one of them.`);
    return { name, text: direct };
  }
  try {
    const text = readFileSync(file, 'utf8').trim();
    if (text === '') problems.push(`${fileName} names ${file}, which is empty.`);
    return { name, text };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    problems.push(`${fileName} names ${file}, which cannot be read (${code}).`);
    return { name, text: undefined };
  }
}
