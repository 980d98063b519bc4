import { allSettings } from './settings.js';

/** What was given on the command line, by the names of the variables: it goes before the environment. */
export type Flags = Readonly<Record<string, string>>;

/** `ROLLCALL_DATA_DIR` is `--data-dir`, `PORT` is `--port`. */
export function flagOf(variable: string): string {
  const words = variable.replace(/^ROLLCALL_/, '').toLowerCase();
  return `--${words.replaceAll('_', '-')}`;
}

/** The same as variables, for a process that is started with them: an empty one takes the place of one to forget. */
export function flagsAsEnvironment(flags: Flags): Record<string, string> {
  const files = allSettings.filter(({ canBeFile }) => canBeFile).map(({ name }) => name);
  const forgotten = files
    .filter((name) => name in flags || `${name}_FILE` in flags)
    .flatMap((name) => [name, `${name}_FILE`].map((variable) => [variable, '']));
  return { ...Object.fromEntries(forgotten), ...flags };
}
