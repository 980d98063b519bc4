import { Button, Skeleton, Stack } from '@mantine/core';
import { isRollcallError } from '@rollcall/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { EmptyState } from '../../components/empty-state.js';
import { PageTitle } from '../../components/page-title.js';
import { Problem } from '../../components/problem.js';
import { texts } from '../../copy/index.js';
import { useMay } from '../../session/session.js';
import { personQuery } from '../data/user-queries.js';
import { Person } from './user-details.js';
import { PersonHistory } from './user-history.js';

export function PersonPage({ serial }: { serial: string }) {
  const person = useQuery(personQuery(serial));
  if (isRollcallError(person.error, 'USER_NOT_FOUND')) return <NoSuchPerson serial={serial} />;
  if (person.data)
    return <Person fresh={person.data} error={person.error} onRetry={() => void person.refetch()} />;
  return (
    <>
      <PageTitle title={texts.person.title} />
      {person.isError ? (
        <Problem title={texts.person.notLoaded} error={person.error} onRetry={() => void person.refetch()} />
      ) : (
        <PersonLoading />
      )}
    </>
  );
}

/** Whoever was removed by an undo still has a history. */
function NoSuchPerson({ serial }: { serial: string }) {
  const maySeeHistory = useMay('audit:read');
  return (
    <>
      <PageTitle title={texts.person.title} />
      <EmptyState title={texts.person.noSuchPerson} hint={texts.person.noSuchPersonHint}>
        <Button component={Link} href="/people" variant="default">
          {texts.person.toPeople}
        </Button>
      </EmptyState>
      {maySeeHistory && <PersonHistory serial={serial} />}
    </>
  );
}

function PersonLoading() {
  return (
    <Stack role="status" aria-label={texts.common.loading} maw={720}>
      {[0, 1, 2, 3, 4, 5].map((row) => (
        <Skeleton key={row} height={52} />
      ))}
    </Stack>
  );
}
