import { Center, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { NotAllowed } from '../../components/empty-state.js';
import { proposedFeed } from '../../components/feed-proposal.js';
import { PageTitle } from '../../components/page-title.js';
import { Problem } from '../../components/problem.js';
import { commonCopy } from '../../copy/copy.js';
import { feedFormCopy as copy, feedsCopy } from '../../copy/on-demand-copy.js';
import { rollcall } from '../../session/api.js';
import { usePermission } from '../../session/session.js';
import { draftFrom, draftOf, newFeed } from './feed-draft.js';
import { FeedForm } from './feed-form.js';

export function NewFeedPage() {
  const [proposal] = useState(proposedFeed);
  return (
    <Page title={copy.newTitle}>
      <FeedForm start={proposal ? draftFrom(proposal) : newFeed} isProposal={proposal !== undefined} />
    </Page>
  );
}

export function EditFeedPage({ feedKey }: { feedKey: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['feeds', feedKey, 'form'],
    queryFn: async ({ signal }) =>
      (await rollcall.call('getFeed', { path: { key: feedKey }, signal })).body.data,
    ...{ staleTime: 0, gcTime: 0, refetchOnWindowFocus: false },
  });
  // What is edited must not change under the user.
  const [feed, setFeed] = useState(data);
  if (data && !feed) setFeed(data);
  return (
    <Page title={copy.editTitle(feed?.name ?? feedKey)}>
      {feed ? (
        <FeedForm feed={feed} start={draftOf(feed)} />
      ) : error ? (
        <Problem title={copy.notLoaded} error={error} onRetry={() => void refetch()} />
      ) : (
        <Center mih={200}>
          <Loader aria-label={commonCopy.loading} />
        </Center>
      )}
    </Page>
  );
}

function Page({ title, children }: { title: string; children: ReactNode }) {
  const isAllowed = usePermission('access:admin');
  return (
    <>
      <PageTitle title={title} section={feedsCopy.title} />
      {isAllowed ? children : <NotAllowed />}
    </>
  );
}
