/** The one of the choices that the text is; nothing for a text that somebody made up. */
export function parseChoice<T extends string>(
  choices: Readonly<Record<T, unknown>>,
  text: string | null,
): T | undefined {
  return text !== null && Object.hasOwn(choices, text) ? (text as T) : undefined;
}

/** As a select takes them. */
export function selectOptions<T extends string>(
  choices: Readonly<Record<T, string>>,
): { value: T; label: string }[] {
  return (Object.keys(choices) as T[]).map((value) => ({ value, label: choices[value] }));
}
