import { useState } from 'react';
import { parseChoice } from '../../components/choices.js';
import { useFilters } from '../../components/filters.js';
import { Problem } from '../../components/problem.js';
import { userCopy, userPageCopy } from '../../copy/copy.js';
import { usePermission } from '../../session/session.js';
import type { VersionedUser } from '../data/user-queries.js';
import { UserTimeline } from '../timeline/user-timeline.js';
import { DetailsTab } from './details-tab.js';
import { Section } from './section.js';
import { UserHeader } from './user-header.js';
import { UserTabs } from './user-tabs.js';

interface UserDetailsProps {
  readonly fresh: VersionedUser;
  readonly error: unknown;
  readonly onRetry: () => void;
}

export function UserDetails({ fresh, error, onRetry }: UserDetailsProps) {
  const { serial } = fresh.user;
  const maySeeHistory = usePermission('audit:read');
  const { get } = useFilters();
  const [isUnsaved, setIsUnsaved] = useState(false);
  const tab = (maySeeHistory && parseChoice(userPageCopy.tabs, get('tab'))) || 'details';
  return (
    <>
      <UserHeader fresh={fresh} />
      {error !== null && <Problem title={userCopy.notRefreshed} error={error} onRetry={onRetry} />}
      {maySeeHistory && <UserTabs serial={serial} current={tab} isUnsaved={isUnsaved} />}
      {/* Stays mounted to keep unsaved input. */}
      <div hidden={tab !== 'details'}>
        <DetailsTab fresh={fresh} onUnsaved={setIsUnsaved} />
      </div>
      {tab === 'history' && (
        <Section title={userPageCopy.tabs.history}>
          <UserTimeline serial={serial} />
        </Section>
      )}
    </>
  );
}
