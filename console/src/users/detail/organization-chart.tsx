import { Anchor, Avatar, Skeleton, Text } from '@mantine/core';
import type { Schemas } from '@rollcall/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { Problem } from '../../components/problem.js';
import { activityCopy, commonCopy, userPageCopy } from '../../copy/copy.js';
import { initialsOf, type User } from '../data/user.js';
import { chartQuery } from '../data/user-queries.js';
import css from './organization-chart.module.css';

const copy = userPageCopy.chart;

type Manager = Schemas['Manager'];

/** A link to the manager. Those who were removed or erased have no name. */
export function ManagerName({ manager }: { manager: Manager | null }) {
  if (manager === null) return commonCopy.empty;
  if (manager.name === null) return userPageCopy.removedManager;
  return (
    <Anchor component={Link} href={`/users/${manager.serial}`} inherit>
      {manager.name}
    </Anchor>
  );
}

/** Everyone above the user, and those below. Each leads to their own chart. */
export function OrganizationChart({ user }: { user: User }) {
  const chart = useQuery(chartQuery(user.serial));
  if (chart.isError) {
    return <Problem title={copy.notLoaded} error={chart.error} onRetry={() => void chart.refetch()} />;
  }
  if (!chart.data) return <Skeleton height={220} />;
  const { managers, manager, reports, isMore } = chart.data;
  const isManagerGone = manager !== null && managers.length === 0;
  return (
    <div className={css.chart}>
      {managers.length === 0 && !isManagerGone && (
        <Text size="sm" c="dimmed">
          {copy.noManager(user.name)}
        </Text>
      )}
      <ol className={css.line} aria-label={copy.managers} data-led={reports.length > 0 || undefined}>
        {isManagerGone && (
          <li>
            <span className={css.box}>{activityCopy.actors.removed}</span>
          </li>
        )}
        {managers.toReversed().map((each) => (
          <li key={each.serial}>
            <Box user={each} />
          </li>
        ))}
        <li>
          <Box user={user} isCurrent />
        </li>
      </ol>
      {reports.length === 0 ? (
        <Text size="sm" c="dimmed">
          {copy.noReports(user.name)}
        </Text>
      ) : (
        <>
          <Text size="sm" fw={600}>
            {copy.reports(reports.length, isMore)}
          </Text>
          <ul className={css.reports} aria-label={copy.reports(reports.length, isMore)}>
            {reports.map((report) => (
              <li key={report.serial}>
                <Box user={report} />
              </li>
            ))}
          </ul>
          <Anchor component={Link} href={`/users?manager=${encodeURIComponent(user.employeeID)}`} size="sm">
            {copy.all}
          </Anchor>
        </>
      )}
    </div>
  );
}

interface BoxProps {
  readonly user: Pick<Manager, 'serial' | 'employeeID' | 'name'> & { readonly isActive: boolean };
  readonly isCurrent?: boolean;
}

function Box({ user: { serial, employeeID, name, isActive }, isCurrent = false }: BoxProps) {
  return (
    <Link
      href={`/users/${serial}?tab=chart`}
      className={css.box}
      aria-current={isCurrent ? 'page' : undefined}
      data-inactive={!isActive || undefined}
    >
      <Avatar size={32} radius="xl" color={isCurrent ? 'blue' : 'gray'} aria-hidden>
        {initialsOf(name ?? '')}
      </Avatar>
      <span className={css.who}>
        <span className={css.name}>{name}</span>
        <span className={css.id}>
          {employeeID}
          {!isActive && ` · ${commonCopy.inactive}`}
        </span>
      </span>
    </Link>
  );
}
