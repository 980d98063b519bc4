import { Button, Skeleton, Stack } from '@mantine/core';
import { isRollcallError } from '@rollcall/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { parseChoice } from '../../components/choices.js';
import { EmptyState } from '../../components/empty-state.js';
import { useFilters } from '../../components/filters.js';
import { PageTitle } from '../../components/page-title.js';
import { Problem } from '../../components/problem.js';
import { Section } from '../../components/section.js';
import { commonCopy, userCopy, userPageCopy } from '../../copy/copy.js';
import { formatDateTime } from '../../copy/format.js';
import { useSeesHistory } from '../../session/session.js';
import { newestChangesQuery, userQuery, type VersionedUser } from '../data/user-queries.js';
import { UserTimeline } from '../timeline/user-timeline.js';
import { DetailsTab } from './details-tab.js';
import { OrganizationChart } from './organization-chart.js';
import { UserHeader } from './user-header.js';
import css from './user-page.module.css';

export function UserPage({ serial }: { serial: string }) {
  const user = useQuery(userQuery(serial));
  if (isRollcallError(user.error, 'USER_NOT_FOUND'))
    return <GoneUser serial={serial} title={userCopy.notFound} hint={userCopy.notFoundHint} />;
  if (isRollcallError(user.error, 'USER_ERASED')) {
    const { erasedAt } = user.error.data;
    const hint = userPageCopy.erasedHint(erasedAt === undefined ? undefined : formatDateTime(erasedAt));
    return <GoneUser serial={serial} title={userPageCopy.erased} hint={hint} />;
  }
  if (user.data)
    return <UserDetails fresh={user.data} error={user.error} onRetry={() => void user.refetch()} />;
  return (
    <>
      <PageTitle title={userCopy.title} section={commonCopy.users} />
      {user.isError ? (
        <Problem title={userCopy.notLoaded} error={user.error} onRetry={() => void user.refetch()} />
      ) : (
        <UserLoading />
      )}
    </>
  );
}

interface GoneUserProps {
  readonly serial: string;
  readonly title: string;
  readonly hint: string;
}

/** Users removed by an undo keep their history. */
function GoneUser({ serial, title, hint }: GoneUserProps) {
  const maySeeHistory = useSeesHistory();
  return (
    <>
      <PageTitle title={userCopy.title} section={commonCopy.users} />
      <EmptyState title={title} hint={hint}>
        <Button component={Link} href="/users" variant="default">
          {userCopy.toUsers}
        </Button>
      </EmptyState>
      {maySeeHistory && <FormerHistory serial={serial} />}
    </>
  );
}

/** Nothing if the user never existed. */
function FormerHistory({ serial }: { serial: string }) {
  const { data: changes = [] } = useQuery(newestChangesQuery(serial));
  if (changes.length === 0) return null;
  return (
    <Section title={userPageCopy.tabs.history}>
      <UserTimeline serial={serial} />
    </Section>
  );
}

function UserLoading() {
  return (
    <Stack role="status" aria-label={commonCopy.loading} maw={720}>
      {[0, 1, 2, 3, 4, 5].map((row) => (
        <Skeleton key={row} height={52} />
      ))}
    </Stack>
  );
}

interface UserDetailsProps {
  readonly fresh: VersionedUser;
  readonly error: unknown;
  readonly onRetry: () => void;
}

function UserDetails({ fresh, error, onRetry }: UserDetailsProps) {
  const { serial } = fresh.user;
  const maySeeHistory = useSeesHistory();
  const { get } = useFilters();
  const [isUnsaved, setIsUnsaved] = useState(false);
  const tabs = allTabs.filter((each) => each !== 'history' || maySeeHistory);
  const given = parseChoice(userPageCopy.tabs, get('tab'));
  const tab = given && tabs.includes(given) ? given : 'details';
  return (
    <>
      <UserHeader fresh={fresh} part={tab === 'details' ? undefined : userPageCopy.tabs[tab]} />
      {error !== null && <Problem title={userCopy.notRefreshed} error={error} onRetry={onRetry} />}
      <UserTabs serial={serial} tabs={tabs} current={tab} isUnsaved={isUnsaved} />
      {/* Stays mounted to keep unsaved input. */}
      <div hidden={tab !== 'details'}>
        <DetailsTab fresh={fresh} onUnsaved={setIsUnsaved} />
      </div>
      {tab === 'chart' && <OrganizationChart user={fresh.user} />}
      {tab === 'history' && (
        <Section title={userPageCopy.tabs.history}>
          <UserTimeline serial={serial} user={fresh.user} />
        </Section>
      )}
    </>
  );
}

type UserTab = keyof typeof userPageCopy.tabs;

const allTabs = Object.keys(userPageCopy.tabs) as UserTab[];

interface UserTabsProps {
  readonly serial: string;
  readonly tabs: readonly UserTab[];
  readonly current: UserTab;
  /** Whether the details have unsaved changes. */
  readonly isUnsaved: boolean;
}

/** Links rather than ARIA tabs, because each one has its own URL. */
function UserTabs({ serial, tabs, current, isUnsaved }: UserTabsProps) {
  return (
    <nav className={css.tabs} aria-label={userPageCopy.tabsLabel}>
      {tabs.map((tab) => (
        <Link
          key={tab}
          href={tab === 'details' ? `/users/${serial}` : `/users/${serial}?tab=${tab}`}
          className={css.tab}
          aria-current={tab === current ? 'page' : undefined}
        >
          {userPageCopy.tabs[tab]}{' '}
          {tab === 'details' && isUnsaved && current !== tab && (
            <span className={css.unsaved}>{userPageCopy.unsaved}</span>
          )}
        </Link>
      ))}
    </nav>
  );
}
