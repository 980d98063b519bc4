import { describe, expect, it } from 'vitest';
import { treeMove } from '../../../console/src/directories/tree-keys.js';

/** As it is shown: one is open with a closed part and another part, the second is closed, and the last has no parts. */
const rows = [
  { level: 1, isOpen: true },
  { level: 2, isOpen: false },
  { level: 2, isOpen: undefined },
  { level: 1, isOpen: false },
  { level: 1, isOpen: undefined },
];

describe('in a tree', () => {
  it.each([
    ['ArrowDown', 0, { to: 1 }],
    ['ArrowDown', 4, undefined],
    ['ArrowUp', 3, { to: 2 }],
    ['ArrowUp', 0, undefined],
    ['Home', 3, { to: 0 }],
    ['End', 0, { to: 4 }],
    ['ArrowRight', 1, 'open'],
    ['ArrowRight', 0, { to: 1 }],
    ['ArrowRight', 2, undefined],
    ['ArrowLeft', 0, 'close'],
    ['ArrowLeft', 1, { to: 0 }],
    ['ArrowLeft', 2, { to: 0 }],
    ['ArrowLeft', 3, undefined],
    ['a', 0, undefined],
  ] as const)('%s in row %i leads to %o', (key, at, move) => {
    expect(treeMove(key, rows, at)).toEqual(move);
  });

  it('goes nowhere from an open row whose parts are loading', () => {
    expect(treeMove('ArrowRight', [{ level: 1, isOpen: true }], 0)).toBeUndefined();
  });
});
