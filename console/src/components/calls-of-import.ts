import type { Schemas } from '@rollcall/client';
import { useQuery } from '@tanstack/react-query';
import { rollcall } from '../session/api.js';
import { usePermission } from '../session/session.js';
import { importIdPrefix, isUndoable } from './undo-calls.js';

/** Of 10,000 rows each. */
const callsMax = 200;

/** The calls of an import that can be undone, newest first: its renames may block the undo of an older one. */
export function useUndoableCalls(importId: string | undefined): readonly Schemas['Call'][] {
  const maySee = usePermission('users:read');
  const { data = [] } = useQuery({
    queryKey: ['activity', 'calls-of-import', importId],
    queryFn: async ({ signal }) => {
      const query = { requestId: importId, limit: callsMax };
      return (await rollcall.call('listCalls', { query, signal })).body.data.items;
    },
    enabled: maySee && importId?.startsWith(importIdPrefix) === true,
  });
  return data.filter(isUndoable);
}
