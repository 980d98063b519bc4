import { Anchor, Avatar, Button, Skeleton, Text } from '@mantine/core';
import type { Schemas } from '@rollcall/client';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { Icon } from '../../components/icon.js';
import { Problem } from '../../components/problem.js';
import { activityCopy, commonCopy, userPageCopy } from '../../copy/copy.js';
import { initialsOf, type User } from '../data/user.js';
import { chartQuery, reportsQuery } from '../data/user-queries.js';
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

/** Everyone above the user, and those below, who unfold. Each leads to their own chart. */
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
      <Line key={user.serial} managers={managers} isLed={reports.length > 0}>
        {isManagerGone && (
          <li>
            <span className={css.box}>{activityCopy.actors.removed}</span>
          </li>
        )}
        <li>
          <Box user={user} isCurrent />
        </li>
      </Line>
      {reports.length === 0 ? (
        <Text size="sm" c="dimmed">
          {copy.noReports(user.name)}
        </Text>
      ) : (
        <>
          <Text size="sm" fw={600}>
            {copy.reports(reports.length, isMore)}
          </Text>
          <Reports of={user} reports={reports} isMore={isMore} />
          {!isMore && <AllReports of={user} />}
        </>
      )}
    </div>
  );
}

interface LineProps {
  /** From the nearest one. */
  readonly managers: readonly ChartUser[];
  /** Whether somebody reports to the last one of the line. */
  readonly isLed: boolean;
  readonly children: ReactNode;
}

/** Of a longer line, only the nearest managers are shown at first. */
const nearestManagers = 4;

function Line({ managers, isLed, children }: LineProps) {
  const [isWhole, setIsWhole] = useState(false);
  const folded = managers.length - nearestManagers;
  const shown = isWhole ? managers : managers.slice(0, nearestManagers);
  return (
    <>
      {folded > 0 && (
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          aria-expanded={isWhole}
          onClick={() => setIsWhole(!isWhole)}
        >
          {isWhole ? copy.fewerManagers : copy.moreManagers(folded)}
        </Button>
      )}
      <ol className={css.line} aria-label={copy.managers} data-led={isLed || undefined}>
        {shown.toReversed().map((each) => (
          <li key={each.serial}>
            <Box user={each} />
          </li>
        ))}
        {children}
      </ol>
    </>
  );
}

interface ReportsProps {
  readonly of: Pick<User, 'employeeID' | 'name'>;
  readonly reports: readonly ReportingUser[];
  readonly isMore: boolean;
}

function Reports({ of, reports, isMore }: ReportsProps) {
  return (
    <>
      <ul className={css.reports} aria-label={copy.reportsOf(of.name, copy.reports(reports.length, isMore))}>
        {reports.map((report) => (
          <Report key={report.serial} report={report} />
        ))}
      </ul>
      {isMore && <AllReports of={of} />}
    </>
  );
}

function AllReports({ of: { employeeID } }: Pick<ReportsProps, 'of'>) {
  return (
    <Anchor component={Link} href={`/users?manager=${encodeURIComponent(employeeID)}`} size="sm">
      {copy.all}
    </Anchor>
  );
}

/** Unfolds into those who report to this user, if there are any. */
function Report({ report }: { report: ReportingUser }) {
  const [isOpen, setIsOpen] = useState(false);
  const { count, isExact } = report.reports;
  if (count === 0) {
    return (
      <li>
        <Box user={report} />
      </li>
    );
  }
  const text = copy.reports(count, !isExact);
  return (
    <li data-open={isOpen || undefined}>
      <Box user={report}>
        <Button
          variant="subtle"
          color="gray"
          size="compact-xs"
          className={css.unfold}
          rightSection={<Icon name="unfold" size={14} />}
          aria-label={copy.reportsOf(report.name, text)}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          {text}
        </Button>
      </Box>
      {isOpen && <Unfolded report={report} />}
    </li>
  );
}

function Unfolded({ report }: { report: ReportingUser }) {
  const below = useQuery(reportsQuery(report.serial));
  return (
    <div className={css.unfolded}>
      {below.isError ? (
        <Problem title={copy.notLoaded} error={below.error} onRetry={() => void below.refetch()} />
      ) : below.data ? (
        <Reports of={report} {...below.data} />
      ) : (
        <Skeleton height={56} />
      )}
    </div>
  );
}

type ReportingUser = Schemas['ReportingUser'];
type ChartUser = Pick<Manager, 'serial' | 'employeeID' | 'name'> & { readonly isActive: boolean };

interface BoxProps {
  readonly user: ChartUser;
  readonly isCurrent?: boolean;
  /** Below the name. */
  readonly children?: ReactNode;
}

function Box({ user: { serial, employeeID, name, isActive }, isCurrent = false, children }: BoxProps) {
  return (
    <div className={css.box} data-current={isCurrent || undefined} data-inactive={!isActive || undefined}>
      <Link
        href={`/users/${serial}?tab=chart`}
        className={css.user}
        aria-current={isCurrent ? 'page' : undefined}
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
      {children}
    </div>
  );
}
