import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const script = new URL('../../scripts/mutations.mjs', import.meta.url).href;
const { mutations } = (await import(script)) as {
  mutations: { rule: string; file: string; from: string; to: string }[];
};

// The sample itself takes minutes, so a rule that has moved would be noticed long after.
test.each(mutations)('the place where "$rule" can be broken exists once', ({ file, from, to }) => {
  const source = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  expect(source.split(from)).toHaveLength(2);
  expect(to).not.toBe(from);
});
