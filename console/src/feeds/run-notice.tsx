import { Button, Group, Text } from '@mantine/core';
import { Link } from 'wouter';
import { TechnicalDetails } from '../components/disclosure.js';
import type { Feed, Run } from '../components/feeds.js';
import { Notice } from '../components/notice.js';
import { feedsCopy } from '../copy/on-demand-copy.js';
import { useCurrentUser, usePermission } from '../session/session.js';
import { changesOf, isUndoable } from './feed.js';
import styles from './feeds.module.css';
import { findingText, type Told } from './finding-text.js';
import { problemText } from './problem-text.js';
import { isOwnRun, RunDecisions } from './run-decisions.js';
import { StartRun } from './start-run.js';

interface RunNoticeProps {
  readonly feed: Feed | undefined;
  readonly run: Run;
  /** Whether it is on the page of the feed, which can start runs by itself. */
  readonly isOnFeedPage?: boolean;
}

/** What people should know or decide about a run: why it waits, stopped or failed. */
export function RunNotice(props: RunNoticeProps) {
  const { run } = props;
  if (run.state === 'waiting') return <Waiting {...props} />;
  if (run.state === 'stopped') return <Stopped {...props} />;
  if (run.problem) return <Failure {...props} problem={run.problem} />;
  if (run.state === 'cancelled') return <Cancelled {...props} />;
  if (run.isDryRun && run.state === 'done') return <Preview {...props} />;
  return run.phase === 'apply' && run.findings.length > 0 ? <WasUnusual run={run} /> : null;
}

const copy = feedsCopy.waiting;

function Waiting({ feed, run, isOnFeedPage }: RunNoticeProps) {
  const { serial } = useCurrentUser();
  const isAlways = feed?.rules.approval === 'always';
  return (
    <Notice color="yellow" title={isOnFeedPage ? copy.titleOnFeedPage : copy.title}>
      <Text size="sm">{copy.text}</Text>
      {isAlways && <Text size="sm">{copy.always}</Text>}
      {feed && isOwnRun(feed, run, serial) && <Text size="sm">{copy.author}</Text>}
      <Findings run={run} />
      <Group mt="sm" gap="sm">
        <RunDecisions feed={feed} run={run} />
        {isOnFeedPage && <RunButton run={run} text={copy.rows} />}
      </Group>
    </Notice>
  );
}

function Stopped(props: RunNoticeProps) {
  const { stopped } = feedsCopy;
  return (
    <Notice color="red" title={props.isOnFeedPage ? stopped.titleOnFeedPage : stopped.title}>
      <Text size="sm">{stopped.text}</Text>
      <Findings run={props.run} />
      <NextSteps {...props} />
    </Notice>
  );
}

function Failure({ problem, ...props }: RunNoticeProps & { problem: NonNullable<Run['problem']> }) {
  const { run, isOnFeedPage } = props;
  const { failed } = feedsCopy;
  const told = problemText(problem);
  const isPartly = run.phase === 'apply' && changesOf(run) > 0 && problem.code !== 'UNDO_INCOMPLETE';
  return (
    <Notice color="red" title={isOnFeedPage ? failed.titleOnFeedPage : failed.title}>
      <ToldText told={told} />
      {isPartly && <Text size="sm">{failed.partly}</Text>}
      {!told.isForeign && saysMore.has(problem.code) && (
        <TechnicalDetails>
          <span lang="en">{problem.text}</span>
        </TechnicalDetails>
      )}
      <Findings run={run} />
      <NextSteps {...props} />
    </Notice>
  );
}

/** Problems about which the service says more than the console does, such as the names that it doesn't know. */
const saysMore: ReadonlySet<string> = new Set(['SOURCE_FAILED', 'NAMES_UNKNOWN']);

function Cancelled({ run }: RunNoticeProps) {
  const { cancelled } = feedsCopy;
  return (
    <Notice color="blue" title={cancelled.title}>
      <Text size="sm">{isUndoable(run) ? cancelled.partly : cancelled.nothing}</Text>
      <Findings run={run} />
    </Notice>
  );
}

function Preview(props: RunNoticeProps) {
  const { dryRun } = feedsCopy;
  const isUploaded = props.feed?.source.type === 'upload';
  const changesAny = changesOf(props.run) > 0;
  const next = isUploaded ? dryRun.textOfUpload : dryRun.text;
  return (
    <Notice color="blue" title={dryRun.title}>
      <Text size="sm">{changesAny ? next : dryRun.nothing}</Text>
      <Findings run={props.run} />
      {changesAny && <NextSteps {...props} />}
    </Notice>
  );
}

/** What someone does once the cause is known. */
function NextSteps({ feed, run, isOnFeedPage }: RunNoticeProps) {
  const mayManage = usePermission('access:admin');
  return (
    <Group mt="sm" gap="sm">
      {isOnFeedPage ? <RunButton run={run} text={feedsCopy.run.view} /> : feed && <StartRun feed={feed} />}
      {mayManage && !run.isDryRun && (
        <Button component={Link} href={`/feeds/${run.feed}/edit`} variant="default">
          {feedsCopy.actions.edit}
        </Button>
      )}
    </Group>
  );
}

function RunButton({ run: { feed, id }, text }: { run: Run; text: string }) {
  return (
    <Button component={Link} href={`/feeds/${feed}/runs/${id}`} variant="default">
      {text}
    </Button>
  );
}

function WasUnusual({ run }: { run: Run }) {
  return (
    <Notice color="blue" title={copy.wasUnusual}>
      <FindingList run={run} />
    </Notice>
  );
}

/** What is unusual about a run. */
function Findings({ run }: { run: Run }) {
  if (run.findings.length === 0) return null;
  return (
    <>
      <Text size="sm" fw={600} mt="xs">
        {copy.unusual}
      </Text>
      <FindingList run={run} />
    </>
  );
}

function FindingList({ run: { findings } }: { run: Run }) {
  return (
    <ul className={styles.texts}>
      {findings.map((finding) => (
        <li key={`${finding.code} ${finding.text}`}>
          <ToldText told={findingText(finding)} />
        </li>
      ))}
    </ul>
  );
}

function ToldText({ told: { text, isForeign } }: { told: Told }) {
  return (
    <Text size="sm" {...(isForeign && { lang: 'en' })}>
      {text}
    </Text>
  );
}
