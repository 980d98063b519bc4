import { useQueries } from '@tanstack/react-query';
import { useEffect } from 'react';
import { rollcall } from '../../session/api.js';
import { usePermission } from '../../session/session.js';
import { callsToUndo } from '../state/state.js';
import { useImportState, useImportStore } from '../state/store.js';

/** A call may have been undone on the Activity page, or by someone else. It can't be undone again. */
export function useUndoneElsewhere(): void {
  const store = useImportStore();
  const maySee = usePermission('users:read');
  const ids = callsToUndo(useImportState()).map(({ id }) => id);
  const undone = useQueries({
    queries: ids.map((id) => ({
      queryKey: ['activity', 'call', id],
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        (await rollcall.call('getCall', { path: { id }, signal })).body.data,
      enabled: maySee,
      staleTime: 0,
    })),
    combine: (queries) =>
      queries.flatMap(({ data }) => (data?.undoneBy == null ? [] : [`${data.id} ${data.undoneBy}`])).join(),
  });
  useEffect(() => {
    for (const pair of undone === '' ? [] : undone.split(',')) {
      const [id = '', undoneBy = ''] = pair.split(' ');
      store.dispatch({ type: 'callUndone', id, undoneBy, skipped: new Set() });
    }
  }, [undone, store]);
}
