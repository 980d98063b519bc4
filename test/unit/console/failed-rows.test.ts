import { describe, expect, test } from 'vitest';
import { failedSyncs } from '../../../console/src/home/failed-rows.js';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 16, 2, minute)).toISOString();
const client = { kind: 'client', id: 'nightly' } as const;
let number = 0;

function aCall(minute: number, failed: number, part = {}) {
  number += 1;
  const requestId = `request-${number}`;
  return {
    ...({ id: `call-${number}`, kind: 'upsert-bulk', actor: client, source: 'hr.csv', requestId } as const),
    ...{ startedAt: at(minute), failed, undoneBy: null },
    ...part,
  };
}

describe('failed rows of the last night', () => {
  test('are those of the last sync of each program and file, in as many calls as it took', () => {
    const [other, last, first] = [aCall(31, 4, { source: 'other.csv' }), aCall(30, 1), aCall(29, 2)];
    expect(failedSyncs([other, last, first], [])).toEqual([
      { call: other, failed: 4 },
      { call: last, failed: 3 },
    ]);
  });

  test('are gone once a later sync had none, or they are marked as done', () => {
    const failing = aCall(0, 5);
    expect(failedSyncs([aCall(90, 0), failing], [])).toEqual([]);
    expect(failedSyncs([failing], [failing.id])).toEqual([]);
  });

  test('are not those of people, feeds, and what was undone', () => {
    const calls = [
      aCall(1, 1, { actor: { kind: 'person', id: 'ada' } }),
      aCall(2, 1, { actor: { kind: 'feed', id: 'hr' } }),
      aCall(3, 1, { undoneBy: 'call-9' }),
    ];
    expect(failedSyncs(calls, [])).toEqual([]);
  });
});
