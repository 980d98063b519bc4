import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { callName } from '../../components/calls.js';
import { userPageCopy } from '../../copy/copy.js';
import { rollcall } from '../../session/api.js';

/** A bulk call, named by what it did and the file it came from. */
export function CallLink({ id }: { id: string }) {
  const { data: call } = useQuery({
    queryKey: ['activity', 'call-name', id],
    queryFn: async ({ signal }) => (await rollcall.call('getCall', { path: { id }, signal })).body.data,
    staleTime: Number.POSITIVE_INFINITY, // what names it never changes
  });
  return (
    <Anchor component={Link} href={`/activity/calls/${id}`} inherit underline="always">
      {call ? userPageCopy.timeline.call(callName(call), call.source) : userPageCopy.timeline.someCall}
    </Anchor>
  );
}
