import type { Survey } from '@rollcall/sheets';
import { useEffect, useState } from 'react';
import type { UserCounts } from '../state/affected-users.js';
import type { RowReader } from '../state/row-reader.js';
import type { Rows } from '../state/rows.js';
import type { Check } from '../state/state.js';

type CountUsers = (rows: Rows, reader: RowReader, survey?: Survey, parts?: number) => Promise<UserCounts>;

/** Undefined until the users of these rows are counted. */
export function useUserCounts(
  count: CountUsers,
  rows: Rows | undefined,
  { reader, survey, chunks }: Partial<Pick<Check, 'reader' | 'survey' | 'chunks'>>,
): UserCounts | undefined {
  const parts = chunks?.length ?? 1;
  const [counted, setCounted] = useState<{ readonly rows: Rows; readonly users: UserCounts }>();
  useEffect(() => {
    if (!rows || !reader) return;
    let isCurrent = true;
    void count(rows, reader, survey, parts).then((users) => isCurrent && setCounted({ rows, users }));
    return () => {
      isCurrent = false;
    };
  }, [count, rows, reader, survey, parts]);
  return reader && counted?.rows === rows ? counted?.users : undefined;
}
