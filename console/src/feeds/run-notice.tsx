import { Button, Group, Text } from '@mantine/core';
import { Link } from 'wouter';
import { TechnicalDetails } from '../components/facts.js';
import type { Feed, Run } from '../components/feeds.js';
import { Notice } from '../components/notice.js';
import { feedsCopy } from '../copy/feeds-copy.js';
import { useCurrentUser } from '../session/session.js';
import { changesOf } from './feed.js';
import styles from './feeds.module.css';
import { findingText, type Told } from './finding-text.js';
import { problemText } from './problem-text.js';
import { isOwnRun, RunDecisions } from './run-decisions.js';

interface RunNoticeProps {
  readonly feed: Feed | undefined;
  readonly run: Run;
  /** Links to the rows from another page. */
  readonly linksToRows?: boolean;
}

/** What people should know or decide about a run: why it waits, stopped or failed. */
export function RunNotice({ feed, run, linksToRows = false }: RunNoticeProps) {
  switch (run.state) {
    case 'waiting':
      return <Waiting feed={feed} run={run} linksToRows={linksToRows} />;
    case 'stopped':
      return (
        <Notice color="red" title={feedsCopy.stopped.title}>
          <Text size="sm">{feedsCopy.stopped.text}</Text>
          <Findings run={run} />
        </Notice>
      );
    default:
      return run.problem ? <Failure run={run} problem={run.problem} /> : <Preview run={run} />;
  }
}

const copy = feedsCopy.waiting;

function Waiting({ feed, run, linksToRows }: RunNoticeProps) {
  const { serial } = useCurrentUser();
  const isAlways = feed?.rules.approval === 'always';
  return (
    <Notice color="yellow" title={copy.title}>
      <Text size="sm">{copy.text}</Text>
      {isAlways && <Text size="sm">{copy.always}</Text>}
      {feed && isOwnRun(feed, run, serial) && <Text size="sm">{copy.author}</Text>}
      <Findings run={run} />
      <Group mt="sm" gap="sm">
        <RunDecisions feed={feed} run={run} />
        {linksToRows && (
          <Button component={Link} href={`/feeds/${run.feed}/runs/${run.id}`} variant="default">
            {copy.rows}
          </Button>
        )}
      </Group>
    </Notice>
  );
}

function Failure({ run, problem }: { run: Run; problem: NonNullable<Run['problem']> }) {
  const told = problemText(problem);
  const isPartly = run.phase === 'apply' && changesOf(run) > 0 && problem.code !== 'UNDO_INCOMPLETE';
  return (
    <Notice color="red" title={feedsCopy.failed.title}>
      <ToldText told={told} />
      {isPartly && <Text size="sm">{feedsCopy.failed.partly}</Text>}
      {!told.isForeign && problem.code === 'SOURCE_FAILED' && (
        <TechnicalDetails>
          <span lang="en">{problem.text}</span>
        </TechnicalDetails>
      )}
      <Findings run={run} />
    </Notice>
  );
}

/** What a preview is, or what was unusual about a run that went on. */
function Preview({ run }: { run: Run }) {
  if (run.isDryRun && run.state === 'done')
    return (
      <Notice color="blue" title={feedsCopy.dryRun.title}>
        <Text size="sm">{feedsCopy.dryRun.text}</Text>
        <Findings run={run} />
      </Notice>
    );
  if (run.findings.length === 0) return null;
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
