import type { Survey } from '@rollcall/sheets';
import { useEffect, useState } from 'react';
import type { UserCounts } from '../state/affected-users.js';
import type { RowReader } from '../state/row-reader.js';
import type { Rows } from '../state/rows.js';

type CountUsers = (rows: Rows, reader: RowReader, survey?: Survey) => Promise<UserCounts>;

/** Undefined until the users of these rows are counted. */
export function useUserCounts(
  count: CountUsers,
  rows: Rows | undefined,
  { reader, survey }: { readonly reader?: RowReader | undefined; readonly survey?: Survey | undefined },
): UserCounts | undefined {
  const [counted, setCounted] = useState<{ readonly rows: Rows; readonly users: UserCounts }>();
  useEffect(() => {
    if (!rows || !reader) return;
    let isCurrent = true;
    void count(rows, reader, survey).then((users) => isCurrent && setCounted({ rows, users }));
    return () => {
      isCurrent = false;
    };
  }, [count, rows, reader, survey]);
  return reader && counted?.rows === rows ? counted?.users : undefined;
}
