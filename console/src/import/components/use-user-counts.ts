import { useEffect, useState } from 'react';
import type { UserCounts } from '../state/affected-users.js';
import type { RowReader } from '../state/row-reader.js';
import type { Rows } from '../state/rows.js';

type CountUsers = (rows: Rows, reader: RowReader) => Promise<UserCounts>;

/** Undefined until the users of these rows are counted. */
export function useUserCounts(
  count: CountUsers,
  rows: Rows | undefined,
  reader: RowReader | undefined,
): UserCounts | undefined {
  const [counted, setCounted] = useState<{ readonly rows: Rows; readonly users: UserCounts }>();
  useEffect(() => {
    if (!rows || !reader) return;
    let isCurrent = true;
    void count(rows, reader).then((users) => isCurrent && setCounted({ rows, users }));
    return () => {
      isCurrent = false;
    };
  }, [count, rows, reader]);
  return reader && counted?.rows === rows ? counted?.users : undefined;
}
