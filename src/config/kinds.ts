/** A setting: where it comes from, what it means, and how its text is read. */
export interface Setting<T> {
  readonly name: string;
  readonly description: string;
  readonly fallback: T;
  /** What stands for a value in the help: "number". */
  readonly valueName: string;
  /** All values there are, where they can be counted. */
  readonly choices?: readonly string[];
  /** Never shown in a message. */
  readonly isSecret?: boolean;
  /** Can also be given as a file, by the name with _FILE behind it. */
  readonly canBeFile?: boolean;
  /** Says what a good value is, for the message about a bad one. */
  readonly expects: string;
  parse(text: string): T | undefined;
  /** What exactly is wrong with a text that could not be read, where `expects` alone would not help. */
  problem?(text: string): string;
}

export function text(
  name: string,
  fallback: string,
  valueName: string,
  description: string,
): Setting<string> {
  return { name, description, fallback, valueName, expects: 'a text', parse: (value) => value };
}

export function optionalText(
  name: string,
  valueName: string,
  description: string,
): Setting<string | undefined> {
  return { name, description, fallback: undefined, valueName, expects: 'a text', parse: (value) => value };
}

export function optionalSecret(
  name: string,
  valueName: string,
  description: string,
): Setting<string | undefined> {
  return { ...optionalText(name, valueName, description), isSecret: true, canBeFile: true };
}

/** A URL, which may hold credentials. */
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
