const escapes: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** The values of a line in COPY's text format, as PostgreSQL writes it. */
export function copyLineValues(line: string): (string | null)[] {
  const values = line.split('\t');
  return line.includes('\\') ? values.map(unescaped) : values;
}

function unescaped(value: string): string | null {
  if (value === '\\N') return null;
  return value.replace(/\\(.)/gs, (_, character: string) => escapes[character] ?? character);
}
