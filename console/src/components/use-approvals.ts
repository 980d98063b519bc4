import { useQuery } from '@tanstack/react-query';
import { rollcall } from '../session/api.js';
import { useCurrentUser, usePermission } from '../session/session.js';
import { type Approvals, approvalsFor, noApprovals } from './calls.js';

/** More is not counted. */
const countedMax = 100;
/** For users who don't receive events. */
const refetchMs = 10_000;

/** The calls that await approval; undefined until they have been read. */
export function useApprovals(): Approvals | undefined {
  const { serial } = useCurrentUser();
  const mayRead = usePermission('users:read');
  const mayApprove = usePermission('users:write') && mayRead;
  const receivesEvents = usePermission('audit:read');
  const { data, isPending } = useQuery({
    queryKey: ['activity', 'approvals'],
    queryFn: async ({ signal }) => {
      const query = { state: 'awaitingApproval', limit: countedMax } as const;
      return (await rollcall.call('listCalls', { query, signal })).body.data;
    },
    enabled: mayRead,
    refetchInterval: !receivesEvents && refetchMs,
  });
  if (data) return approvalsFor(data, { serial, mayApprove });
  return isPending ? undefined : noApprovals;
}
