import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type AttributePatch,
  type AttributeValues,
  differingAttributes,
  parseAttributes,
  patchAttributes,
  storedAttributes,
} from '../../src/contract/attribute-values.js';

const text = fc.oneof(
  fc.string(),
  fc.constantFrom('"', '\\', '\\"', '", "2": "', '{[,]}', '\u0001\n', 'é🙂'),
);
const value = fc.oneof(text, fc.integer(), fc.constantFrom(-1.5, 0.000001), fc.boolean(), fc.array(text));
const id = fc.constantFrom('1', '2', '9', '10', '100');
const values = fc.dictionary(id, value) as fc.Arbitrary<AttributeValues>;
const patch = fc.dictionary(id, fc.option(value)) as fc.Arbitrary<AttributePatch>;

test('a patched text is that of the patched values, and tells what has changed', () => {
  fc.assert(
    fc.property(values, patch, (given, changes) => {
      const before = storedAttributes(given);
      const after = patchAttributes(before, changes);
      const merged = Object.entries({ ...given, ...changes }).filter(([, each]) => each !== null);
      const expected = Object.fromEntries(merged) as AttributeValues;
      expect(after).toBe(storedAttributes(expected));
      expect(parseAttributes(after)).toEqual(expected);
      const isOther = (one: AttributeValues, other: AttributeValues) => (key: string) =>
        JSON.stringify(one[key]) !== JSON.stringify(other[key]);
      const pick = (from: AttributeValues, to: AttributeValues) =>
        Object.fromEntries(Object.entries(from).filter(([key]) => isOther(from, to)(key)));
      expect(differingAttributes(before, after)).toEqual({
        before: pick(given, expected),
        after: pick(expected, given),
      });
    }),
    { numRuns: 2_000 },
  );
});
