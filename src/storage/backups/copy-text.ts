const escapes: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** The values of a line in COPY's text format, as PostgreSQL writes it; one more than expected if there are more. */
export function copyLineValues(line: string, expected: number): (string | null)[] {
  const values = line.split('\t', expected + 1);
  return line.includes('\\') ? values.map(unescaped) : values;
}

function unescaped(value: string): string | null {
  if (value === '\\N') return null;
  return value.replace(/\\(.)/gs, (_, character: string) => escapes[character] ?? character);
}
