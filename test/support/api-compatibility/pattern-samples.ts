/** Whether one pattern accepts all that another does cannot be decided in general. These texts show most differences. */
const templates = [
  (c: string) => c,
  (c: string) => `a${c}`,
  (c: string) => `${c}1`,
  (c: string) => `a${c}1`,
  (c: string) => `Ada${c}Lovelace King`,
  (c: string) => `+44${c}20 7946-0958`,
  (c: string) => `a${c}b@example.com`,
  (c: string) => `ada@ex${c}ample.com`,
  (c: string) => `0198c0de-7a11-7000-8000-5f1e2d3c4b5${c}`,
];

/** Latin and combining characters, other scripts, spaces, invisible characters, and one outside of the BMP. */
const characters = [
  '',
  ...Array.from({ length: 0x370 }, (_, code) => String.fromCodePoint(code)),
  ...'Ωжא中名\u1680\u2003\u2028\u200b\u200d\u202e\u2066\ufeff\ufffd\u{1f600}',
];

const samples = templates.flatMap((template) => characters.map(template));

/** A text that matches the first pattern but not the second, if one is found. */
export function sampleOnlyIn(pattern: string | undefined, other: string | undefined): string | undefined {
  if (other === undefined || pattern === other) return undefined;
  const [before, after] = [new RegExp(pattern ?? '', 'u'), new RegExp(other, 'u')];
  return samples.find((sample) => before.test(sample) && !after.test(sample));
}
