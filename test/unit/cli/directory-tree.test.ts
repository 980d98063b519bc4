import { describe, expect, test } from 'vitest';
import { treeOf } from '../../../src/cli/directories/tree.js';

/** "C<A" is C with the parent A. */
function drawn(...given: string[]): string[] {
  const entries = given.map((text) => {
    const [serial = '', parentSerial = null] = text.split('<');
    return { serial, parentSerial };
  });
  return treeOf(entries).map(({ entry, level }) => '-'.repeat(level) + entry.serial);
}

describe('the tree of organizations', () => {
  test.each([
    [
      ['A', 'B<A', 'C<B', 'D<A', 'E'],
      ['A', '-B', '--C', '-D', 'E'],
    ],
    [
      ['A<Z', 'B<Y', 'C', 'Z'],
      ['B', 'C', 'Z', '-A'],
    ],
    [
      ['A<B', 'B<A', 'C<A', 'D'],
      ['D', 'A', '-B', '-C'],
    ],
    [['A<A'], ['A']],
    [[], []],
  ])('%j', (given, expected) => {
    expect(drawn(...given)).toEqual(expected);
  });
});
