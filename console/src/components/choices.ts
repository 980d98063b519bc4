/** Undefined for anything that is not one of the choices, such as a hand-edited URL. */
export function parseChoice<T extends string>(
  choices: Readonly<Record<T, unknown>>,
  text: string | null,
): T | undefined {
  return text !== null && Object.hasOwn(choices, text) ? (text as T) : undefined;
}

export function selectOptions<T extends string>(
  choices: Readonly<Record<T, string>>,
): { value: T; label: string }[] {
  return (Object.keys(choices) as T[]).map((value) => ({ value, label: choices[value] }));
}
