import { readFileSync } from 'node:fs';
import { type Flags, flagOf } from './flags.js';
import { type Setting, variablesOf } from './kinds.js';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Sources {
  readonly environment: Environment;
  readonly flags: Flags;
}

/** A value and the variable or flag it came from, for error messages. */
export interface Given {
  readonly name: string;
  readonly text: string | undefined;
}

/** The text given for a setting: by flag, or else by variable. Either may name a file. */
export function settingText(
  setting: Setting<unknown>,
  { environment, flags }: Sources,
  problems: string[],
): Given {
  const givenFlags = variablesOf(setting).filter((name) => name in flags);
  const empty = givenFlags.filter((name) => flags[name] === '').map(flagOf);
  for (const flag of empty) problems.push(`${flag} is empty. Give it a value or remove it.`);
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
  const direct = { name: shown(setting.name), text: values[setting.name] };
  const file = setting.canBeFile ? values[`${setting.name}_FILE`] : undefined;
  if (!file) return direct;
  const fileName = shown(`${setting.name}_FILE`);
  if (direct.text) {
    problems.push(`${direct.name} and ${fileName} are both set. Keep only one of them.`);
    return direct;
  }
  try {
    const text = readFileSync(file, 'utf8').trim();
    if (text === '') problems.push(`${fileName} points to ${file}, which is empty.`);
    return { name: direct.name, text };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    problems.push(`${fileName} points to ${file}, which cannot be read (${code}).`);
    return { name: direct.name, text: undefined };
  }
}
