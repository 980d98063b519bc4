export const onOrOff = ['on', 'off'] as const;

export interface Setting<T> {
  readonly name: string;
  readonly description: string;
  readonly fallback: T;
  /** Placeholder for the value in help: "number". */
  readonly valueName: string;
  readonly choices?: readonly string[];
  /** Never shown in a message. */
  readonly isSecret?: boolean;
  /** Only for tests: a variable without a flag, left out of help and documentation. */
  readonly isInternal?: boolean;
  /** Can also be read from the file named by the variable with the suffix _FILE. */
  readonly canBeFile?: boolean;
  /** Describes a valid value; completes "NAME must be …". */
  readonly expects: string;
  parse(text: string): T | undefined;
  /** The exact problem with an invalid text, where `expects` alone would not help. */
  problem?(text: string): string;
}

export function internal<T>(setting: Setting<T>): Setting<T> {
  return { ...setting, isInternal: true };
}

/** Every variable that gives the setting. */
export function variablesOf({ name, canBeFile }: Setting<unknown>): string[] {
  return [name, ...(canBeFile ? [`${name}_FILE`] : [])];
}

/** The default as shown to readers; empty if there is nothing to show. */
export function defaultText({ fallback }: Setting<unknown>): string {
  if (fallback === undefined || (fallback instanceof Set && fallback.size === 0)) return '';
  return String(fallback);
}

export function text(
  name: string,
  fallback: string,
  valueName: string,
  description: string,
): Setting<string> {
  return { name, description, fallback, valueName, expects: 'text', parse: (value) => value };
}

export function optionalText(
  name: string,
  valueName: string,
  description: string,
): Setting<string | undefined> {
  return { name, description, fallback: undefined, valueName, expects: 'text', parse: (value) => value };
}

export function optionalSecret(
  name: string,
  valueName: string,
  description: string,
): Setting<string | undefined> {
  return { ...optionalText(name, valueName, description), isSecret: true, canBeFile: true };
}

/** A URL that may contain credentials. */
export function optionalSecretUrl(
  name: string,
  protocols: readonly string[],
  description: string,
  isWhole: (url: URL) => boolean = () => true,
): Setting<string | undefined> {
  const begins = protocols.map((protocol) => `${protocol}://`);
  return {
    ...optionalSecret(name, 'url', description),
    expects: `a URL that begins with ${begins.join(' or ')}`,
    parse: (value) =>
      begins.some((begin) => value.startsWith(begin)) && URL.canParse(value) && isWhole(new URL(value))
        ? value
        : undefined,
  };
}

export function wholeNumber(
  name: string,
  fallback: number,
  min: number,
  max: number,
  description: string,
): Setting<number> {
  return {
    name,
    description,
    fallback,
    valueName: 'number',
    expects: `a whole number from ${min} to ${max}`,
    parse: (value) => {
      const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
      return number >= min && number <= max ? number : undefined;
    },
  };
}

export function optionalWholeNumber(
  name: string,
  min: number,
  max: number,
  description: string,
): Setting<number | undefined> {
  return { ...wholeNumber(name, min, min, max, description), fallback: undefined };
}

export function choice<T extends string>(
  name: string,
  values: readonly T[],
  fallback: T,
  description: string,
): Setting<T> {
  return {
    name,
    description,
    fallback,
    valueName: 'choice',
    choices: values,
    expects: `one of ${values.join(', ')}`,
    parse: (value) => values.find((candidate) => candidate === value),
  };
}
