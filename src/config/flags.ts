import { variablesOf } from './kinds.js';
import { operatorSettings } from './settings.js';

/** Settings given on the command line, keyed by variable. They override the environment. */
export type Flags = Readonly<Record<string, string>>;

/** `ROLLCALL_DATA_DIR` is `--data-dir`, `PORT` is `--port`. */
export function flagOf(variable: string): string {
  return `--${variable
    .replace(/^ROLLCALL_/, '')
    .toLowerCase()
    .replaceAll('_', '-')}`;
}

/** The environment for a process that has to see the same settings. Empty values unset what the flags override. */
export function flagsAsEnvironment(flags: Flags): Record<string, string> {
  const overridden = operatorSettings
    .map(variablesOf)
    .filter((variables) => variables.some((variable) => variable in flags))
    .flat();
  return { ...Object.fromEntries(overridden.map((variable) => [variable, ''])), ...flags };
}
