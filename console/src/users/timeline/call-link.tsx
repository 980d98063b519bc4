import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { activityCopy, userPageCopy } from '../../copy/copy.js';
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
      {call
        ? userPageCopy.timeline.call(activityCopy.calls.kind[call.kind], sourceOf(call))
        : userPageCopy.timeline.someCall}
    </Anchor>
  );
}

/** Only calls that came from a file have one. */
function sourceOf(call: object): string | null {
  return 'source' in call && typeof call.source === 'string' ? call.source : null;
}
